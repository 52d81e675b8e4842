package main

// This file has the programs to measure: those in testdata, files, and training steps of the
// models. It also prints the results.

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/program"
)

// source is a program to measure: its name in the table, and a function that returns it
// partitioned, for a limit of a device's memory in bytes; 0 stands for no limit.
type source struct {
	name    string
	compile func(ctx context.Context, limit int) (*program.Program, error)
}

// testdata holds programs of many kinds as JAX exports them:
// benchmarks/peers/memory_programs.py.
//
//go:embed testdata/*.mlir
var testdata embed.FS

// storedPrograms returns a source for each program in testdata.
func storedPrograms() []source {
	entries, err := testdata.ReadDir("testdata")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	list := make([]source, len(entries))
	for i, e := range entries {
		name := path.Join("testdata", e.Name())
		list[i] = text(name, func() ([]byte, error) { return testdata.ReadFile(name) })
	}
	return list
}

// files returns a source for each of the named files.
func files(names []string) []source {
	list := make([]source, len(names))
	for i, name := range names {
		list[i] = text(name, func() ([]byte, error) { return os.ReadFile(name) })
	}
	return list
}

// text returns the source of a program: read returns the text of a StableHLO module, which the
// source parses and partitions. name is the file's path, which gives the program's name.
func text(name string, read func() ([]byte, error)) source {
	return source{strings.TrimSuffix(path.Base(name), ".mlir"), func(ctx context.Context, limit int) (*program.Program, error) {
		b, err := read()
		if err != nil {
			return nil, err
		}
		m, err := ir.Parse(string(b))
		if err != nil {
			return nil, err
		}
		return compile.Compile(ctx, m, compile.Options{Partitioner: compile.SPMD, MemoryLimit: limit})
	}}
}

// trainingPrograms returns, for each model and each mesh of steps.Meshes, a source that partitions
// the training step by our partitioner.
func trainingPrograms(models []steps.Model) []source {
	var list []source
	for _, m := range models {
		for _, shape := range steps.Meshes {
			list = append(list, source{m.Name, func(ctx context.Context, limit int) (*program.Program, error) {
				if err := distribution.Initialize(ctx, distribution.Options{Platform: hardware.CPU, Devices: steps.Devices}); err != nil {
					return nil, err
				}
				recorded, err := m.Record(shape)
				if err != nil {
					return nil, err
				}
				return compile.Compile(ctx, recorded, compile.Options{Partitioner: compile.SPMD, Machine: cost.Host(), MemoryLimit: limit})
			}})
		}
	}
	return list
}

// write prints the results to out, as JSON or as a table.
func write(out io.Writer, asJSON bool, results []result) error {
	if asJSON {
		return json.NewEncoder(out).Encode(results)
	}
	w := texttable.New(out)
	fmt.Fprintln(w, "program\tmesh\tlimit\tinputs\tXLA's\tpeak\tXLA's\toff")
	for _, r := range results {
		limit := "–"
		if r.Limit > 0 {
			limit = strconv.Itoa(r.Limit)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%+.1f %%\n", r.Program, r.Mesh, limit, r.Inputs, r.XLAInputs, r.Peak, r.XLAPeak, 100*r.deviation())
	}
	return w.Flush()
}
