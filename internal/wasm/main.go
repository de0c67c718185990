//go:build js && wasm

// Command wasm is the engine of the page that vtsize simulate --html writes:
// packages simulate and simview in the browser. It gives the page one
// function, vtsizeAnswer, from a JSON request to a JSON answer.
package main

import (
	"syscall/js"

	"vtsize/simview"
)

func main() {
	js.Global().Set("vtsizeAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(simview.Answer([]byte(args[0].String())))
	}))
	select {}
}
