package spell

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"heartbeat", "interval", "Extension", "rate"}
	for name, want := range map[string]string{
		"intervall": "interval", "INTERVAL": "interval", "extention": "Extension", "rat": "rate", "rates": "rate", "visibility": "", "": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
