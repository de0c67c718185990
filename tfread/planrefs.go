package tfread

import (
	"slices"
	"strings"
)

// linker follows the references of a plan's configuration to resources, through
// module inputs and outputs. Locals are not in a plan: what goes through one is
// not found, and the source directory has to help.
type linker struct {
	p      *planReader
	accept map[string]bool
	each   any      // the key of each.value, where it came from one
	own    bool     // the reference under way has the key of what refers
	found  []string // addresses
}

func (l *linker) add(addr string) {
	if !slices.Contains(l.found, addr) {
		l.found = append(l.found, addr)
	}
}

// follow looks at the references that an expression in a module instance has.
// self is the instance that refers, for its key.
func (l *linker) follow(module string, self *planResource, refs []string, depth int) {
	if depth > 40 {
		return
	}
	for i, ref := range refs {
		// A list has every prefix of a reference behind it.
		if i > 0 && longer(refs[i-1], ref) {
			continue
		}
		l.own = ownKey(refs, i)
		l.one(module, self, ref, depth)
	}
}

// ownKey reports that reference i is indexed with the key of the instance that
// refers: what stands in an index follows what is indexed. Any other index that
// is no constant may be any key.
func ownKey(refs []string, i int) bool {
	for n := i + 1; n < len(refs); n++ {
		if !longer(refs[n-1], refs[n]) {
			return refs[n] == "each.key" || refs[n] == "count.index"
		}
	}
	return false
}

// longer reports that ref is a prefix of the reference before it.
func longer(before, ref string) bool {
	return strings.HasPrefix(before, ref) && len(before) > len(ref) && (before[len(ref)] == '.' || before[len(ref)] == '[')
}

func (l *linker) one(module string, self *planResource, ref string, depth int) {
	parts := splitRef(ref)
	if len(parts) < 2 {
		return
	}
	cfg := l.p.config[withoutKeys(module)]
	if cfg == nil {
		return
	}
	switch parts[0] {
	case "var":
		l.variable(module, parts[1], depth)
	case "each":
		if self == nil || parts[1] == "key" { // no key is an ARN
			return
		}
		l.each = self.index
		if r := l.p.at[withoutKeys(module)+"|"+self.typ+"."+self.name]; r != nil && r.ForEachExpression != nil && r.ForEachExpression.ExpressionData != nil {
			l.follow(module, self, eachRefs(parts, r.ForEachExpression.References, self.index), depth+1)
		}
	case "module":
		l.output(module, self, parts, cfg, depth)
	case "local", "path", "terraform", "count", "self":
	case "data":
		if len(parts) >= 3 {
			l.resource(module, self, "data."+parts[1]+"."+withoutKeys(parts[2]), parts[1], parts[2])
		}
	default:
		l.resource(module, self, parts[0]+"."+withoutKeys(parts[1]), parts[0], parts[1])
	}
}

// resource finds the instance that is meant: the one whose key stands in the
// reference, the one with the key of the instance that refers, or the only one.
func (l *linker) resource(module string, self *planResource, key, typ, named string) {
	if l.accept != nil && !l.accept[typ] {
		return
	}
	all := l.p.byKey[module+"|"+key]
	if !wanted[typ] {
		l.add(joinPath(module, key)) // a stream, say: what it is matters, not which
		return
	}
	_, index, indexed := strings.Cut(named, "[")
	var same []*planResource
	for _, r := range all {
		if indexed && indexText(r.index) == "["+index || !indexed && r.index != nil && (self != nil && l.own && r.index == self.index || r.index == l.each) {
			same = append(same, r)
		}
	}
	switch {
	case len(same) == 1:
		l.add(same[0].address)
	case len(all) == 1 && !indexed:
		l.add(all[0].address)
	case len(all) > 1:
		for _, r := range all { // more than one is none
			l.add(r.address)
		}
	}
}

// variable goes to the caller of a module.
func (l *linker) variable(module, name string, depth int) {
	i := lastModule(module)
	if i < 0 {
		return
	}
	parent := strings.TrimSuffix(module[:i], ".")
	call := strings.TrimPrefix(module[i:], "module.")
	cfg := l.p.config[withoutKeys(parent)]
	if cfg == nil {
		return
	}
	mc := cfg.ModuleCalls[withoutKeys(call)]
	if mc == nil {
		return
	}
	if x := mc.Expressions[name]; x != nil && x.ExpressionData != nil {
		// each.value of the call is in what its for_each refers to.
		refs, key := x.References, callKey(call)
		if i := slices.IndexFunc(refs, func(r string) bool { return strings.HasPrefix(r, "each.") }); i >= 0 && key != nil &&
			mc.ForEachExpression != nil && mc.ForEachExpression.ExpressionData != nil {
			l.each = key.index
			refs = eachRefs(splitRef(refs[i]), mc.ForEachExpression.References, key.index)
		}
		l.follow(parent, key, refs, depth+1)
	}
}

// eachRefs is what each.value means: what its for_each refers to, and where that
// is a whole module, the output of the instance with the same key.
func eachRefs(each, refs []string, key any) []string {
	out := slices.Clone(refs)
	for i, ref := range out {
		if parts := splitRef(ref); len(parts) == 2 && parts[0] == "module" && len(each) > 2 && each[1] == "value" {
			out[i] = ref + indexText(key) + "." + each[2]
		}
	}
	return out
}

// callKey stands for the instance of a module call, for its key.
func callKey(call string) *planResource {
	_, index, ok := strings.Cut(call, "[")
	if !ok {
		return nil
	}
	index = strings.TrimSuffix(index, "]")
	if strings.HasPrefix(index, `"`) {
		return &planResource{index: strings.Trim(index, `"`)}
	}
	var n float64
	for _, c := range index {
		n = n*10 + float64(c-'0')
	}
	return &planResource{index: n}
}

// lastModule is where the innermost module call of an address begins.
func lastModule(addr string) int {
	quoted, last := false, -1
	for i := range len(addr) {
		if addr[i] == '"' {
			quoted = !quoted
		}
		if !quoted && strings.HasPrefix(addr[i:], "module.") && (i == 0 || addr[i-1] == '.') {
			last = i
		}
	}
	return last
}

// output goes into a module that is called.
func (l *linker) output(module string, self *planResource, parts []string, cfg *configModule, depth int) {
	if len(parts) < 3 {
		return
	}
	mc := cfg.ModuleCalls[withoutKeys(parts[1])]
	if mc == nil || mc.Module == nil {
		return
	}
	child := joinPath(module, "module."+parts[1])
	if !strings.Contains(parts[1], "[") && self != nil && l.own && (mc.CountExpression != nil || mc.ForEachExpression != nil) {
		child += indexText(self.index)
	}
	out := mc.Module.Outputs[withoutKeys(parts[2])]
	if out == nil || out.Expression == nil || out.Expression.ExpressionData == nil {
		return
	}
	l.follow(child, nil, out.Expression.References, depth+1)
}

// splitRef cuts a reference at its dots, leaving keys with their names.
func splitRef(s string) []string {
	var out []string
	start, depth, quoted := 0, 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '.' && depth == 0:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}
