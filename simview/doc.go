// Package simview shows what package simulate found: as text, as lanes in a
// terminal, as JSON, as SVG and as one HTML page.
//
// It computes nothing about queues. The page runs simulate itself, compiled to
// WebAssembly, and draws with the same functions as the command line.
package simview
