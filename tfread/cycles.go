package tfread

// findCycles is filled in with the reference pass.
func (rd *reader) findCycles() {}
