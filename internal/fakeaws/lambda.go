package fakeaws

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Function is a Lambda function.
type Function struct {
	Name        string
	Timeout     int            // seconds, of $LATEST
	Qualified   map[string]int // timeouts of versions and aliases
	Reserved    *int           // reserved concurrency; nil: none
	Environment map[string]string
}

// ARN is the function's ARN, with the qualifier unless it is empty.
func (f *Function) ARN(qualifier string) string {
	arn := "arn:aws:lambda:us-east-1:" + Account + ":function:" + f.Name
	if qualifier != "" {
		arn += ":" + qualifier
	}
	return arn
}

// Mapping is an event source mapping; nil settings are left out.
type Mapping struct {
	UUID               string
	Source             string // ARN
	Function           string // ARN
	State              string
	BatchSize, Window  *int
	MaximumConcurrency *int
	MaximumPollers     *int
	ResponseTypes      []string
}

const (
	mappingsPath  = "/2015-03-31/event-source-mappings"
	functionsPath = "/2015-03-31/functions/"
	reservedPath  = "/2019-09-30/functions/"
)

func lambdaOperation(r *http.Request) string {
	path := strings.TrimSuffix(r.URL.Path, "/")
	switch {
	case r.Method != http.MethodGet:
	case path == mappingsPath:
		return "ListEventSourceMappings"
	case strings.HasPrefix(path, functionsPath) && strings.HasSuffix(path, "/configuration"):
		return "GetFunctionConfiguration"
	case strings.HasPrefix(path, reservedPath) && strings.HasSuffix(path, "/concurrency"):
		return "GetFunctionConcurrency"
	}
	return r.Method + " " + r.URL.Path
}

func (s *Server) lambda(w http.ResponseWriter, r *http.Request, call *Call, operation string) {
	query := r.URL.Query()
	name := ""
	if parts := strings.Split(r.URL.Path, "/"); len(parts) > 3 {
		name, _ = url.PathUnescape(parts[3])
	}
	call.About = either(name, either(query.Get("EventSourceArn"), query.Get("FunctionName")))
	if how := s.record(call); how != nil {
		how(w, "lambda")
		return
	}
	if operation == "ListEventSourceMappings" {
		s.listMappings(w, query)
		return
	}
	for i := range s.Functions {
		if f := &s.Functions[i]; f.Name == name {
			f.describe(w, operation, query.Get("Qualifier"))
			return
		}
	}
	fail(w, "lambda", http.StatusNotFound, "ResourceNotFoundException", "Function not found: "+name)
}

func (f *Function) describe(w http.ResponseWriter, operation, qualifier string) {
	switch operation {
	case "GetFunctionConfiguration":
		timeout, ok := f.Timeout, true
		if qualifier != "" && qualifier != "$LATEST" {
			timeout, ok = f.Qualified[qualifier]
		}
		if !ok {
			fail(w, "lambda", http.StatusNotFound, "ResourceNotFoundException", "Function not found: "+f.ARN(qualifier))
			return
		}
		writeJSON(w, map[string]any{"FunctionName": f.Name, "FunctionArn": f.ARN(qualifier), "Timeout": timeout,
			"Environment": map[string]any{"Variables": f.Environment}})
	case "GetFunctionConcurrency":
		out := map[string]any{}
		if f.Reserved != nil {
			out["ReservedConcurrentExecutions"] = *f.Reserved
		}
		writeJSON(w, out)
	default:
		fail(w, "lambda", http.StatusBadRequest, "InvalidAction", operation)
	}
}

// listMappings finds those of the function exactly as named: whether AWS also
// gives those of versions and aliases for the plain name, it does not say.
func (s *Server) listMappings(w http.ResponseWriter, query url.Values) {
	source, name := query.Get("EventSourceArn"), query.Get("FunctionName")
	var found []Mapping
	for _, m := range s.Mappings {
		function := m.Function[strings.Index(m.Function, ":function:")+len(":function:"):]
		if (source == "" || source == m.Source) && (name == "" || name == function || name == m.Function) {
			found = append(found, m)
		}
	}
	size, _ := strconv.Atoi(query.Get("MaxItems"))
	if size == 0 || size > 100 {
		size = 100
	}
	if s.PageSize > 0 {
		size = min(size, s.PageSize)
	}
	token, _ := strconv.Atoi(query.Get("Marker"))
	found, next := page(found, token, size)
	list := []any{}
	for _, m := range found {
		list = append(list, m.json())
	}
	out := map[string]any{"EventSourceMappings": list}
	if next > 0 {
		out["NextMarker"] = strconv.Itoa(next)
	}
	writeJSON(w, out)
}

func (m Mapping) json() map[string]any {
	out := map[string]any{"UUID": m.UUID, "EventSourceArn": m.Source, "FunctionArn": m.Function, "State": either(m.State, "Enabled")}
	if m.BatchSize != nil {
		out["BatchSize"] = *m.BatchSize
	}
	if m.Window != nil {
		out["MaximumBatchingWindowInSeconds"] = *m.Window
	}
	if m.MaximumConcurrency != nil {
		out["ScalingConfig"] = map[string]any{"MaximumConcurrency": *m.MaximumConcurrency}
	}
	if m.MaximumPollers != nil {
		out["ProvisionedPollerConfig"] = map[string]any{"MinimumPollers": 2, "MaximumPollers": *m.MaximumPollers}
	}
	if m.ResponseTypes != nil {
		out["FunctionResponseTypes"] = m.ResponseTypes
	}
	return out
}
