package tfread

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Bytes reads a plan or state that is in memory; name is what positions call it.
func Bytes(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	text := bytes.TrimLeft(src, " \t\r\n")
	switch {
	case len(text) == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(src, []byte("PK\x03\x04")):
		return nil, ErrBinaryPlan // a zip file: a saved plan
	case text[0] != '{':
		if !utf8.Valid(src[:min(len(src), 512)]) {
			return nil, fmt.Errorf("%w: neither configuration nor the JSON of a plan or state", ErrNoTerraform)
		}
		return nil, fmt.Errorf("%w: neither configuration nor the JSON of a plan or state; configuration files end in .tf, .tofu or .tf.json", ErrNoTerraform)
	}
	top, err := topLevel(src)
	if err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	switch {
	case top["planned_values"], top["resource_changes"]:
		return planJSON(ctx, name, src, opt)
	case top["values"] && top["format_version"]:
		return stateJSON(ctx, name, src, opt)
	case top["format_version"]:
		return stateJSON(ctx, name, src, opt) // an empty state has no values
	case top["terraform_version"] && top["serial"]:
		return nil, errors.New(`a raw state file; make JSON of it with "terraform show -json > state.json"`)
	}
	return nil, fmt.Errorf("%w: the JSON is neither a plan nor a state as \"terraform show -json\" prints them", ErrNoTerraform)
}

// maxDepth bounds the nesting of JSON that is decoded.
const maxDepth = 500

// topLevel lists the keys of a JSON object without decoding it, and measures
// how deeply it nests.
func topLevel(src []byte) (map[string]bool, error) {
	keys := map[string]bool{}
	depth, start := 0, 0
	inString := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			if inString = !inString; inString {
				start = i + 1
			} else if depth == 1 && isKey(src[i+1:]) {
				keys[string(src[start:i])] = true
			}
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return nil, fmt.Errorf("limit exceeded: nesting above %d levels", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if depth != 0 || inString {
		return nil, errors.New("it ends too early")
	}
	return keys, nil
}

// typeOf reads the "type" of a JSON object without decoding the rest of it.
func typeOf(raw []byte) string {
	depth, start := 0, 0
	inString, found := false, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			if inString = !inString; inString {
				start = i + 1
				continue
			}
			if depth != 1 {
				continue
			}
			if found {
				return string(raw[start:i])
			}
			found = string(raw[start:i]) == "type" && isKey(raw[i+1:])
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return ""
}

// isKey reports that a colon follows.
func isKey(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}
