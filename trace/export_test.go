package trace

// This file gives the tests of this package access to its internals.

import (
	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
)

// RecordBackend records a module as Record does, but one level below GoMLX's graph: build gets the
// compute.Function of main and returns its results. RecordBackend adds the return. A panic of build
// becomes an error.
func RecordBackend(build func(f compute.Function) ([]compute.Value, error)) (m *ir.Module, err error) {
	r := newRecorder("test", nil)
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, r.errorOfPanic(p)
		}
	}()
	f := r.graph.Backend().Builder("test").Main()
	results, err := build(f)
	if err != nil {
		return nil, err
	}
	if err := f.Return(results, nil); err != nil {
		return nil, err
	}
	r.main.Return(r.results...)
	r.dropUnusedClosures()
	return r.module, nil
}
