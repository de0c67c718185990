package sizing

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// The numbers as FACTS has them: a MassTransit queue of 300 s is cut to 60 s
// and then renewed each 42 s; Shoryuken beats 5 s before the end.
func TestFrameworkBeats(t *testing.T) {
	for _, tt := range []struct {
		name    string
		timeout time.Duration
		want    Rhythm
	}{
		{"masstransit", 300 * time.Second, Rhythm{42 * time.Second, 60 * time.Second, 0}},
		{"masstransit", 30 * time.Second, Rhythm{21 * time.Second, 30 * time.Second, 0}},
		{"shoryuken", 60 * time.Second, Rhythm{55 * time.Second, 60 * time.Second, 0}},
		{"shoryuken", 5 * time.Second, Rhythm{2500 * time.Millisecond, 5 * time.Second, 0}},
		{"aws-messaging-dotnet", 300 * time.Second, Rhythm{time.Second, 30 * time.Second, 5 * time.Second}},
		{"redpanda-connect", 300 * time.Second, Rhythm{time.Second, 30 * time.Second, 15 * time.Second}},
	} {
		f, ok := FrameworkNamed(tt.name)
		if !ok {
			t.Fatalf("no framework %s", tt.name)
		}
		if got := f.Renewal.Rule(tt.timeout); got != tt.want {
			t.Errorf("%s at %v: %v, want %v", tt.name, tt.timeout, got, tt.want)
		}
	}
}

func TestFrameworksAreDescribed(t *testing.T) {
	if !slices.IsSortedFunc(Frameworks, func(a, b Framework) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not sorted by name")
	}
	for _, f := range Frameworks {
		if f.Title == "" || f.Version == "" || f.Read == "" || f.Files == "" || f.Sure == "" || f.Renewal.Kind == "" || !strings.HasPrefix(f.Source, "https://") {
			t.Errorf("%s is not fully described", f.Name)
		}
		if f.Renewal.Kind != NoRenewal && f.Renewal.Text == "" {
			t.Errorf("%s: its renewal has no words", f.Name)
		}
	}
}
