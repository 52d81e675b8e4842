//go:build linux || darwin

package store_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/store"
)

// limitVar names the largest file in bytes that a child process of TestFullDisk may write.
const limitVar = "STORE_TEST_LARGEST_FILE"

// TestFullDisk starts stores in processes whose files may not grow beyond a limit, as on a full
// disk. Below the size of the first log file, Start returns the error. Above it, a client writes
// until the store fails: Failed has the error, and the client's connection ends. The process goes
// on in both cases, and the directory of the store is gone.
func TestFullDisk(t *testing.T) {
	if limit := os.Getenv(limitVar); limit != "" {
		fillDisk(t, limit)
		return
	}
	for limit, want := range map[int]string{1 << 16: "started: the store at 127.0.0.1:0: etcd cannot go on: ", 5 << 20: "failed: etcd cannot go on: "} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			dir := t.TempDir()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDisk$", "-test.v", "-test.timeout=2m")
			child.Env = append(os.Environ(), fmt.Sprint(limitVar, "=", limit), "TMPDIR="+dir)
			out, err := child.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), want)
			require.Contains(t, string(out), syscall.EFBIG.Error())
			require.Contains(t, string(out), "its directory is "+dir)
			require.Contains(t, string(out), "goes on\n")
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// fillDisk starts a store whose files hold limit bytes at most, writes values until the store
// fails, and prints the errors of the store.
func fillDisk(t *testing.T, limit string) {
	n, err := strconv.ParseUint(limit, 10, 64)
	require.NoError(t, err)
	signal.Ignore(syscall.SIGXFSZ) // a write over the limit is an error
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}))
	defer fmt.Println("goes on")
	s, err := store.Start(t.Context(), store.Options{Address: "127.0.0.1:0", Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		fmt.Println("started:", err)
		return
	}
	defer s.Close()
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{s.Addr()}, Logger: zap.NewNop()})
	require.NoError(t, err)
	defer c.Close()
	keys := schema.JobOf("job").Epoch(1)
	value := strings.Repeat("x", 1<<18)
	for i := range 1000 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := c.Put(ctx, keys.Value(fmt.Sprint(i)), value)
		cancel()
		if err != nil {
			require.Equal(t, codes.Unavailable, status.Code(err), "the connection ends with the store: %v", err)
			fmt.Println("failed:", <-s.Failed())
			return
		}
	}
	t.Fatal("the store never failed")
}
