// Package awsfetch reads queues, their consumers and their metrics from AWS.
//
// [Fetch] asks AWS and keeps the answers in a [Snapshot]; [Snapshot.Deployment]
// turns a snapshot into facts. A live audit and one of a saved file therefore
// take the same path. Nothing is ever changed in AWS: [Actions] lists every
// call that is made.
//
// A call that AWS refuses makes the facts it would have given unknown, and
// names the IAM action; everything else is still used. What makes the whole
// reading pointless (no credentials, an endpoint that does not answer, a named
// queue that does not exist) is an error.
package awsfetch
