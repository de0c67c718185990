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

// SmallSnapshots makes Load refuse what is larger than a mebibyte.
func SmallSnapshots(t *testing.T) {
	old := largestSnapshot
	largestSnapshot = 1 << 20
	t.Cleanup(func() { largestSnapshot = old })
}
