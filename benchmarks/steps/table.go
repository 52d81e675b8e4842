package steps

// This file goes through all steps and prints a line for each.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/program"
)

// Line says what a line of a table is about: a model on a mesh.
type Line struct {
	Model string `json:"model"`
	Mesh  []int  `json:"mesh"`
}

// MeshText returns the mesh's shape: 2x4.
func (l Line) MeshText() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(l.Mesh), "[]"), " ", "x")
}

// String returns the model and its mesh.
func (l Line) String() string { return l.Model + " on " + l.MeshText() }

// Each visits the steps of the models on all meshes: as they were recorded, and
// as our partitioner compiles them.
func Each(ctx context.Context, models []Model, visit func(l Line, recorded *ir.Module, p *program.Program) error) error {
	if err := distribution.Initialize(distribution.Options{Devices: Devices}); err != nil {
		return err
	}
	for _, m := range models {
		for _, shape := range Meshes {
			l := Line{m.Name, shape}
			recorded, err := m.Record(ctx, shape)
			if err != nil {
				return err
			}
			p, err := compile.Compile(recorded, compile.Options{Partitioner: compile.SPMD})
			if err != nil {
				return fmt.Errorf("%s: %w", l, err)
			}
			if err := visit(l, recorded, p); err != nil {
				return fmt.Errorf("%s: %w", l, err)
			}
		}
	}
	return nil
}

// Result is what a benchmark finds of a step: it embeds its Line.
type Result interface {
	Of() Line
	Cells() []any // what stands in the columns after the model and the mesh
}

// Of returns l.
func (l Line) Of() Line { return l }

// Print writes results, as JSON or as a table. head names the columns after the
// model and the mesh.
func Print[R Result](out io.Writer, asJSON bool, results []R, head ...string) error {
	if asJSON {
		return json.NewEncoder(out).Encode(results)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tmesh\t"+strings.Join(head, "\t"))
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%s", r.Of().Model, r.Of().MeshText())
		for _, c := range r.Cells() {
			fmt.Fprintf(w, "\t%v", c)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
