package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatched checks that a process that waits for others ends with an error if they do not come
// within waitLimit, or when its context ends, and without one when they come.
func TestWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j, start := &job{rank: 1}, time.Now()
		forever := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		require.ErrorContains(t, j.runAndReport(t.Context(), "the exchange of votes", forever), "the others did not come to it in 30m0s: all processes must do so")
		require.Equal(t, waitLimit, time.Since(start))

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, j.runAndReport(ctx, "the exchange of votes", forever), context.Canceled)
		require.NoError(t, j.runAndReport(t.Context(), "the exchange of votes", func(context.Context) error { return nil }))
	})
}
