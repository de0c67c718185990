package tfread

import (
	"context"
	"errors"
)

func planJSON(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	return nil, errors.New("plan JSON is not read yet")
}

func stateJSON(ctx context.Context, name string, src []byte, opt Options) (*Result, error) {
	return nil, errors.New("state JSON is not read yet")
}
