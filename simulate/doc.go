// Package simulate shows what a queue with a visibility timeout does to slow
// work: [Replay] follows one message second by second, [Fleet] runs a queue
// and all its consumers for hours or days.
//
// Both are pure. They have their own clock, read nothing, and draw every random
// number from the seed they are given. Replay and Fleet are two programs for
// one set of rules, and a test holds them against each other.
//
// The rules are the cautious reading of what SQS documents: a stale receipt
// handle deletes nothing and extends nothing; the receive count goes up at each
// receive; a message moves to the dead-letter queue when a receive would take
// the count above maxReceiveCount; an extension counts from the call; all
// extensions of one receive end 43,200 s after it, and a longer one is refused,
// not cut. At one and the same moment a timeout expires first, then beats
// arrive, then work ends.
package simulate
