package awsfetch

import (
	"testing"
	"time"
)

// ImpatientFor makes Fetch give up an endpoint that never answers sooner.
func ImpatientFor(t *testing.T, d time.Duration) {
	old := firstAnswer
	firstAnswer = d
	t.Cleanup(func() { firstAnswer = old })
}
