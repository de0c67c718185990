package trace

import (
	"errors"
	"fmt"
)

// DefaultMemory is the limit of a log in bytes where Options name none: room
// for some four million messages.
const DefaultMemory = 2 << 30

// Options are limits and manners of a log.
type Options struct {
	Strict    bool // a bad line is an error
	MaxMemory int  // bytes kept; 0: [DefaultMemory]
}

// Log keeps events until all are read: their order does not matter.
type Log struct {
	opt    Options
	texts  *table
	blocks [][]record
	events int

	// What reading came across beside events.
	Bad      int       // lines that are no events
	FirstBad []BadLine // the first of them, at most five
	Skipped  int       // records and spans that say nothing about a message

	order *order // made by the first look at the messages
}

// ErrMemory is a log that is larger than the limit of memory.
var ErrMemory = errors.New("the log does not fit into the memory limit")

// NewLog makes an empty log.
func NewLog(opt Options) *Log {
	if opt.MaxMemory <= 0 {
		opt.MaxMemory = DefaultMemory
	}
	return &Log{opt: opt, texts: newTable()}
}

// Events is the number of events read.
func (l *Log) Events() int { return l.events }

// Memory is what the log keeps, in bytes: texts, events, and the order of the
// events that is made when all are read.
func (l *Log) Memory() int {
	return l.texts.size() + len(l.blocks)*recordBlock*(recordSize+4) + 8*l.texts.len()
}

// record is an event as it is kept. Texts are numbers of the table.
type record struct {
	start, end               int64
	message, delivery, queue uint32
	consumer, code, source   uint32
	count, timeout           int32
	op                       Op
	result                   result
	_                        [6]byte // up to a multiple of eight
}

const (
	recordSize  = 56 // bytes
	recordBlock = 1 << 14
)

// add keeps an event. Calls that sent or received nothing say nothing about a
// message.
func (l *Log) add(f *fields) error {
	if f.result == resultFailed && (f.op == Send || f.op == Receive) {
		l.Skipped++
		return nil
	}
	at := l.events % recordBlock
	if at == 0 {
		if l.Memory()+recordBlock*recordSize > l.opt.MaxMemory {
			return fmt.Errorf("%w of %d MB after %d events", ErrMemory, l.opt.MaxMemory>>20, l.events)
		}
		l.blocks = append(l.blocks, make([]record, recordBlock))
	}
	t := l.texts
	l.blocks[len(l.blocks)-1][at] = record{
		start: f.start, end: f.end, message: t.id(f.message), delivery: t.id(f.delivery), queue: t.id(f.queue),
		consumer: t.id(f.consumer), code: t.id(f.errorCode), source: t.id(f.from),
		count: f.count, timeout: f.timeout, op: f.op, result: f.result,
	}
	l.events++
	return nil
}

// record gives an event by its number, in the order of reading.
func (l *Log) record(i uint32) *record { return &l.blocks[i/recordBlock][i%recordBlock] }
