// Generate writes the latency files of this directory again, the same each
// time: go run generate.go, in this directory.
package main

import (
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

func main() {
	for name, write := range map[string]func(*strings.Builder){"steps.csv": steps, "jmeter.jtl": jmeter, "tokens-only.csv": tokens} {
		var b strings.Builder
		write(&b)
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

func logNormal(r *rand.Rand, median, sigma float64) float64 {
	return median * math.Exp(sigma*r.NormFloat64())
}

// steps is a log of an agent's steps over a working day: short replies and
// long research, slower while many are asked for in the afternoon.
func steps(b *strings.Builder) {
	r := rand.New(rand.NewPCG(2026, 11))
	b.WriteString("timestamp,duration_ms,class\n")
	at := time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)
	for range 2000 {
		every := 25.0
		slower := 1.0
		if at.Hour() == 14 {
			every, slower = 9, 1.35
		}
		at = at.Add(time.Duration(r.ExpFloat64() * every * float64(time.Second)))
		class, ms := "reply", logNormal(r, 6000, 0.5)
		if r.IntN(10) < 3 {
			class, ms = "research", logNormal(r, 24000, 0.5)
		}
		fmt.Fprintf(b, "%s,%.0f,%s\n", at.Format("2006-01-02T15:04:05Z"), ms*slower, class)
	}
}

// jmeter is a load test of a model with a client timeout of 30 s. Each call is
// a redirect and the call proper, which are samples of their own as well.
func jmeter(b *strings.Builder) {
	r := rand.New(rand.NewPCG(2026, 12))
	b.WriteString("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n")
	at := int64(1793779200000)
	for i := range 600 {
		at += int64(r.ExpFloat64() * 3000)
		ms := logNormal(r, 5000, 0.45)
		code, message, success, failure := "200", "OK", "true", ""
		if i%40 == 7 {
			ms = 30000 + r.Float64()*12
			code, message, success, failure = "Non HTTP response code: java.net.SocketTimeoutException", "Non HTTP response message: Read timed out", "false", ""
		}
		row := func(start, elapsed float64, label string) {
			fmt.Fprintf(b, "%d,%.0f,%s,%s,%s,calls 1-%d,text,%s,%s,%d,412,8,8,https://model.example/v1/%s,%.0f,0,3\n",
				at+int64(start), elapsed, label, code, message, 1+i%8, success, failure, 800+i%900, label, elapsed/2)
		}
		row(0, ms, "complete")
		row(0, 40, "complete-0")
		row(40, ms-40, "complete-1")
	}
}

// tokens is an export of traces that tells what calls cost, and not how long
// they took.
func tokens(b *strings.Builder) {
	r := rand.New(rand.NewPCG(2026, 13))
	b.WriteString("id,model,input_tokens,output_tokens,total_tokens\n")
	for i := range 40 {
		in, out := 200+r.IntN(3000), 50+r.IntN(900)
		fmt.Fprintf(b, "call-%04d,some-model,%d,%d,%d\n", i, in, out, in+out)
	}
}
