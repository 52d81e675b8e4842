//go:build cgo

package goengine_test

// This file runs element-wise ops on both engines, in child processes: so the test finds an op that
// ends its process, and goes on. The long form of the test runs every op on every element type that
// the op table allows; the short form has two types and leaves out slow ops.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// opRun is a program of one op: its name in messages, its module, and a flat slice for each input.
type opRun struct {
	name   string
	module *ir.Module
	inputs []any
}

// opRuns returns programs of one op each: for each of types, one for each of elementwiseCases whose
// op allows the type; so a comparison has several. Operands have the corner values, two operands
// all pairs of them. Without longtest, it leaves out the ops in slowOnXLA.
func opRuns(types []dtypes.DType) (out []opRun) {
	for _, d := range types {
		for _, c := range elementwiseCases() {
			if slices.Contains(slowOnXLA, c.kind) && !longtest.Enabled() {
				continue
			}
			x := corners(d)
			inputs := []any{x.Interface()}
			if c.kind.Info().Operands.Min == 2 {
				a, b := pairs(d)
				inputs = []any{a.Interface(), b.Interface()}
				x = a
			}
			if m, made := module(d, x.Len(), len(inputs), []opCase{c}); len(made) > 0 {
				out = append(out, opRun{fmt.Sprintf("%s %s on %s", c.kind, c.name, ir.DTypeText(d)), m, inputs})
			}
		}
	}
	return out
}

// childVar is the environment variable that tells a child process its engine and its first op.
const childVar = "GOSPMD_TEST_OPS"

// The lines that a child process prints: the next op, an op that the engine refuses, and the end.
const (
	beginsLine, refusedLine, doneLine = "op begins: ", "op refused: ", "all ops done"
)

func TestEveryOpOnEveryType(t *testing.T) {
	types := longtest.Pick([]dtypes.DType{dtypes.Bool, dtypes.Complex64}, allTypes())
	runs := opRuns(types)
	if child := os.Getenv(childVar); child != "" {
		var engine string
		var first int
		_, err := fmt.Sscan(child, &engine, &first)
		require.NoError(t, err)
		runOps(t, engine, runs, first)
		return
	}
	for _, engine := range []string{runtime.EngineGo, runtime.EnginePJRT} {
		for first := 0; first < len(runs); {
			first = lastOp(t, engine, runs, first) + 1
		}
	}
	t.Logf("%d ops on both engines", len(runs))
	require.Greater(t, len(runs), 40)
}

// runOps is what the child process does: it runs runs[first:] on the engine, and prints a line
// before each run, a line for each that the engine refuses, and a line at the end.
func runOps(t *testing.T, engine string, runs []opRun, first int) {
	c, err := runtime.Open(context.Background(), runtime.Options{Engine: engine})
	require.NoError(t, err)
	for i, r := range runs[first:] {
		fmt.Println(beginsLine, first+i)
		if _, err := execute(c, r.module, r.inputs); err != nil {
			fmt.Println(refusedLine, r.name, err)
		}
	}
	fmt.Println(doneLine)
}

// lastOp runs a child process for runs[first:] on the engine. It returns the number of the last op
// that the child has begun, or len(runs) if the child did all. The test fails for each op that the
// engine refuses, and for one over which the child ends.
func lastOp(t *testing.T, engine string, runs []opRun, first int) int {
	cmd := exec.Command(os.Args[0], "-test.run", "^TestEveryOpOnEveryType$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", childVar, engine, first))
	out, err := cmd.CombinedOutput()
	last := -1
	for line := range strings.SplitSeq(string(out), "\n") {
		if text, ok := strings.CutPrefix(line, refusedLine); ok {
			t.Errorf("%s: %s", engine, text)
		}
		if text, ok := strings.CutPrefix(line, beginsLine); ok {
			_, err := fmt.Sscan(text, &last)
			require.NoError(t, err)
		}
	}
	if strings.Contains(string(out), doneLine) {
		return len(runs)
	}
	require.GreaterOrEqual(t, last, first, "%s: the child ran nothing: %v\n%s", engine, err, out)
	t.Errorf("%s ends the process over %s: %v", engine, runs[last].name, err)
	return last
}
