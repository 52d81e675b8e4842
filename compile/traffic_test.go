package compile_test

// This file compares the bytes in reports with the bytes that the Go engine counts when it runs the
// programs.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// For every collective, the report has exactly the bytes that the engine sends. The programs are
// random ones on random meshes, even and uneven, and a training step with the sharded update.
func TestReportedBytesAreSent(t *testing.T) {
	kinds := map[cost.Kind]int{}
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		p := randprog.New(seed, randprog.Options{})
		program, err := compile.Compile(t.Context(), p.Module, compile.Options{Partitioner: compile.SPMD})
		require.NoError(t, err, "seed %d", seed)
		compareTraffic(t, program, kinds, fmt.Sprintf("seed %d", seed))
	}
	archive, err := txtar.ParseFile("testdata/spmd/shard_update.txtar")
	require.NoError(t, err)
	program, err := compile.Compile(t.Context(), ir.MustParse(string(archive.Files[0].Data)), compile.Options{Partitioner: compile.SPMD, ShardedUpdate: true})
	require.NoError(t, err)
	compareTraffic(t, program, kinds, "sharded update")
	require.True(t, testing.Short() || len(kinds) >= 6, "TestEveryCollective has each kind, the programs here too few: %v", kinds)
}

// compareTraffic runs the program on the Go engine, unless it is for one device, and requires that
// each collective sends the bytes that the report says. It adds the program's collectives to kinds,
// by kind.
func compareTraffic(t *testing.T, program *program.Program, kinds map[cost.Kind]int, name string) {
	t.Helper()
	if program.Mesh.Size() == 1 {
		return
	}
	exe, err := goengine.Load(program, goengine.Options{})
	require.NoError(t, err, name)
	args := make([][]*interp.Tensor, program.Mesh.Size())
	for pos := range args {
		for _, in := range program.Inputs {
			args[pos] = append(args[pos], interp.FromBytes(in.Local, make([]byte, in.Local.Size()*ir.ElementBytes(in.Local.DType))))
		}
	}
	_, err = exe.Run(args)
	require.NoError(t, err, name)

	sent := map[*ir.Op]goengine.Traffic{}
	for _, traffic := range exe.Traffic() {
		sent[traffic.Op] = traffic
	}
	total, known := 0, true
	for _, c := range cost.Collectives(program.Mesh, program.Module.Main()) {
		traffic, ok := sent[c.Op]
		if c.Bytes == 0 && !ok {
			continue
		}
		require.True(t, ok, "%s: the engine did not run %s", name, c.Op)
		require.Equal(t, c.Bytes*traffic.Runs, traffic.Most(), "%s: %s", name, c.Op)
		if c.Runs != traffic.Runs {
			known = false // a branch that is not taken, or a loop with an unknown trip count
		}
		total += traffic.Most()
		kinds[c.Kind]++
	}
	if known {
		require.Equal(t, total, report.New(program).Bytes, name)
	}
}
