package saving

// This file writes and reads weights as safetensors files, by the paths of variables.

import (
	"context"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// gathered is a checkpoint.Source: a variable whose value it gets by a visit of the gathering g.
type gathered struct {
	g *gathering
	v *variable.Variable
}

// Type returns the element type and the global shape of the variable.
func (s gathered) Type() ir.Type { return s.v.Type() }

// VisitOwned calls visit with the parts of the variable's value, by the gathering: the variable
// must be its next one.
func (s gathered) VisitOwned(_ context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	return s.g.visit(s.v, visit)
}

// writeSafetensors writes the gathered variables into the named file, after it has removed files
// that killed processes left there. It uses the gathering's context when it reads the variables.
func (g *gathering) writeSafetensors(name string) error {
	if err := removeLeft(name); err != nil {
		return err
	}
	var tensors []checkpoint.Tensor
	for _, v := range g.left {
		tensors = append(tensors, checkpoint.Tensor{Name: v.Path(), Source: gathered{g, v}})
	}
	return checkpoint.SaveSafetensors(context.Background(), name, tensors, nil)
}

// loadSafetensors sets the weights of m to those in the .safetensors file with the given name. If
// the file does not fit, it returns an error and changes nothing.
func loadSafetensors(ctx context.Context, m *keras.Model, name string) error {
	g, err := newGathering(ctx, m, false)
	if err != nil {
		return err
	}
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	c, err := checkpoint.OpenSafetensors(name)
	if err != nil {
		return err
	}
	defer c.Close()
	return keras.RestoreVariables(client, c, g.left)
}
