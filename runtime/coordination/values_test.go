package coordination_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/coordination"
)

func init() {
	roles["exchange"] = func(s *coordination.Service, times string) error {
		n, err := strconv.Atoi(times)
		if err != nil {
			return err
		}
		ctx := context.Background()
		for i := range n {
			values, err := s.Exchange(ctx, "a/name", fmt.Appendf(nil, "%d of %d", i, s.Rank()))
			if err != nil {
				return err
			}
			for rank, v := range values {
				if want := fmt.Sprintf("%d of %d", i, rank); string(v) != want {
					return fmt.Errorf("exchange %d: rank %d gave %q, want %q", i, rank, v, want)
				}
			}
		}
		if err := s.Barrier(ctx, "end"); err != nil {
			return err
		}
		return s.Leave(ctx)
	}
	roles["values"] = func(s *coordination.Service, _ string) error {
		ctx := context.Background()
		if _, found, err := s.Lookup(ctx, "nobody sets it"); found || err != nil {
			return fmt.Errorf("Lookup: %v %v", found, err)
		}
		if s.Rank() == 1 {
			time.Sleep(200 * time.Millisecond) // the others wait
			if err := s.Set(ctx, "key", []byte{0, 1, 255}); err != nil {
				return err
			}
		}
		got, err := s.Get(ctx, "key")
		if err != nil {
			return err
		}
		if !slices.Equal(got, []byte{0, 1, 255}) {
			return fmt.Errorf("got %v", got)
		}
		return s.Leave(ctx)
	}
}

func TestExchange(t *testing.T) {
	t.Parallel()
	j := newJob(t, 3, "exchange 100")
	all := j.startAll(t)
	for _, p := range all {
		require.Equal(t, "done", p.next())
		p.ends()
	}
}

func TestValues(t *testing.T) {
	for _, p := range newJob(t, 3, "values").startAll(t) {
		require.Equal(t, "done", p.next())
		p.ends()
	}
}
