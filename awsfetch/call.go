package awsfetch

import (
	"context"
	"sync"
)

// callsAtOnce bounds how many calls run at the same time. Lambda's control
// plane allows 15 a second for an account and region, all callers together.
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (read 2026-11-30)
const callsAtOnce = 8

// caller makes all calls of one Fetch: so many at once, counted, and none
// after one has shown that no further call makes sense.
type caller struct {
	slots    chan struct{}
	giveUp   context.CancelCauseFunc
	progress func(done, started int, action string)

	mu            sync.Mutex
	done, started int
}

// ask makes one call. A failure is what its facts become; ok is false after a
// failure and after an error that ends everything, which is then the cause of
// the context.
func ask[T any](ctx context.Context, c *caller, action string, call func(context.Context) (T, error)) (answer T, failure *Failure, ok bool) {
	c.count(action, 0, 1)
	defer c.count(action, 1, 0)
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return answer, nil, false
	}
	answer, err := call(ctx)
	if err == nil {
		return answer, nil, true
	}
	failure, fatal := classify(action, err)
	if fatal && ctx.Err() == nil {
		c.giveUp(fatalError(err))
	}
	return answer, failure, false
}

func (c *caller) count(action string, done, started int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += done
	c.started += started
	if c.progress != nil {
		c.progress(c.done, c.started, action)
	}
}

// pages makes calls until the last page, collecting what each one holds. Two
// equal tokens in a row would never end: they are taken as a broken answer.
func pages[T any](ctx context.Context, c *caller, action string, page func(ctx context.Context, token *string) ([]T, *string, error)) Read[[]T] {
	type answer struct {
		items []T
		next  *string
	}
	all := []T{}
	var token *string
	for {
		got, failure, ok := ask(ctx, c, action, func(ctx context.Context) (answer, error) {
			items, next, err := page(ctx, token)
			return answer{items, next}, err
		})
		if !ok {
			return Read[[]T]{Failure: failure}
		}
		all = append(all, got.items...)
		if got.next == nil || *got.next == "" {
			return answered(all)
		}
		if token != nil && *token == *got.next {
			return Read[[]T]{Failure: broken(action)}
		}
		token = got.next
	}
}

// each runs f for every item at the same time and waits for all of them.
func each[T any](items []T, f func(T)) {
	var wg sync.WaitGroup
	for _, item := range items {
		wg.Go(func() { f(item) })
	}
	wg.Wait()
}
