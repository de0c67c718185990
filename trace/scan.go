package trace

// scan reads an event in the form in which programs write it: one flat object
// of strings without escapes and whole numbers. It is false for anything else,
// right or wrong, which [decode] then looks at; what scan takes, decode reads
// in the same way (a fuzz test holds them to that).
func (f *fields) scan(line []byte) bool {
	f.clear()
	s := scanner{b: line}
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return s.atEnd()
	}
	for {
		key, ok := s.text()
		if !ok || !s.take(':') || !s.value() || !f.set(key, &s) {
			return false
		}
		if s.take(',') {
			continue
		}
		return s.take('}') && s.atEnd()
	}
}

// set takes in the value that was just read.
func (f *fields) set(key []byte, s *scanner) bool {
	switch string(key) {
	case "op":
		var ok bool
		f.op, ok = parseOp(s.str)
		return ok
	case "start":
		return s.time(&f.start, &f.hasStart)
	case "end":
		return s.time(&f.end, &f.hasEnd)
	case "queue":
		return s.into(&f.queue)
	case "message":
		return s.into(&f.message)
	case "delivery":
		return s.into(&f.delivery)
	case "consumer":
		return s.into(&f.consumer)
	case "error_code":
		return s.into(&f.errorCode)
	case "source_queue":
		return s.into(&f.from)
	case "receive_count":
		return s.number(&f.count)
	case "timeout_seconds":
		return s.number(&f.timeout)
	case "result":
		switch string(s.str) {
		case "ok":
			f.result = resultOK
		case "failed":
			f.result = resultFailed
		default:
			return false
		}
	case "Records", "resourceSpans", "eventSource":
		return false // another kind of line
	}
	return true
}

// scanner goes over one line; the value read last is in kind, str and num.
type scanner struct {
	b    []byte
	at   int
	kind byte // '"' a string, '0' a number, 'n' null
	str  []byte
	num  int32
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) atEnd() bool {
	s.space()
	return s.at == len(s.b)
}

// take passes over a character, and spaces before it.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// text reads a string of plain ASCII.
func (s *scanner) text() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	from := s.at
	for i, c := range s.b[from:] {
		if c == '"' {
			s.at = from + i + 1
			return s.b[from : from+i], true
		}
		if c == '\\' || c < 0x20 || c >= 0x80 {
			return nil, false
		}
	}
	return nil, false
}

// value reads a string, a whole number or null.
func (s *scanner) value() bool {
	s.space()
	if s.at == len(s.b) {
		return false
	}
	s.str = nil
	switch c := s.b[s.at]; {
	case c == '"':
		s.kind = '"'
		var ok bool
		s.str, ok = s.text()
		return ok
	case c == 'n':
		s.kind = 'n'
		if s.at+4 > len(s.b) || string(s.b[s.at:s.at+4]) != "null" {
			return false
		}
		s.at += 4
		return true
	case c >= '0' && c <= '9':
		return s.wholeNumber()
	}
	return false
}

// wholeNumber reads up to nine digits; a sign, a fraction or an exponent after
// them is not for here.
func (s *scanner) wholeNumber() bool {
	s.kind, s.num = '0', 0
	from := s.at
	for s.at < len(s.b) && s.b[s.at] >= '0' && s.b[s.at] <= '9' {
		s.num = s.num*10 + int32(s.b[s.at]-'0')
		s.at++
		if s.at-from > 9 {
			return false
		}
	}
	if s.b[from] == '0' && s.at-from > 1 || s.at == len(s.b) {
		return false
	}
	c := s.b[s.at]
	return c != '.' && c != 'e' && c != 'E'
}

func (s *scanner) into(dst *[]byte) bool {
	*dst = s.str
	return s.kind != '0'
}

func (s *scanner) time(dst *int64, has *bool) bool {
	n, ok := parseTime(s.str)
	*dst, *has = n, ok
	return ok
}

func (s *scanner) number(dst *int32) bool {
	if s.kind == 'n' {
		*dst = none
		return true
	}
	*dst = s.num
	return s.kind == '0'
}
