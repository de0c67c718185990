package sizing

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func seconds(s float64) time.Duration { return time.Duration(s*1e6+0.5) * time.Microsecond }

func load(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// The expected values were computed by an independent model of the formulas.
func TestSizingVectors(t *testing.T) {
	var cases []struct {
		Name  string
		Input struct {
			Stages []struct {
				P99      float64
				Attempts int
				Backoff  []float64
			}
			Write, Overhead    float64
			Batch, Concurrency int
		}
		Want struct {
			MessageFloor float64 `json:"message_floor_seconds"`
			Multiplier   int     `json:"batch_multiplier"`
			Floor        float64 `json:"floor_seconds"`
			Timeout      float64 `json:"visibility_timeout_seconds"`
		}
	}
	load(t, "sizing.json", &cases)
	if len(cases) == 0 {
		t.Fatal("no vectors")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var stages []Stage
			for _, s := range c.Input.Stages {
				stages = append(stages, Stage{Latency: seconds(s.P99), Attempts: s.Attempts, Backoff: waits(s.Backoff...)})
			}
			floor := MessageFloor(PerCall, stages, seconds(c.Input.Overhead), seconds(c.Input.Write))
			k := Batch{Size: c.Input.Batch, Concurrency: c.Input.Concurrency}.Multiplier()
			hold := Sum(StartWait(0, k, floor), floor)
			if floor != seconds(c.Want.MessageFloor) || k != c.Want.Multiplier || hold != seconds(c.Want.Floor) {
				t.Errorf("message floor %v, multiplier %d, floor %v; want %+v", floor, k, hold, c.Want)
			}
			if got := VisibilityTimeout(hold, 0); got != seconds(c.Want.Timeout) {
				t.Errorf("timeout %v, want %v s", got, c.Want.Timeout)
			}
		})
	}
}

func TestHeartbeatVectors(t *testing.T) {
	var cases []struct {
		Input struct {
			Extension float64
			Interval  *float64
		}
		Want struct {
			ExtendTo float64 `json:"extend_to_seconds"`
			Interval float64 `json:"interval_seconds"`
			Beats    int     `json:"beats_before_expiry"`
			Lost     int     `json:"lost_beats_survived"`
			InTime   bool    `json:"extends_in_time"`
		}
	}
	load(t, "heartbeat.json", &cases)
	if len(cases) == 0 {
		t.Fatal("no vectors")
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			extension := seconds(c.Input.Extension)
			interval := Interval(extension)
			if c.Input.Interval != nil {
				interval = seconds(*c.Input.Interval)
			}
			beats, lost := Beats(extension, interval), LostBeatsSurvived(extension, interval)
			if extension != seconds(c.Want.ExtendTo) || interval != seconds(c.Want.Interval) || beats != c.Want.Beats ||
				lost != c.Want.Lost || (beats > 0) != c.Want.InTime {
				t.Errorf("interval %v, beats %d, lost %d; want %+v", interval, beats, lost, c.Want)
			}
		})
	}
}
