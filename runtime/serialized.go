package runtime

// This file loads programs that were compiled elsewhere.

import (
	"context"
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/program"
)

// LoadSerialized is Load for a program that was compiled already: executable is what the plugin
// made of p, such as the Serialized of an executable of package aot, on a machine without these
// devices. The plugin must have the version that made the executable, and p must be the program
// that was compiled. It is an error if the plugin does not load the executable, if the mesh spans
// processes, or if the engine is not PJRT.
func (c *Client) LoadSerialized(ctx context.Context, p *program.Program, executable []byte) (*Executable, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: LoadSerialized: %w", err)
	}
	if err := c.checkOpen(); err != nil {
		return nil, err
	}
	err := c.checkProgram(p)
	var l Loaded
	if err == nil {
		l, err = c.loadSerialized(ctx, p, executable)
	}
	if err != nil {
		return nil, fmt.Errorf("runtime: program %q: %w", p.Name, err)
	}
	return newExecutable(c, p, l), nil
}

func (c *Client) loadSerialized(ctx context.Context, p *program.Program, executable []byte) (Loaded, error) {
	e, ok := c.engine.(*asyncEngine)
	if !ok {
		return nil, errNoExecutables
	}
	d, ok := e.driver.(serializedDriver)
	if !ok {
		return nil, errNoExecutables
	}
	if at := e.job.placement(p.Mesh); at != nil && len(at.Processes()) > 1 {
		return nil, fmt.Errorf("its mesh %s spans processes, whose executables are not loaded: use Load", p.Mesh)
	}
	return e.load(ctx, p, func(p *program.Program) (DriverProgram, error) { return d.loadSerialized(p, executable) })
}

// serializedDriver is a Driver that can load executables which its plugin has compiled.
type serializedDriver interface {
	loadSerialized(p *program.Program, executable []byte) (DriverProgram, error)
}

var errNoExecutables = errors.New("the client's engine has no executables: open it with the engine " + EnginePJRT)
