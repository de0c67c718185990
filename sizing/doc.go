// Package sizing is the arithmetic: how long a consumer holds a message, what
// visibility timeout and heartbeat that asks for, and what they cost.
//
// Everything here is pure: durations and counts go in, numbers and the text of
// the formula come out. Products saturate at [Forever] instead of overflowing.
package sizing
