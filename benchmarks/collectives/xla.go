package main

// This file lets XLA partition a program and reads the result.
//
// XLA dumps the modules that it compiles where XLA_FLAGS says so; the variable
// is read when the first client is made, by this process alone.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// xla is a client that dumps the programs it compiles.
type xla struct {
	client *runtime.Client
	dumps  string
	count  int
}

// openXLA starts a client of the given number of devices. It must be the first
// of the process.
func openXLA(ctx context.Context, devices int) (*xla, error) {
	dir, err := os.MkdirTemp("", "gospmd-xla-")
	if err != nil {
		return nil, err
	}
	flags := os.Getenv("XLA_FLAGS") + " --xla_dump_to=" + dir + " --xla_dump_hlo_as_text --xla_dump_hlo_module_re=^compared"
	if err := os.Setenv("XLA_FLAGS", flags); err != nil {
		return nil, err
	}
	c, err := runtime.Open(ctx, runtime.Options{Devices: devices})
	if err != nil {
		return nil, err
	}
	return &xla{client: c, dumps: dir}, nil
}

func (x *xla) close() {
	x.client.Close()
	os.RemoveAll(x.dumps)
}

// collectives returns the collectives that XLA's own partitioner puts into m.
func (x *xla) collectives(ctx context.Context, m *ir.Module) ([]xlaCollective, error) {
	m = m.Clone()
	m.Name = fmt.Sprintf("compared%d", x.count) // by which its dump is found
	x.count++
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.XLA})
	if err != nil {
		return nil, err
	}
	exe, err := x.client.Load(ctx, p)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	files, err := filepath.Glob(filepath.Join(x.dumps, "*."+m.Name+".*after_optimizations.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("XLA dumped %d modules named %s, want 1: does something else set XLA_FLAGS?", len(files), m.Name)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(text), "HloModule") {
		return nil, fmt.Errorf("%s holds no HLO module", files[0])
	}
	return readHLO(string(text))
}
