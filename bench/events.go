//go:build ignore

// Events makes a log for the benchmark of diagnose: a send, a receive and a
// delete for each message, in the order of time; one message in ten is
// received twice, and its first consumer deletes it too late.
//
//	go run bench/events.go -messages 1000000 FILE
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

type event struct {
	at   time.Duration
	line string
}

func main() {
	messages := flag.Int("messages", 1_000_000, "number of messages")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: go run bench/events.go -messages N FILE")
	}
	f, err := os.Create(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	random := rand.New(rand.NewPCG(1, 2))
	n := 0
	const batch = 10_000
	for from := 0; from < *messages; from += batch {
		var list []event
		for i := from; i < min(from+batch, *messages); i++ {
			list = append(list, lives(random, i)...)
		}
		slices.SortStableFunc(list, func(a, b event) int { return int(a.at - b.at) })
		for _, e := range list {
			fmt.Fprintln(w, e.line)
		}
		n += len(list)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
}

// lives is what happens to one message.
func lives(random *rand.Rand, i int) []event {
	sent := time.Duration(i) * 2 * time.Millisecond
	id := fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", random.Uint32(), random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), i)
	list := []event{line("send", sent, id, "", "")}
	took := time.Duration(1+random.IntN(8)) * time.Second
	receive := func(at time.Duration, count int) {
		list = append(list, line("receive", at, id, handle(id, count), fmt.Sprintf(`,"receive_count":%d`, count)))
	}
	receive(sent+40*time.Millisecond, 1)
	if i%10 == 0 {
		took = 38 * time.Second
		receive(sent+30*time.Second+900*time.Millisecond, 2)
		list = append(list, line("delete", sent+69*time.Second, id, handle(id, 2), ""))
	}
	return append(list, line("delete", sent+took, id, handle(id, 1), ""))
}

func handle(id string, count int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", id, count))
	return hex.EncodeToString(sum[:])
}

func line(op string, at time.Duration, id, handle, more string) event {
	start := time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC).Add(at)
	const form = "2006-01-02T15:04:05.000Z"
	delivery := ""
	if handle != "" {
		delivery = `,"delivery":"` + handle + `"`
	}
	return event{at, fmt.Sprintf(`{"op":%q,"start":%q,"end":%q,"queue":"orders","message":%q%s%s,"result":"ok","consumer":"worker-%d"}`,
		op, start.Format(form), start.Add(9*time.Millisecond).Format(form), id, delivery, more, at/time.Second%40)}
}
