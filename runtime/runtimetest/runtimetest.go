// Package runtimetest opens clients for tests.
//
//	c := runtimetest.Open(t, 8) // 8 virtual devices, shared by the process's tests
package runtimetest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/gospmd/gospmd/runtime"
)

var (
	mu      sync.Mutex
	clients = make(map[int]*runtime.Client) // by number of devices
)

// Open returns a client with the given number of virtual CPU devices. There is
// one for each number in a process, which stays open: tests must not close it.
//
// Without cgo there is no engine yet, and the test is skipped with a line that
// says so. With cgo a missing plugin fails the test.
func Open(t testing.TB, devices int) *runtime.Client {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if c, ok := clients[devices]; ok {
		return c
	}
	c, err := runtime.Open(context.Background(), runtime.Options{Devices: devices})
	if errors.Is(err, runtime.ErrNoEngine) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("opening a client with %d devices: %v", devices, err)
	}
	clients[devices] = c
	return c
}
