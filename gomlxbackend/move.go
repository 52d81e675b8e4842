package gomlxbackend

// This file moves arrays from one sharding to another, on the devices. A program that returns its
// argument does it.

import (
	"fmt"
	"sync"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// moves holds the programs that move a tensor from one sharding to another, by its type and both
// shardings. Each is made once.
type moves struct {
	mu    sync.Mutex
	byKey map[string]*runtime.Executable
}

// move returns a copy of the array a in the sharding to. It starts a program on the devices, and
// does not wait for it. Transfers counts the move.
func (b *Backend) move(a *runtime.Array, to *layout.Sharding) (*runtime.Array, error) {
	exe, err := b.mover(a, to)
	if err != nil {
		return nil, fmt.Errorf("gospmd: moving %s to %s: %w", a, to, err)
	}
	b.moved.Add(1)
	results, err := exe.Run(a)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// mover returns the loaded program that copies an array like a to the sharding to. It makes the
// program in the first call for this type and these shardings.
func (b *Backend) mover(a *runtime.Array, to *layout.Sharding) (*runtime.Executable, error) {
	b.moves.mu.Lock()
	defer b.moves.mu.Unlock()
	key := fmt.Sprint(a.Type(), a.Sharding(), to)
	if exe := b.moves.byKey[key]; exe != nil {
		return exe, nil
	}
	main := ir.NewFunc("main")
	m := &ir.Module{Name: "move", Funcs: []*ir.Func{main}}
	if b.config.mesh != nil {
		m.AddMesh("mesh", b.config.mesh)
	}
	main.Return(main.AddParam("from", a.Type(), a.Sharding()))
	main.Results[0].Name, main.Results[0].Sharding = "to", to
	exe, err := b.load(m)
	if err != nil {
		return nil, err
	}
	if b.moves.byKey == nil {
		b.moves.byKey = map[string]*runtime.Executable{}
	}
	b.moves.byKey[key] = exe
	return exe, nil
}
