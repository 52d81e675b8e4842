package keras

// The progress bar is compared with that of Keras 3.15 for the same states, colors and carriage
// returns aside.

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestProgressBar(t *testing.T) {
	for _, tc := range []struct {
		name    string
		verbose int
		target  int
		seen    int
		first   time.Duration // until the first step was done
		total   time.Duration
		logs    Logs
		want    string
	}{
		{
			name: "one line", verbose: 1, target: 8, seen: 8, first: 100 * time.Millisecond, total: 121 * time.Millisecond,
			logs: Logs{{"loss", 1.02168}},
			want: "8/8 ━━━━━━━━━━━━━━━━━━━━ 0s 3ms/step - loss: 1.0217\n",
		},
		{
			name: "small values in exponents", verbose: 1, target: 2, seen: 2, first: time.Second, total: 3 * time.Second,
			logs: Logs{{"accuracy", 0}, {"loss", 0.00081}},
			want: "2/2 ━━━━━━━━━━━━━━━━━━━━ 3s 2s/step - accuracy: 0.0000e+00 - loss: 8.1000e-04\n",
		},
		{
			name: "semi-verbose", verbose: 2, target: 100, seen: 100, first: time.Millisecond, total: 50 * time.Millisecond,
			logs: Logs{{"loss", 2}},
			want: "100/100 - 0s - 495us/step - loss: 2.0000\n",
		},
		{
			name: "unknown number of steps", verbose: 1, target: -1, seen: 3, first: time.Millisecond, total: 3 * time.Millisecond,
			want: "3/3 ━━━━━━━━━━━━━━━━━━━━ 0s 1ms/step\n",
		},
		{name: "silent", verbose: 0, target: 3, seen: 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out strings.Builder
			b := newProgressBar(&out, tc.verbose, tc.target)
			start := b.start
			clock := []time.Duration{tc.first, tc.total}
			b.now = func() time.Time {
				d := clock[0]
				if len(clock) > 1 {
					clock = clock[1:]
				}
				return start.Add(d)
			}
			require.NoError(t, b.update(t.Context(), 1, nil))
			b.seen = tc.seen
			b.finish(tc.logs)
			require.Equal(t, tc.want, out.String())
		})
	}
}

// TestProgressBarInANarrowTerminal replays what is written on terminals of 80, 30 and 3 columns:
// all of it is on one line, until the bar is done.
func TestProgressBarInANarrowTerminal(t *testing.T) {
	for _, columns := range []int{80, 30, 3} {
		var out strings.Builder
		b := newProgressBar(&out, 1, 1000)
		b.dynamic, b.columns = true, func() int { return columns }
		start := b.start
		for step := 1; step <= 400; step += 100 {
			b.now = func() time.Time { return start.Add(time.Duration(step) * time.Second) }
			logs := &BatchLogs{logs: Logs{{"sparse_top_k_categorical_accuracy", 0.5}, {"loss", 1}}}
			require.NoError(t, b.update(t.Context(), step, logs))
		}
		lines := strings.Split(out.String(), "\r")[1:]
		require.Len(t, lines, 4)
		for _, l := range lines {
			require.Less(t, utf8.RuneCountInString(strings.TrimRight(plain(l), " ")), columns)
		}
		if columns == 80 {
			require.Equal(t, "   1/1000 ━━━━━━━━━━━━━━━━━━━━ 16:39 1s/step - sparse_top_k_categorical_accura…", plain(lines[0]))
		}
	}
}

func TestProgressBarOnATerminal(t *testing.T) {
	var out strings.Builder
	b := newProgressBar(&out, 1, 4)
	b.dynamic = true
	start := b.start
	for step := 1; step <= 4; step++ {
		b.now = func() time.Time { return start.Add(time.Duration(step) * time.Second) }
		logs := &BatchLogs{logs: Logs{{"loss", float64(step)}}}
		require.NoError(t, b.update(t.Context(), step, logs))
	}
	b.finish(Logs{{"loss", 4}})
	lines := strings.Split(out.String(), "\r")[1:]
	for i, want := range []string{
		"1/4 ━━━━━━━━━━━━━━━━━━━━ 3s 1s/step - loss: 1.0000",
		"2/4 ━━━━━━━━━━━━━━━━━━━━ 2s 1s/step - loss: 2.0000",
		"3/4 ━━━━━━━━━━━━━━━━━━━━ 1s 1s/step - loss: 3.0000",
		"4/4 ━━━━━━━━━━━━━━━━━━━━ 0s 1s/step - loss: 4.0000",
		"4/4 ━━━━━━━━━━━━━━━━━━━━ 4s 1s/step - loss: 4.0000\n",
	} {
		require.Equal(t, want, plain(lines[i]))
	}
}
