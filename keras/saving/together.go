package saving

// This file reads the variables of a model that is saved: from the devices, from a copy in the
// host's memory, or from the devices of several processes: then process 0 writes the file, and the
// others give it the shards that it lacks.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// visitor is a function that calls visit with the parts of a variable's value: the global ranges
// and the elements of each.
type visitor func(v *variable.Variable, visit func(ranges []layout.Range, data []byte) error) error

// gathering visits the variables of a model in a fixed order, which is the same in all processes:
// in a job each visit needs all processes. left are the variables that were not visited yet.
type gathering struct {
	groups []group // of the model and the optimizer
	left   []*variable.Variable
	read   visitor
	failed bool // a visit has failed, so that the job has failed
}

// newGathering returns the gathering of a model's variables, and of those of its optimizer if they
// are wanted, which reads them from the devices with ctx. A model that is not built, and a variable
// without a path in Keras' files, are errors.
func newGathering(ctx context.Context, m *keras.Model, optimizer bool) (*gathering, error) {
	if len(m.Nodes()) == 0 {
		return nil, errNotBuilt
	}
	groups, err := modelGroups(m)
	if err != nil {
		return nil, err
	}
	if optimizer {
		groups = append(groups, optimizerGroups(m.Optimizer())...)
	}
	g := &gathering{groups: groups}
	for _, p := range g.groups {
		if p.adapted != nil {
			g.left = append(g.left, p.adapted.A, p.adapted.B)
		}
		g.left = append(g.left, p.variables...)
	}
	g.read = func(v *variable.Variable, visit func(ranges []layout.Range, data []byte) error) error {
		return v.Visit(ctx, visit)
	}
	return g, nil
}

// visit calls f with the global ranges and the bytes of each part of v, which must be the next
// variable of the gathering, and removes v from g.left. The error is that of reading, which sets
// g.failed, or that of f.
func (g *gathering) visit(v *variable.Variable, f func(ranges []layout.Range, data []byte) error) error {
	if len(g.left) == 0 || g.left[0] != v {
		return fmt.Errorf("BUG: variable %s is written out of order", v.Path())
	}
	g.left = g.left[1:]
	var writing error
	err := g.read(v, func(ranges []layout.Range, data []byte) error {
		writing = f(ranges, data)
		return writing
	})
	g.failed = err != nil && writing == nil
	return err
}

// rest visits the remaining variables, and drops what it gets, because in a job each visit needs
// all processes. After a failed visit it stops.
func (g *gathering) rest() error {
	for len(g.left) > 0 && !g.failed {
		if err := g.visit(g.left[0], func([]layout.Range, []byte) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// together calls write, which writes a file and visits the variables of the model and, if they are
// wanted, of the optimizer. In a job it calls write in process 0 only. All processes return when
// the file is written, or with the error of the process that failed.
//
// In one process, and with behind, it copies the variables to the host's memory, lets write run
// behind, and returns. what is the model and the file, for errors.
func together(ctx context.Context, m *keras.Model, what string, behind *checkpoint.Async, optimizer bool, write func(*gathering) error) error {
	g, err := newGathering(ctx, m, optimizer)
	if err != nil {
		return fmt.Errorf("saving: %s: %w", what, err)
	}
	job, err := m.Job(ctx)
	switch {
	case err != nil:
	case job != nil:
		err = g.writeAcross(ctx, job, write)
	case behind != nil:
		return g.writeBehind(ctx, what, behind, write)
	default:
		err = write(g)
	}
	if err != nil {
		return fmt.Errorf("saving: %s: %w", what, err)
	}
	return nil
}

// writeAcross calls write in process 0 of a job, while the other processes take part in reading the
// variables. It returns the error of any process in all of them.
func (g *gathering) writeAcross(ctx context.Context, job agree.Job, write func(*gathering) error) (err error) {
	if job.ProcessIndex() == 0 {
		err = write(g)
	}
	if rest := g.rest(); err == nil {
		err = rest
	}
	_, err = agree.On(ctx, job, "saved model", nil, err)
	return err
}

// writeBehind copies the gathered variables to the host's memory, and then calls write in another
// goroutine, which reads the copies. It returns when the copies are made, or with their error.
// behind holds the error of write, after what, the model and the file. Before all that it waits for
// the save before; if that one has failed, it returns its error and saves nothing.
func (g *gathering) writeBehind(ctx context.Context, what string, behind *checkpoint.Async, write func(*gathering) error) error {
	tensors := make([]checkpoint.Tensor, len(g.left))
	for i, v := range g.left {
		tensors[i] = checkpoint.Tensor{Name: v.Path(), Source: v}
	}
	return behind.Save(ctx, tensors, func(ctx context.Context, copies []checkpoint.Tensor) error {
		g.read = func(_ *variable.Variable, visit func(ranges []layout.Range, data []byte) error) error {
			next := copies[0]
			copies = copies[1:]
			return next.Source.VisitOwned(ctx, visit)
		}
		if err := write(g); err != nil {
			return fmt.Errorf("saving: %s: %w", what, err)
		}
		return nil
	})
}
