// Command vtsize says what the visibility timeout and the heartbeat of an SQS
// queue should be, and what in a deployment will break, before it breaks.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"vtsize/internal/cli"
)

func main() { os.Exit(runProcess()) }

// grace is how long a run that was told to stop has to end by itself. One that
// waits for a pipe or a terminal cannot: nothing interrupts such a read.
const grace = 2 * time.Second

// runProcess runs the command line of the process, and returns the exit status.
func runProcess() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(ctx, cli.OSEnv(), os.Args) }()
	select {
	case status := <-ended:
		return status
	case <-ctx.Done():
	}
	stop() // a second signal ends the process at once
	select {
	case status := <-ended:
		return status
	case <-time.After(grace):
		cli.RemoveUnfinished()
		fmt.Fprintln(os.Stderr, "vtsize: stopped")
		return cli.Stopped
	}
}
