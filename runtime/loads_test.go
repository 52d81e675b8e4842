package runtime_test

// This file tests Loads whose context ends before the compilation.

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// slowDriver is a hostDriver whose Load waits for a signal.
type slowDriver struct {
	*hostDriver
	began, goOn, closed chan struct{}
}

func (d *slowDriver) Load(p *program.Program) (runtime.DriverProgram, error) {
	d.began <- struct{}{}
	<-d.goOn
	return d.hostDriver.Load(p)
}

func (d *slowDriver) Close() { close(d.closed) }

// Load returns with the cause when its context ends. The compilation goes on; its result is freed,
// and only then Close closes the driver.
func TestLoadCancelled(t *testing.T) {
	d := &slowDriver{
		hostDriver: &hostDriver{functions: map[string]func([]float32) ([]float32, error){"module": func(args []float32) ([]float32, error) { return args, nil }}},
		began:      make(chan struct{}), goOn: make(chan struct{}), closed: make(chan struct{}),
	}
	p, err := compile.Compile(t.Context(), ir.MustParse("module @module {\nfunc.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = stablehlo.negate %x : tensor<f32>\nreturn %0 : tensor<f32>\n}\n}"), compile.Options{})
	require.NoError(t, err)
	c := runtime.NewClient(runtime.NewEngine(d, runtime.DriverOptions{Platform: "host", Kinds: []string{"host"}}))

	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error)
	go func() {
		_, err := c.Load(ctx, p)
		failed <- err
	}()
	<-d.began
	cancel(enough)
	require.ErrorIs(t, <-failed, enough)
	_, err = c.Load(ctx, p)
	require.ErrorIs(t, err, enough, "it does not begin")
	require.NoError(t, c.Close())
	select {
	case <-d.closed:
		t.Fatal("the driver was closed while it compiled")
	case <-time.After(50 * time.Millisecond):
	}
	d.goOn <- struct{}{}
	<-d.closed
	require.Zero(t, d.live.Load(), "programs that were not freed")
}
