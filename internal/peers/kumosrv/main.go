// Command kumosrv runs the kumo emulator on loopback, prints its address, and
// ends when its standard input does.
//
// It is a module of its own, so that the product does not depend on what only
// tests use.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/sivchari/kumo"
)

func main() {
	server := kumo.NewServer()
	defer server.Close()
	fmt.Println(server.URL)
	_, _ = io.Copy(io.Discard, os.Stdin) // any end of it will do
}
