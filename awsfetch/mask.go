package awsfetch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// accountIn finds account ids in ARNs and in the URLs of queues.
var accountIn = regexp.MustCompile(`arn:[a-z-]+:[a-z0-9-]*:[a-z0-9-]*:([0-9]{12}):|://[^/"]+/(?:[^"]*/)?([0-9]{12})/`)

// Mask returns a copy with other account ids: 000000000001 for the first, and
// so on. An id is replaced wherever it stands, in names and policies too, so
// that what belongs together still does.
func (s *Snapshot) Mask() (*Snapshot, error) {
	b, err := s.encode()
	if err != nil {
		return nil, fmt.Errorf("mask snapshot: %w", err)
	}
	var ids []string
	for _, found := range accountIn.FindAllSubmatch(b, -1) {
		id := string(found[1]) + string(found[2])
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // as they are written: none is rounded
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("mask snapshot: %w", err)
	}
	if b, err = json.Marshal(maskStrings(tree, masker(ids))); err != nil {
		return nil, fmt.Errorf("mask snapshot: %w", err)
	}
	masked := new(Snapshot)
	if err := json.Unmarshal(b, masked); err != nil {
		return nil, fmt.Errorf("mask snapshot: %w", err)
	}
	masked.Masked = true
	masked.sort()
	return masked, nil
}

// masker replaces all ids in one pass, so that one fake id that equals a real
// one is not replaced again.
func masker(ids []string) *strings.Replacer {
	var pairs []string
	for i, id := range ids {
		pairs = append(pairs, id, fmt.Sprintf("%012d", i+1))
	}
	return strings.NewReplacer(pairs...)
}

func maskStrings(node any, ids *strings.Replacer) any {
	switch node := node.(type) {
	case string:
		return ids.Replace(node)
	case []any:
		for i := range node {
			node[i] = maskStrings(node[i], ids)
		}
		return node
	case map[string]any:
		masked := make(map[string]any, len(node))
		for key, v := range node {
			masked[ids.Replace(key)] = maskStrings(v, ids)
		}
		return masked
	}
	return node
}
