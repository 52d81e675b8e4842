package aot

// This file compiles a program for a target.

import (
	"context"
	"errors"
	"io"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/program"
)

// ErrNoPlugin says that the compiler of a target, or a tool that it needs, is not
// installed. The error around it says what is missing and which command mends it.
var ErrNoPlugin = errors.New("the compiler for this target is not installed")

// Options say how to compile. They are comparable.
type Options struct {
	// Plugin is the file of the PJRT plugin; "" takes what plugin.Find finds for the
	// target's platform.
	Plugin string
	// Install downloads a plugin that is not there. Without it, none is downloaded.
	Install bool
	// Warnings is where notices go; nil discards them.
	Warnings io.Writer
}

// Compile compiles p for devices of t, of which none needs to be there. The program
// must have been partitioned for a mesh of at most as many devices as t has. The
// compiler runs in a process of its own, which ends when ctx does.
func Compile(ctx context.Context, p *program.Program, t hardware.Target, o Options) (*Executable, error) {
	return nil, errors.New("aot: not built yet")
}
