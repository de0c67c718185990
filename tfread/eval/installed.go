package eval

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// manifest is what init leaves behind: where each module was put.
type manifest struct {
	Modules []struct {
		Key string `json:"Key"`
		Dir string `json:"Dir"`
	} `json:"Modules"`
}

// installed finds where init has put a module, if it was run.
func (r *Root) installed(m *ModuleInst, c *ModuleCall) (string, bool) {
	if r.main.cfg.Dir == "" {
		return "", false
	}
	dirs := r.cfg.Loader.manifestOf(r.main.cfg.Dir)
	key := c.Name
	for p := m; p.Call != nil; p = p.Parent {
		key = p.Name + "." + key
	}
	dir, ok := dirs[key]
	return dir, ok
}

// manifestOf reads .terraform/modules/modules.json of a root module. A module
// outside of the root's own folder was not put there by init.
func (l *Loader) manifestOf(root string) map[string]string {
	if l.manifestRoot == root {
		return l.manifest
	}
	l.manifestRoot, l.manifest = root, map[string]string{}
	src, err := ReadFile(filepath.Join(root, ".terraform", "modules", "modules.json"), l.fence)
	if err != nil {
		return l.manifest
	}
	var f manifest
	if json.Unmarshal(src, &f) != nil {
		return l.manifest
	}
	for _, m := range f.Modules {
		dir := filepath.Join(root, filepath.FromSlash(m.Dir))
		if m.Key != "" && strings.HasPrefix(filepath.ToSlash(filepath.Clean(m.Dir)), ".terraform/modules/") {
			l.manifest[m.Key] = dir
		}
	}
	return l.manifest
}
