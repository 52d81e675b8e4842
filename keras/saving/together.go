package saving

// This file saves models whose variables are on devices of several processes:
// process 0 writes the file, and the others give it the shards that it lacks.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// gathering visits variables in a fixed order, which is the same in all processes: each visit needs
// all processes.
type gathering struct {
	left   []*variable.Variable
	failed bool // a visit has failed, so that the job has failed
}

// visit visits v, which must be the next variable.
func (g *gathering) visit(ctx context.Context, v *variable.Variable, f func(ranges []layout.Range, data []byte) error) error {
	if len(g.left) == 0 || g.left[0] != v {
		return fmt.Errorf("BUG: variable %s is written out of order", v.Path())
	}
	g.left = g.left[1:]
	var writing error
	err := v.Visit(ctx, func(ranges []layout.Range, data []byte) error {
		writing = f(ranges, data)
		return writing
	})
	g.failed = err != nil && writing == nil
	return err
}

// rest visits the remaining variables.
func (g *gathering) rest(ctx context.Context) error {
	for len(g.left) > 0 && !g.failed {
		if err := g.visit(ctx, g.left[0], func([]layout.Range, []byte) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// together calls write, which writes a file and visits the variables of the model and the
// optimizer. In a job it calls write in process 0 only. All processes return when the file is
// written, or with the error of the process that failed.
func together(ctx context.Context, m *keras.Model, write func(*gathering) error) error {
	if len(m.Nodes()) == 0 {
		return errNotBuilt
	}
	groups, err := modelGroups(m)
	if err != nil {
		return err
	}
	g := &gathering{}
	for _, p := range slices.Concat(groups, optimizerGroups(m.Optimizer())) {
		g.left = append(g.left, p.variables...)
	}
	job, err := m.Job(ctx)
	if err != nil {
		return err
	}
	if job == nil {
		return write(g)
	}
	if job.ProcessIndex() == 0 {
		err = write(g)
	}
	if rest := g.rest(ctx); err == nil {
		err = rest
	}
	_, err = agree.On(ctx, job, "saved model", nil, err)
	return err
}
