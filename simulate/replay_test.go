package simulate

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

const second = time.Second

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

type vectorEvent struct {
	At      float64  `json:"at_seconds"`
	Event   string   `json:"event"`
	Receipt int      `json:"receipt"`
	Until   *float64 `json:"until_seconds"`
}

type vector struct {
	Name  string
	Input struct {
		VT       float64
		Step     float64
		MaxRC    int
		HB       float64
		Ext      float64
		Key      bool
		Crash    float64 `json:"crash_after"`
		BeatLost []int   `json:"beat_lost"`
	}
	Want struct {
		Receives     int
		Effects      int
		Deleted      *float64 `json:"deleted_at_seconds"`
		DeadLettered *float64 `json:"dead_lettered_at_seconds"`
		Work         float64  `json:"work_seconds"`
		Useful       float64  `json:"useful_seconds"`
		Events       []vectorEvent
	}
}

func (v vector) input() ReplayInput {
	return ReplayInput{
		VisibilityTimeout: seconds(v.Input.VT), Step: seconds(v.Input.Step), MaxReceiveCount: v.Input.MaxRC,
		Heartbeat: Heartbeat{Interval: seconds(v.Input.HB), Extension: seconds(v.Input.Ext)},
		LoseBeats: v.Input.BeatLost, CrashAfter: seconds(v.Input.Crash), IdempotencyKey: v.Input.Key,
	}
}

// vectors are the timelines of an independent model.
func vectors(t *testing.T) []vector {
	t.Helper()
	b, err := os.ReadFile("testdata/replay.json")
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	if err := json.Unmarshal(b, &vs); err != nil {
		t.Fatal(err)
	}
	if len(vs) == 0 {
		t.Fatal("no vectors")
	}
	return vs
}

func at(d *time.Duration) string {
	if d == nil {
		return "never"
	}
	return fmt.Sprint(d.Seconds())
}

func atFloat(s *float64) string {
	if s == nil {
		return "never"
	}
	return fmt.Sprint(*s)
}

func TestReplayVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			in := v.input()
			if err := in.Validate(); err != nil {
				t.Fatal(err)
			}
			got := Replay(in)
			var lines, want []string
			for _, e := range got.Events {
				lines = append(lines, fmt.Sprint(e.At.Seconds(), " ", e.Kind, " ", e.Receipt, " ", e.Until.Seconds()))
			}
			for _, e := range v.Want.Events {
				until := 0.0
				if e.Until != nil {
					until = *e.Until
				}
				want = append(want, fmt.Sprint(e.At, " ", e.Event, " ", e.Receipt, " ", until))
			}
			if !slices.Equal(lines, want) {
				t.Errorf("events\n%q\nwant\n%q", lines, want)
			}
			w := v.Want
			if got.Receives != w.Receives || got.Effects != w.Effects || got.Work.Seconds() != w.Work || got.Useful.Seconds() != w.Useful ||
				at(got.DeletedAt) != atFloat(w.Deleted) || at(got.DeadLetteredAt) != atFloat(w.DeadLettered) {
				t.Errorf("got %+v, want %+v", got, w)
			}
		})
	}
}

func kinds(r ReplayResult) []EventKind {
	var ks []EventKind
	for _, e := range r.Events {
		ks = append(ks, e.Kind)
	}
	return ks
}

// The twelve hours end 43,200 s after the receive; a beat that asks for more
// is refused and leaves what the message has.
func TestReplayRefusesPastTwelveHours(t *testing.T) {
	r := Replay(ReplayInput{VisibilityTimeout: 43_000 * second, Step: 50_000 * second, MaxReceiveCount: 1,
		Heartbeat: Heartbeat{Interval: 21_600 * second, Extension: 21_601 * second}})
	want := []EventKind{Received, ExtendRefused, Expired, DeadLettered, ExtendStale, Effect, DeleteStale}
	if got := kinds(r); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	if got := r.Events[2].At; got != 43_000*second {
		t.Errorf("expiry at %v, want the receive's own 43,000 s", got)
	}
	r = Replay(ReplayInput{VisibilityTimeout: 43_000 * second, Step: 43_199 * second, MaxReceiveCount: 1,
		Heartbeat: Heartbeat{Interval: 21_600 * second, Extension: 21_600 * second}})
	if got, want := kinds(r), []EventKind{Received, Extended, Effect, Deleted}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v: 43,200 s in all is allowed", got, want)
	}
}

func TestReplayDeadlineGivesTheStepUp(t *testing.T) {
	r := Replay(ReplayInput{VisibilityTimeout: 30 * second, Step: 100 * second, MaxReceiveCount: 2, StepDeadline: 40 * second,
		Heartbeat: Heartbeat{Interval: 10 * second}})
	if r.Effects != 0 || r.Receives != 2 || r.Work != 80*second || r.Useful != 0 || at(r.DeadLetteredAt) != "120" {
		t.Errorf("%+v", r)
	}
	if r.FalseDeadLetter() {
		t.Error("the work never succeeded, so the dead letter is a true one")
	}
	if r = Replay(ReplayInput{VisibilityTimeout: 60 * second, Step: 40 * second, StepDeadline: 40 * second}); r.Effects != 1 {
		t.Error("a step that ends with its deadline is done")
	}
}

// A worker that dies as its step ends has no effect.
func TestReplayCrashAtTheEnd(t *testing.T) {
	in := ReplayInput{VisibilityTimeout: 60 * second, Step: 45 * second, MaxReceiveCount: 1, CrashAfter: 45 * second}
	if got, want := kinds(Replay(in)), []EventKind{Received, Crashed, Expired, DeadLettered}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	in.CrashAfter = 46 * second
	if got, want := kinds(Replay(in)), []EventKind{Received, Effect, Deleted}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v: the step was over before", got, want)
	}
}

func TestReplayStaleDeleteRemoves(t *testing.T) {
	r := Replay(ReplayInput{VisibilityTimeout: 30 * second, Step: 45 * second, MaxReceiveCount: 5, StaleDelete: StaleDeleteRemoves})
	want := []EventKind{Received, Expired, Received, Effect, Deleted, Effect, DeleteStale}
	if got := kinds(r); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	if at(r.DeletedAt) != "45" || r.Effects != 2 {
		t.Errorf("%+v", r)
	}
}

func TestReplayRetentionEndsAMessageWithoutDeadLetterQueue(t *testing.T) {
	r := Replay(ReplayInput{VisibilityTimeout: 30 * second, Step: 45 * second, Retention: 60 * second})
	want := []EventKind{Received, Expired, Received, Effect, DeleteStale, RetentionOver, Effect, DeleteStale}
	if got := kinds(r); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

func TestReplayEndsWithoutATimeout(t *testing.T) {
	r := Replay(ReplayInput{VisibilityTimeout: 0, Step: second})
	if !r.Cut || len(r.Events) < MaxReplayEvents {
		t.Errorf("%d events, cut %v", len(r.Events), r.Cut)
	}
	if r = Replay(ReplayInput{VisibilityTimeout: 0, Step: second, MaxReceiveCount: 3}); r.Cut || r.Effects != 3 || at(r.DeadLetteredAt) != "0" {
		t.Errorf("%+v", r)
	}
}

func TestConsumerNames(t *testing.T) {
	for receipt, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 702: "ZZ", 703: "AAA"} {
		if got := Consumer(receipt); got != want {
			t.Errorf("Consumer(%d) = %s, want %s", receipt, got, want)
		}
	}
}

func TestReplayInputValidate(t *testing.T) {
	good := ReplayInput{VisibilityTimeout: 30 * second, Step: 45 * second}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*ReplayInput){
		"timeout above twelve hours":  func(in *ReplayInput) { in.VisibilityTimeout = 43_201 * second },
		"negative timeout":            func(in *ReplayInput) { in.VisibilityTimeout = -1 },
		"no step":                     func(in *ReplayInput) { in.Step = 0 },
		"step of a month":             func(in *ReplayInput) { in.Step = 30 * 24 * time.Hour },
		"receives":                    func(in *ReplayInput) { in.MaxReceiveCount = -1 },
		"too many receives":           func(in *ReplayInput) { in.MaxReceiveCount = 1001 },
		"negative crash":              func(in *ReplayInput) { in.CrashAfter = -1 },
		"retention":                   func(in *ReplayInput) { in.Retention = second },
		"lost beats without any":      func(in *ReplayInput) { in.LoseBeats = []int{1} },
		"beat 0":                      func(in *ReplayInput) { in.Heartbeat.Interval, in.LoseBeats = second, []int{0} },
		"extension without heartbeat": func(in *ReplayInput) { in.Heartbeat.Extension = second },
		"extension above":             func(in *ReplayInput) { in.Heartbeat = Heartbeat{second, 43_201 * second} },
		"unknown reading":             func(in *ReplayInput) { in.StaleDelete = "perhaps" },
		"fifo removing":               func(in *ReplayInput) { in.FIFO, in.StaleDelete = true, StaleDeleteRemoves },
	} {
		in := good
		change(&in)
		if in.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
