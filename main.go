// Command vtsize says what the visibility timeout and the heartbeat of an SQS
// queue should be, and what in a deployment will break, before it breaks.
package main

import (
	"context"
	"os"
	"os/signal"

	"vtsize/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := cli.Main(ctx, cli.OSEnv(), os.Args)
	stop()
	os.Exit(status)
}
