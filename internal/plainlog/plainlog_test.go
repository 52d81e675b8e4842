package plainlog_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
)

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		name string
		log  func(l *slog.Logger)
		want string
	}{
		{"a warning", func(l *slog.Logger) { l.Warn(`gospmd: the file "a" is passed over`) }, "gospmd: the file \"a\" is passed over\n"},
		{"information", func(l *slog.Logger) { l.Info("done") }, "done\n"},
		{"a debug record", func(l *slog.Logger) { l.Debug("step") }, ""},
		{"attributes", func(l *slog.Logger) { l.With("rank", 1).Warn("lost", "by", 2) }, "lost rank=1 by=2\n"},
		{"a group", func(l *slog.Logger) { l.WithGroup("job").With("rank", 1).Warn("lost", "by", 2) }, "lost job.rank=1 job.by=2\n"},
		{"an empty attribute", func(l *slog.Logger) { l.Warn("lost", slog.Attr{}) }, "lost\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var out bytes.Buffer
			tc.log(plainlog.New(&out))
			require.Equal(t, tc.want, out.String())
		})
	}
}

// Loggers that are derived from one another share the writer and its lock.
func TestAtOnce(t *testing.T) {
	var out bytes.Buffer
	l := plainlog.New(&out)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() { l.With("a", 1).Warn("lost") })
	}
	wait.Wait()
	require.Equal(t, strings.Repeat("lost a=1\n", 50), out.String())
}
