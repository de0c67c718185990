package trace_test

import (
	"bytes"
	"fmt"
	"testing"

	"vtsize/trace"
)

// lines makes a log of n messages, each sent, received and deleted.
func lines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		at := fmt.Sprintf("2026-11-27T%02d:%02d:%02d", i/3600%24, i/60%60, i%60)
		const form = `{"op":%q,"start":"%s.%03dZ","end":"%s.%03dZ","queue":"orders","message":"%08d-4f1c-4d2e-a7b3-0123456789ab",` +
			`"delivery":"%064x","receive_count":1,"result":"ok","consumer":"worker-%d"}` + "\n"
		fmt.Fprintf(&b, form, "send", at, 10, at, 19, i, i, i%40)
		fmt.Fprintf(&b, form, "receive", at, 30, at, 39, i, i, i%40)
		fmt.Fprintf(&b, form, "delete", at, 500, at, 509, i, i, i%40)
	}
	return b.Bytes()
}

// The whole way of an event: read, kept, put together, summed up.
func BenchmarkDiagnose(b *testing.B) {
	const messages = 100_000
	log := lines(messages)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		l := trace.NewLog(trace.Options{})
		if err := l.Read("log", bytes.NewReader(log)); err != nil {
			b.Fatal(err)
		}
		t := trace.NewTally()
		for m := range l.Messages(trace.Selection{}) {
			t.Add(m)
		}
		if t.Messages != messages || l.Bad > 0 {
			b.Fatalf("%d messages, %d bad lines", t.Messages, l.Bad)
		}
		b.ReportMetric(float64(l.Memory())/messages, "B/message")
	}
	b.ReportMetric(3*messages*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
