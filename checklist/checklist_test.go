package checklist

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"vtsize/internal/factstext"
	"vtsize/rules"
)

func answers(t *testing.T, name, text string) []List {
	t.Helper()
	d, err := factstext.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return Of(d, rules.Judge(d, rules.Options{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}))
}

var letters = map[Answer]string{Yes: "y", No: "n", NotKnown: "?"}

// Cases are facts and, in a comment "# answers: yyn?…", the thirteen answers.
func TestAnswers(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "answers.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`# answers: ([yn?]{13})\n`)
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			m := want.FindStringSubmatch(string(f.Data))
			if m == nil {
				t.Fatal("no answers")
			}
			lists := answers(t, f.Name, string(f.Data))
			if len(lists) != 1 {
				t.Fatalf("%d lists", len(lists))
			}
			got := ""
			for _, i := range lists[0].Items {
				got += letters[i.Answer]
				check(t, i)
			}
			if got != m[1] {
				t.Errorf("got  %s\nwant %s", got, m[1])
				for n, i := range lists[0].Items {
					if got[n] != m[1][n] {
						t.Errorf("%d %s: %v", i.Number, i.Answer, i.Evidence)
					}
				}
			}
		})
	}
}

// An answer never comes without evidence, and only what is not yes has a way
// to it.
func check(t *testing.T, i Item) {
	t.Helper()
	if len(i.Evidence) == 0 || i.Evidence[0].Text == "" || (i.Answer == Yes) != (i.ToYes == "") {
		t.Errorf("%d %s: evidence %v, to yes %q", i.Number, i.Answer, i.Evidence, i.ToYes)
	}
}

// A queue that only takes dead letters has no checklist.
func TestDeadLetterQueues(t *testing.T) {
	lists := answers(t, "facts", "queue orders\n consumers = none\n redrive = dead 5\nqueue dead\n consumers = none\n redrive = none\n")
	if len(lists) != 1 || lists[0].Queue.ID != "orders" {
		t.Errorf("%v", lists)
	}
}

// Of several consumers the worst answer counts, and the evidence says whose
// it is.
func TestSeveralConsumers(t *testing.T) {
	lists := answers(t, "facts", `queue orders
  visibility_timeout = 360s
  consumer lambda quick
    checkpoints = true
  consumer lambda slow
    checkpoints = false
`)
	i := lists[0].Items[6]
	if i.Answer != No || len(i.Evidence) != 2 || !strings.HasPrefix(i.Evidence[1].Text, "slow: ") {
		t.Errorf("%s: %v", i.Answer, i.Evidence)
	}
}

func TestQuestionsAreTheirOwn(t *testing.T) {
	if len(questions) != 13 {
		t.Errorf("%d questions", len(questions))
	}
	for _, q := range questions {
		if !strings.HasSuffix(q.text, "?") || q.toYes == "" || strings.HasSuffix(q.toYes, ".") {
			t.Errorf("%q, %q", q.text, q.toYes)
		}
	}
}
