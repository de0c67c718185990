// Package trace reads logs of what happened to messages (sends, receives,
// visibility changes, deletes) and tells why a message came more than once.
//
// SQS tells nobody that a visibility timeout ran out. It shows only in the
// receives around it, so that much of what is told here is inferred. The rules
// of it stand in docs/diagnose.md; they prefer "order unknown" to a guess.
//
// A [Log] takes in files in any order and keeps each event in a few dozen
// bytes. [Log.Messages] then goes through the messages one by one, so that
// what is told about them never has to be in memory at once.
package trace
