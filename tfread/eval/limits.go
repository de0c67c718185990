package eval

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The limits that keep a hostile configuration from taking the machine. Going
// past one is an error that names it, never an unknown value.
const (
	MaxFile      = 4 << 20 // bytes of one file
	MaxNesting   = 500     // brackets, templates and operators inside each other
	MaxChain     = 5000    // operators, indexes and splats of one expression
	MaxBlocks    = 20_000  // blocks of one file
	MaxTokens    = 700_000 // words, signs and lines of one file
	maxRegex     = 20e6    // instructions of a regular expression × bytes of text
	MaxSteps     = 100_000 // elements visited by the loops of one expression
	MaxNodes     = 200_000 // nodes of one value
	MaxString    = 4 << 20 // bytes of one string
	MaxDepth     = 20      // modules inside each other
	MaxInstances = 10_000  // instances of one resource or module
	MaxModules   = 10_000  // module instances of one root
	MaxTotal     = 100_000 // resource instances of one root
	maxExponent  = 20_000  // binary exponent of a number
	maxPad       = 10_000  // width of a format verb
	maxCalls     = 4000    // evaluations inside each other
)

// LimitError says which limit of this program was exceeded.
type LimitError struct {
	What  string
	Limit int
	Unit  string
}

func (e *LimitError) Error() string {
	if e.Unit == "" {
		return fmt.Sprintf("limit exceeded: %s above %d", e.What, e.Limit)
	}
	return fmt.Sprintf("limit exceeded: %s above %d %s", e.What, e.Limit, e.Unit)
}

func limitDiag(rng hcl.Range, what string, limit int, unit string) hcl.Diagnostics {
	err := &LimitError{What: what, Limit: limit, Unit: unit}
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: err.Error(), Subject: &rng, Extra: err}}
}

// isLimit finds a limit error among diagnostics.
func isLimit(diags hcl.Diagnostics) (*hcl.Diagnostic, bool) {
	for _, d := range diags {
		if _, ok := d.Extra.(*LimitError); ok {
			return d, true
		}
	}
	return nil, false
}

// checkNesting measures how deeply the syntax nests without recursion. Most
// files are too small to nest too deeply, which a count of the characters that
// could open something tells; only the others are scanned.
func checkNesting(src []byte, display string, template bool) (hcl.Range, error) {
	if tokensOf(src) > MaxTokens {
		return hcl.Range{Filename: display}, &LimitError{What: "words and signs of one file", Limit: MaxTokens}
	}
	if shallow(src) {
		return hcl.Range{}, nil
	}
	var toks hclsyntax.Tokens
	start := hcl.Pos{Line: 1, Column: 1}
	if template {
		toks, _ = hclsyntax.LexTemplate(src, display, start)
	} else {
		toks, _ = hclsyntax.LexConfig(src, display, start)
	}
	// A level counts what is chained in it since the last separator: a chain
	// nests to one side in the tree.
	// Directives of templates stay open beyond their own braces.
	type level struct {
		object     bool
		chain      int
		directives int
	}
	stack := []level{{object: true}}
	total, blocks, directives := 0, 0, 0
	for i, t := range toks {
		top := &stack[len(stack)-1]
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			if t.Type == hclsyntax.TokenOBrack {
				top.chain++
				total++
			}
			if t.Type == hclsyntax.TokenOBrace && len(stack) == 1 {
				blocks++
			}
			if t.Type == hclsyntax.TokenTemplateControl && i+1 < len(toks) {
				n := opens(string(toks[i+1].Bytes))
				top.directives += n
				directives += n
			}
			stack = append(stack, level{object: t.Type == hclsyntax.TokenOBrace})
			if len(stack)+directives > MaxNesting {
				return t.Range, &LimitError{What: "nesting", Limit: MaxNesting, Unit: "levels"}
			}
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack, hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			total -= top.chain
			directives -= top.directives
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			} else {
				top.chain, top.directives = 0, 0
			}
		case hclsyntax.TokenComma:
			total -= top.chain
			top.chain = 0
		case hclsyntax.TokenNewline:
			if top.object {
				total -= top.chain
				top.chain = 0
			}
		case hclsyntax.TokenMinus, hclsyntax.TokenBang, hclsyntax.TokenQuestion:
			// These recurse in the parser.
			top.chain += MaxChain / MaxNesting
			total += MaxChain / MaxNesting
		case hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd,
			hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenGreaterThan,
			hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenDot:
			top.chain++
			total++
		case hclsyntax.TokenNumberLit:
			if len(t.Bytes) > 400 {
				return t.Range, &LimitError{What: "digits of a number", Limit: 400}
			}
		}
		if total > MaxChain {
			return t.Range, &LimitError{What: "operators of one expression", Limit: MaxChain}
		}
		if blocks > MaxBlocks {
			return t.Range, &LimitError{What: "blocks of one file", Limit: MaxBlocks}
		}
	}
	return hcl.Range{}, nil
}

// opens is how many levels a directive of a template adds.
func opens(keyword string) int {
	switch keyword {
	case "if", "for":
		return 1
	case "endif", "endfor":
		return -1
	}
	return 0
}

// tokensOf is the most that src can have of what the parsers keep apart: words,
// signs and lines. What stands in comments and strings counts as well, so that it
// takes no parser to tell.
func tokensOf(src []byte) int {
	if len(src) <= MaxTokens {
		return 0
	}
	n, inWord := 0, false
	for _, c := range src {
		word := c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
		if c != ' ' && c != '\t' && !(word && inWord) {
			n++
		}
		inWord = word
	}
	return n
}

// shallow reports that src cannot come near the limits of checkNesting,
// whatever it means. A string only nests inside another through a brace, so
// quotes need no count of their own.
func shallow(src []byte) bool {
	open, chain, digits := 0, 0, 0
	for _, c := range src {
		if '0' <= c && c <= '9' {
			if digits++; digits > 400 {
				return false
			}
			continue
		}
		digits = 0
		switch c {
		case '(', '[', '{', '?', '!', '-':
			open++
		case '+', '*', '/', '%', '&', '|', '=', '>', '<', '.':
			chain++
		}
	}
	return open <= MaxNesting/2 && chain <= MaxChain/2
}
