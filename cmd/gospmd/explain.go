package main

// This file implements gospmd explain.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// runExplain propagates the shardings of a module and says where they came from.
func runExplain(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("explain", "Says where the shardings of a module come from.", diag,
		"step.mlir",
		"-value %7 step.mlir",
		"-html step.html step.mlir")
	value := fs.String("value", "", "explain this value only, named as gospmd opt prints it, such as %7")
	path := fs.String("path", "", "explain the parameter or result of this name only, such as d1/kernel")
	htmlFile := fs.String("html", "", "write a page for a browser to this file")
	file, err := fs.parse(args)
	if err != nil {
		return err
	}
	if *value != "" && *path != "" {
		return errors.New("explain: got -value and -path, want one of them")
	}
	m, err := fs.module(file, in)
	if err != nil {
		return err
	}
	moves := movesOf(m, diag)
	result, err := sharding.Propagate(m, sharding.Options{})
	if err != nil {
		return err
	}
	f := m.Main()
	if f == nil && len(m.Funcs) > 0 {
		f = m.Funcs[0]
	}
	if f == nil {
		return errors.New("explain: the module has no function")
	}
	if *htmlFile != "" {
		var page strings.Builder
		if err := result.WritePage(&page, f, moves); err != nil {
			return err
		}
		if err := os.WriteFile(*htmlFile, []byte(page.String()), 0o644); err != nil {
			return fmt.Errorf("explain: -html: %w", err)
		}
		return nil
	}
	text, err := explanation(result, f, *value, *path)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

// explanation returns what the flags ask for: one value, or all of them.
func explanation(r *sharding.Result, f *ir.Func, value, path string) (string, error) {
	values := slices.Clone(f.Params())
	f.Walk(func(op *ir.Op) {
		if p := op.Block().Parent(); p == nil || !p.Info().Is(ir.ScalarBody) {
			values = append(values, op.Results...)
		}
	})
	names := f.Names()
	if value != "" {
		want := "%" + strings.TrimPrefix(value, "%")
		var known []string
		for _, v := range values {
			if known = append(known, names[v]); names[v] == want {
				return r.Explain(v), nil
			}
		}
		return "", fmt.Errorf("explain: -value %s: function %s has no such value%s: gospmd opt prints their names", value, f.Name, suggest.DidYouMean(want, known))
	}
	if path != "" {
		var known []string
		for _, v := range f.Params() {
			if known = append(known, v.Name); v.Name == path {
				return r.Explain(v), nil
			}
		}
		for i := range f.Results {
			if known = append(known, f.Results[i].Name); f.Results[i].Name == path {
				return r.ExplainResult(f, i), nil
			}
		}
		known = slices.DeleteFunc(known, func(s string) bool { return s == "" })
		return "", fmt.Errorf("explain: -path %q: function %s has no parameter or result of that name%s: it has %s", path, f.Name, suggest.DidYouMean(path, known), suggest.Quoted(known))
	}
	var b strings.Builder
	for _, v := range values {
		if e := r.Explanation(v); e != nil {
			b.WriteString(e.String())
		}
	}
	for i := range f.Results {
		b.WriteString(r.ExplainResult(f, i))
	}
	return b.String(), nil
}

// movesOf returns the collectives of the partitioned program. What can not be
// partitioned can still be explained: the reason goes to diag.
func movesOf(m *ir.Module, diag io.Writer) []sharding.Move {
	p, err := compile.Compile(m, compile.Options{Partitioner: compile.SPMD})
	if err != nil {
		fmt.Fprintln(diag, "gospmd explain: no data movement is shown:", err)
		return nil
	}
	var moves []sharding.Move
	for _, c := range report.New(p).Collectives {
		moves = append(moves, sharding.Move{
			Text: fmt.Sprintf("%s over %s, %d bytes", c.Kind, strings.Join(c.Axes, ", "), c.Total()),
			Why:  c.Why,
			Op:   c.Op, Layer: c.Layer, Where: c.Where,
		})
	}
	return moves
}
