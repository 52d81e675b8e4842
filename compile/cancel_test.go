package compile_test

// This file tests compilations that are cancelled.

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
)

// stopping is a context that ends, with the cause errEnough, at the call of Err or Value that makes
// left 0. Each call lowers left by one.
type stopping struct {
	context.Context
	left int
	end  context.CancelCauseFunc
}

var errEnough = errors.New("enough")

func (s *stopping) Err() error {
	if s.left--; s.left == 0 {
		s.end(errEnough)
	}
	return s.Context.Err()
}

func (s *stopping) Value(key any) any { // context.Cause looks for the parent context here
	_ = s.Err()
	return s.Context.Value(key)
}

// A compilation stops wherever it checks its context, with the context's cause as its error: before
// a pass, and in the search of autoshard. There are more than 20 such places.
func TestCompileStops(t *testing.T) {
	m := ir.MustParse(transformer(longtest.Pick(1, 2), 2, 4))
	asked, stops := 0, map[string]bool{}
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := &stopping{ctx, n, cancel}
		p, err := compile.Compile(s, m, compile.Options{})
		cancel(nil)
		if err == nil {
			require.NotNil(t, p)
			break
		}
		require.ErrorIs(t, err, errEnough)
		stops[err.Error()] = true
		asked++
	}
	require.Greater(t, asked, 20)
	require.Contains(t, stops, "compile: stopped before pass propagate: enough")
	require.Contains(t, stops, "compile: enough", "the search of autoshard")
}
