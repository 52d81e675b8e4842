// Package runtimetest opens clients for tests.
//
//	c := runtimetest.Open(t, 8)        // 8 virtual devices, shared by the process's tests
//	c := runtimetest.OpenWith(t, o)    // a client of its own, closed when the test ends
//
//	runtimetest.Need(t, 2)             // before a test opens a client of 2 devices itself
//
// The devices are of the platform that GOSPMD_PLATFORM names. A test that needs more devices than
// the platform has is skipped, with a message.
//
//	file             holds
//	runtimetest.go   Open, OpenWith
//	compiling.go     how XLA compiles the programs of tests; OpenSample, Main
//	platform.go      Need, SkipFewer, OnCPU, Accelerated, AnyTarget, Tolerance: tests on platforms other than the CPU
package runtimetest

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/gospmd/gospmd/runtime"
)

var (
	mu      sync.Mutex
	clients = make(map[kind]*runtime.Client)
)

// kind identifies a client: Open returns one client for each kind.
type kind struct {
	engine  string
	devices int
}

// Open returns a client with the given number of devices: on the CPU they are virtual. There is one
// client for each number in a process. It stays open: tests must not close it.
//
// With cgo the engine is PJRT, unless the environment variable GOSPMD_ENGINE is "go". A missing
// plugin fails the test. Without cgo it is the engine written in Go.
func Open(t testing.TB, devices int) *runtime.Client {
	t.Helper()
	return open(t, kind{Engine(), devices})
}

// OpenWith returns a client with options, which is closed when the test ends. If the platform has
// too few devices the test is skipped, as by Open.
func OpenWith(t testing.TB, o runtime.Options) *runtime.Client {
	t.Helper()
	c := start(t, o)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing a client: %v", err)
		}
	})
	return c
}

// open returns the client of a kind, which all tests share; the first call opens it.
func open(t testing.TB, k kind) *runtime.Client {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	c, ok := clients[k]
	if !ok {
		c = start(t, runtime.Options{Devices: k.devices, Engine: k.engine})
		clients[k] = c
	}
	return c
}

// start opens a client with the options o. It skips the test if the machine has fewer devices, and
// ends it if that fails otherwise.
func start(t testing.TB, o runtime.Options) *runtime.Client {
	t.Helper()
	c, err := runtime.Open(context.Background(), o)
	SkipFewer(t, err)
	if err != nil {
		t.Fatalf("opening a client with %d devices: %v", o.Devices, err)
	}
	return c
}

// Engine returns the engine to test, for runtime.Options: "" if GOSPMD_ENGINE is set, which the
// client then follows, or else PJRT if this binary has cgo. So a missing plugin is noticed.
func Engine() string {
	switch {
	case os.Getenv("GOSPMD_ENGINE") != "":
		return ""
	case runtime.HasPJRT:
		return runtime.EnginePJRT
	}
	return runtime.EngineGo
}
