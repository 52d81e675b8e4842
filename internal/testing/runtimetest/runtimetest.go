// Package runtimetest opens clients for tests.
//
//	c := runtimetest.Open(t, 8)        // 8 virtual devices, shared by the process's tests
//	c := runtimetest.OpenWith(t, o)    // a client of its own, closed when the test ends
//	cs := runtimetest.OpenJob(t, 2, 4) // two processes' clients of one job, 4 virtual devices each
//
//	runtimetest.Need(t, 2)             // before a test opens a client of 2 devices itself
//
// They are devices of the platform that GOSPMD_PLATFORM names: a test that wants more than
// there are is skipped, and says so.
//
//	file             holds
//	runtimetest.go   Open, OpenWith
//	compiling.go     how often and with which effort XLA compiles; OpenSample, Main
//	platform.go      Need, SkipFewer, OnCPU: tests on other platforms than the CPU
//	job.go           OpenJob, Together
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

// kind is what two clients differ in.
type kind struct {
	engine  string
	devices int
}

// Open returns a client with the given number of devices: of virtual ones, on the CPU. There
// is one for each number in a process, which stays open: tests must not close it.
//
// With cgo that is PJRT, and a missing plugin fails the test, unless the
// environment variable GOSPMD_ENGINE says "go". Without cgo it is the engine
// written in Go.
func Open(t testing.TB, devices int) *runtime.Client {
	t.Helper()
	return open(t, kind{engine(), devices})
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

// open returns the shared client of a kind.
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

// start opens a client.
func start(t testing.TB, o runtime.Options) *runtime.Client {
	t.Helper()
	c, err := runtime.Open(context.Background(), o)
	SkipFewer(t, err)
	if err != nil {
		t.Fatalf("opening a client with %d devices: %v", o.Devices, err)
	}
	return c
}

// engine returns the one to test: what the environment says, or else PJRT
// where this binary can have it, so that a missing plugin is noticed.
func engine() string {
	switch {
	case os.Getenv("GOSPMD_ENGINE") != "":
		return ""
	case runtime.HasPJRT:
		return runtime.EnginePJRT
	}
	return runtime.EngineGo
}
