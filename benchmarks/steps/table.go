package steps

// This file frames the main functions of the benchmarks, and prints their tables.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
)

// Main runs a benchmark with the arguments of the command line, and ends the
// process with status 1 if it fails. An interrupt (Ctrl-C) cancels the context; a
// second one ends the process at once.
func Main(name string, run func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Line names a line of a table: a model on a mesh.
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

// Result is what a benchmark finds of a step: it embeds its Line.
type Result interface {
	Of() Line
	Cells() []any // the columns after the model and the mesh
}

// Of returns l.
func (l Line) Of() Line { return l }

// Print writes results, as JSON or as a table. head names the columns after the
// model and the mesh.
func Print[R Result](out io.Writer, asJSON bool, results []R, head ...string) error {
	if asJSON {
		return json.NewEncoder(out).Encode(results)
	}
	rows := make([][]any, len(results))
	for i, r := range results {
		rows[i] = append([]any{r.Of().Model, r.Of().MeshText()}, r.Cells()...)
	}
	return Table(out, append([]string{"model", "mesh"}, head...), rows)
}

// Table writes a table.
func Table(out io.Writer, head []string, rows [][]any) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, cell)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
