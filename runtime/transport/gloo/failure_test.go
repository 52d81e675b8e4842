//go:build cgo

package gloo_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

const childVar = "GOSPMD_GLOO_TEST_CHILD"

// TestChild is the process that TestLost ends: rank 1 of two, in an all-reduce of
// 64 MiB without end.
func TestChild(t *testing.T) {
	dir := os.Getenv(childVar)
	if dir == "" {
		t.Skip("it is run by TestLost")
	}
	tr, err := gloo.Open(context.Background(), gloo.Options{Rank: 1, Size: 2, Host: "127.0.0.1", Store: transporttest.Files(dir)})
	require.NoError(t, err)
	fmt.Println("connected")
	data := interp.Alloc(64 << 20)
	for {
		require.NoError(t, tr.AllReduce(context.Background(), 1, []int{0, 1}, data, dtypes.Float32, ir.OpAdd))
	}
}

// When a process is killed in the middle of an operation, the operation of the other one must end
// within a minute, with an error that names it. Nobody notices a process that is stopped, but Close
// ends the operations that wait for it, with the cause.
func TestLost(t *testing.T) {
	need(t)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP} {
		dir := t.TempDir()
		child := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.v")
		child.Env = append(os.Environ(), childVar+"="+dir)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		defer child.Wait()
		defer child.Process.Kill()
		tr, err := gloo.Open(t.Context(), gloo.Options{Rank: 0, Size: 2, Host: "127.0.0.1", Store: transporttest.Files(dir)})
		require.NoError(t, err)
		for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "connected"); {
		}
		ended := make(chan error, 1)
		go func() {
			data := interp.Alloc(64 << 20)
			for {
				if err := tr.AllReduce(context.Background(), 1, []int{0, 1}, data, dtypes.Float32, ir.OpAdd); err != nil {
					ended <- err
					return
				}
			}
		}()
		time.Sleep(300 * time.Millisecond)
		require.NoError(t, child.Process.Signal(signal))
		if signal == syscall.SIGSTOP {
			time.Sleep(300 * time.Millisecond)
			require.NoError(t, tr.Close(errors.New("rank 1 is stopped")))
		}
		select {
		case err := <-ended:
			if signal == syscall.SIGKILL {
				require.ErrorContains(t, err, "rank 0 has lost its connection to rank 1")
			} else {
				require.EqualError(t, err, "rank 1 is stopped")
			}
		case <-time.After(time.Minute):
			t.Fatalf("%v: it hangs", signal)
		}
		require.NoError(t, tr.Close(nil))
	}
}

// Operations that wait for a process which never comes end with an error: Open when its context
// ends, and a collective when the transport is closed.
func TestMissing(t *testing.T) {
	need(t)
	store := transporttest.Files(t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	var wait sync.WaitGroup
	for rank := range 2 {
		wait.Go(func() {
			start := time.Now()
			_, err := gloo.Open(ctx, gloo.Options{Rank: rank, Size: 3, Host: "127.0.0.1", Store: store})
			require.ErrorContains(t, err, fmt.Sprintf("gloo: rank %d cannot connect to the others", rank))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Less(t, time.Since(start), time.Minute)
		})
	}
	wait.Wait()

	// Some ranks connect as a group, and one of them does not come.
	ts := open(t, 3)
	cause := errors.New("rank 2 does not come")
	time.AfterFunc(100*time.Millisecond, func() { ts[0].Close(cause) })
	err := ts[0].AllReduce(context.Background(), 1, []int{0, 2}, make([]byte, 8), dtypes.Int32, ir.OpAdd)
	require.ErrorIs(t, err, cause)
}

func TestOpenErrors(t *testing.T) {
	_, err := gloo.Open(context.Background(), gloo.Options{Rank: 2, Size: 2})
	require.ErrorContains(t, err, "rank 2, want one below 2")
	need(t)
	_, err = gloo.Open(context.Background(), gloo.Options{Rank: 0, Size: 1, Host: "no such host", Store: transporttest.Files(t.TempDir())})
	require.ErrorContains(t, err, "gloo: cannot listen at no such host")
	_, err = gloo.Open(context.Background(), gloo.Options{Rank: 0, Size: 1, Host: "192.0.2.1", Store: transporttest.Files(t.TempDir())})
	require.ErrorContains(t, err, "gloo: cannot listen at 192.0.2.1")
}

const buildVar = "GOSPMD_GLOO_TEST_BUILD"

// TestBuild compiles Gloo's shim in child processes, because a process loads it only once: without
// a compiler, without Gloo, with a compiler that fails or writes another file, in several processes
// at once, and while a process that has the lock is stopped. Each must get the shim, which is
// compiled once, or an error that says what is missing. No temporary directory may be left.
func TestBuild(t *testing.T) {
	if os.Getenv(buildVar) != "" {
		l := plainlog.New(os.Stdout).With("logger", "ours")
		tr, err := gloo.Open(context.Background(), gloo.Options{Rank: 0, Size: 1, Host: "127.0.0.1", Store: transporttest.Files(t.TempDir()), Logger: l})
		if err != nil {
			fmt.Println("ERROR", err)
			return
		}
		require.NoError(t, tr.Close(nil))
		fmt.Println("OPEN")
		return
	}
	need(t)
	fake := func(script string) string {
		name := filepath.Join(t.TempDir(), "fake-c++")
		require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n[ \"$1\" = -v ] && exit 0\n"+script), 0o755))
		return name
	}
	for _, tc := range []struct {
		name, compiler string
		processes      int
		want           string
	}{
		{"another process is stopped while it compiles", "", 1, "OPEN"},
		{"no compiler", "no-such-compiler", 1, `there is no C++ compiler "no-such-compiler", which Gloo's shim needs: install libgloo-dev and g++ (Debian and Ubuntu: apt-get install libgloo-dev g++)`},
		{"no headers", fake("echo shim.cc:1: fatal error: gloo/allreduce.h: No such file or directory; exit 1"), 1, "there is no Gloo: install libgloo-dev and g++"},
		{"no library", fake("echo /usr/bin/ld: cannot find -lgloo; exit 1"), 1, "there is no Gloo: install libgloo-dev and g++"},
		{"another fault", fake("echo internal compiler error; exit 4"), 1, "cannot compile Gloo's shim: exit status 4:\ninternal compiler error"},
		{"a file that is none", fake("while [ \"$1\" != -o ]; do shift; done; echo x > $2"), 1, "cannot be loaded"},
		{"at once", "", 3, "OPEN"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if strings.Contains(tc.name, "stopped") {
				own := filepath.Join(dir, "gospmd", "gloo")
				require.NoError(t, os.MkdirAll(own, 0o755))
				lock := flock.New(filepath.Join(own, "lock"))
				require.NoError(t, lock.Lock())
				defer lock.Close()
			}
			var compiled int
			var mu sync.Mutex
			var wait sync.WaitGroup
			for range tc.processes {
				wait.Go(func() {
					child := exec.Command(os.Args[0], "-test.run=^TestBuild$", "-test.v")
					child.Env = append(os.Environ(), buildVar+"=1", "CXX="+tc.compiler, "XDG_CACHE_HOME="+dir)
					out, err := child.CombinedOutput()
					mu.Lock()
					defer mu.Unlock()
					require.NoError(t, err, "%s", out)
					require.Contains(t, string(out), tc.want)
					compiled += len(regexp.MustCompile("(?m)^gospmd: compiling the shim of Gloo with .* logger=ours$").FindAllIndex(out, -1))
				})
			}
			wait.Wait()
			if tc.want == "OPEN" {
				require.Equal(t, 1, compiled)
			}
			left, err := filepath.Glob(filepath.Join(dir, "gospmd", "gloo", "build-*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}
