package tfread

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// queueOf makes a configuration whose only fact is an expression.
func queueOf(x string) string {
	return "resource \"aws_sqs_queue\" \"q\" {\n  visibility_timeout_seconds = " + x + "\n}\n"
}

func repeated(s string, n int) string { return strings.Repeat(s, n) }

// hostile are inputs that would take the machine, each with what has to be said
// about it.
var hostile = []struct{ name, main, want string }{
	{"parentheses", queueOf(repeated("(", 100_000) + "1" + repeated(")", 100_000)), "nesting above"},
	{"brackets", queueOf(repeated("[", 100_000) + repeated("]", 100_000)), "nesting above"},
	{"braces", queueOf(repeated("{a=", 100_000) + "1" + repeated("}", 100_000)), "nesting above"},
	{"minus", queueOf(repeated("-", 100_000) + "1"), "operators of one expression above"},
	{"minus with comments", queueOf(repeated("-/* */", 100_000) + "1"), "operators of one expression above"},
	{"not", queueOf(repeated("!", 100_000) + "true"), "operators of one expression above"},
	{"conditionals", queueOf(repeated("true ? 1 : ", 100_000) + "1"), "operators of one expression above"},
	{"interpolation", queueOf(repeated(`"${`, 100_000) + "1" + repeated(`}"`, 100_000)), "nesting above"},
	{"closers in strings", queueOf(repeated(`(["))))"][0] == "" ? 1 : `, 20_000) + "1" + repeated(")", 20_000)), "above"},
	{"parentheses and a suppression", "# vtsize:ignore VT301 x\n" + queueOf(repeated("(", 1_000_000)), "words and signs of one file above"},
	{"minus and a suppression", "# vtsize:ignore VT301 x\n" + queueOf(repeated("-", 1_000_000)+"1"), "operators of one expression above"},
	{"many suppressions", repeated("# vtsize:ignore VT301\n", 50_000) + repeated("# vtsize:ignore VT301 x\n", 40_000) + queueOf("1"), "has no reason"},
	{"directives", queueOf(`length("` + repeated("%{ if true }", 100_000) + `")`), "nesting above"},
	{"directives in heredoc", "locals {\n  a = <<-EOT\n" + repeated("%{ for x in [1] }\n", 50_000) + "EOT\n}\n" + queueOf("length(local.a)"), "nesting above"},
	{"no characters", repeated("\x00", 4_000_000), "words and signs of one file above"},
	{"elements", queueOf("length([" + repeated("1,", 2_000_000) + "])"), "words and signs of one file above"},
	{"empty lines", repeated("\n", 4_000_000), "words and signs of one file above"},
	{"regular expression", queueOf(`length(regexall("` + repeated("(a?)", 5000) + `", "` + repeated("a", 100_000) + `"))`), "regular expression times"},
	{"splats", queueOf("local.a" + repeated("[*][local.b]", 50_000)), "operators of one expression above"},
	{"sum", queueOf("1" + repeated("+1", 300_000)), "operators of one expression above"},
	{"calls", queueOf(repeated("abs(", 50_000) + "1" + repeated(")", 50_000)), "nesting above"},
	{"doubling strings", doubling(`"${local.a%d}${local.a%d}"`, `"aaaaaaaaaaaaaaaa"`) + queueOf("length(local.a32)"), "length of a string above"},
	{"doubling lists", doubling(`[local.a%d, local.a%d]`, "1") + queueOf("length(local.a32)"), "elements of one value above"},
	{"doubling numbers", doubling(`local.a%d * local.a%d`, "10") + queueOf("local.a32"), "exponent of a number above"},
	{"setproduct", queueOf("length(setproduct(range(1000), range(1000), range(100)))"), "elements of one value above"},
	{"nested for", queueOf("length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]])"), "elements visited by one expression above"},
	{"flat for", queueOf("length(flatten([for a in range(1000) : range(1000)]))"), "above"},
	{"exponent", queueOf("1e999999999"), "exponent of a number above"},
	{"exponent as text", queueOf(`"${"1e999999999" + 1}"`), "exponent of a number above"},
	{"exponent in JSON", queueOf(`jsondecode("1e999999999")`), "exponent of a number above"},
	{"digits", queueOf(repeated("9", 3_000_000)), "digits of a number above"},
	{"width", queueOf(`length(format("%1000000000d", 1))`), "width in a format above"},
	{"width argument", queueOf(`length(format("%*d", 1000000000, 1))`), "not_resolved"},
	{"precision", queueOf(`length(format("%.1000000000f", 1))`), "width in a format above"},
	{"indent", queueOf(`length(indent(1000000000, "a\nb"))`), "indentation above"},
	{"join", queueOf(`length(join(join("x", range(1000)), flatten([for i in range(90) : range(1000)])))`), "above"},
	{"replace", "locals {\n  a = join(\"\", [for i in range(1000) : \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"])\n}\n" + queueOf(`length(replace(local.a, "", local.a))`), "length of a string above"},
	{"blocks", repeated("locals {}\n", 200_000), "of one file above"},
	{"resources", manyResources(30_000), "blocks of one file above"},
	{"count", "resource \"aws_sqs_queue\" \"q\" {\n  count = 1000000\n}\n", "count above"},
	{"large file", repeated("# comment\n", 600_000), "file size above"},
	{"JSON nesting", queueOf(`jsondecode(replace(join("", [for i in range(1000) : "[[[[["]), "x", ""))`), "nesting above"},
	{"YAML aliases", "locals {\n  y = <<-EOT\n    a: &a [x, x, x, x, x, x, x, x, x]\n" + aliases() + "  EOT\n}\n" + queueOf("length(yamldecode(local.y))"), "aliases in YAML above"},
	{"long chain of locals", chain(30_000) + queueOf("local.a30000"), "evaluations inside each other above"},
	{"self in text", queueOf(`length("vtqaaaaaaqtv")`), "uses for unknown values"},
	{"template", "", "nesting above"}, // with a file beside it
}

func doubling(format, start string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "locals {\n  a0 = %s\n", start)
	for i := 1; i <= 32; i++ {
		fmt.Fprintf(&b, "  a%d = "+format+"\n", i, i-1, i-1)
	}
	return b.String() + "}\n"
}

func manyResources(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "resource \"aws_sqs_queue\" \"q%d\" {\n  name = \"q%d\"\n}\n", i, i)
	}
	return b.String()
}

func aliases() string {
	var b strings.Builder
	for c := 'b'; c < 'j'; c++ {
		fmt.Fprintf(&b, "    %c: &%c [", c, c)
		b.WriteString(strings.TrimSuffix(repeated(fmt.Sprintf("*%c, ", c-1), 9), ", "))
		b.WriteString("]\n")
	}
	return b.String()
}

func chain(n int) string {
	var b strings.Builder
	b.WriteString("locals {\n  a0 = 1\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "  a%d = local.a%d\n", i, i-1)
	}
	return b.String() + "}\n"
}

func TestHostile(t *testing.T) {
	for _, tt := range hostile {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			main := tt.main
			if tt.name == "template" {
				main = queueOf(`length(templatefile("t.tpl", {}))`)
				writeFile(t, dir, "t.tpl", repeated("${[", 50_000))
			}
			writeFile(t, dir, "main.tf", main)
			said := run(t, dir)
			if !strings.Contains(said, tt.want) {
				t.Errorf("nothing is said of %q:\n%.400s", tt.want, said)
			}
		})
	}
}

// run reads a directory and returns all that is said of it. It fails the test
// when that takes far too long or far too much memory.
func run(t *testing.T, dir string) string {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	res, err := Read(t.Context(), dir, Options{})
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if took > 30*time.Second { // 2 s on a quiet machine
		t.Errorf("took %v", took)
	}
	t.Logf("%v, %d MB allocated in all", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, p := range res.Problems {
		fmt.Fprintln(&b, p.Kind, p)
	}
	for _, q := range res.Deployment.Queues {
		if !q.VisibilityTimeout.IsKnown() {
			fmt.Fprintln(&b, q.VisibilityTimeout.Cause(), q.VisibilityTimeout.Origin().Detail)
		}
	}
	return b.String()
}

func writeFile(t testing.TB, dir, name, src string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
}
