package compile_test

// This file tests that the reason of a collective does not contradict its axes.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// TestWhyAgreesWithAxes checks every collective of JAX's programs and of random ones: the sharding
// in its reason must follow from its axes and dimensions. The short form compiles a program of JAX
// with one of three options in turn.
func TestWhyAgreesWithAxes(t *testing.T) {
	files, err := filepath.Glob("../cmd/gospmd/testdata/jax/*.mlir")
	require.NoError(t, err)
	more, err := filepath.Glob("testdata/jax/*.mlir")
	require.NoError(t, err)
	files = append(files, more...)
	require.Greater(t, len(files), 15)
	collectives := 0
	options := []compile.Options{{}, {KeepLayouts: true}, {ShardedUpdate: true}}
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, o := range longtest.Pick(options[i%3:][:1], options) {
			m, err := ir.Parse(string(text))
			require.NoError(t, err)
			collectives += requireWhys(t, file, m, o)
		}
	}
	for seed := range longtest.Pick[uint64](80, 3000) {
		m := randprog.New(seed, randprog.Options{Ops: 6}).Module
		collectives += requireWhys(t, fmt.Sprintf("seed %d", seed), m, compile.Options{})
	}
	require.Greater(t, collectives, longtest.Pick(100, 400))
}

// requireWhys checks the reasons of the collectives in the program that m is compiled to with o,
// and returns their number; 0 if m cannot be compiled. name is for messages.
func requireWhys(t *testing.T, name string, m *ir.Module, o compile.Options) (n int) {
	p, err := compile.Compile(t.Context(), m, o)
	if err != nil {
		return 0 // programs that cannot be compiled have other tests
	}
	p.Module.Main().Walk(func(op *ir.Op) {
		if op.Info().Is(ir.Collective | ir.OnMesh) {
			n++
			if problem := contradiction(op); problem != "" {
				t.Errorf("%s: %s: %s", name, op, problem)
			}
		}
	})
	return n
}

// readAs matches the sharding that a reason says is needed.
var readAs = regexp.MustCompile(`(?:as|for) \[(.*)\]`)

// inSteps matches the note that the collective is only one of several steps to the wanted sharding.
var inSteps = regexp.MustCompile(`, in steps($|;)`)

// inBraces matches the dimensions of a sharding.
var inBraces = regexp.MustCompile(`\{[^}]*\}`)

// axis matches an axis, or a sub-axis, in the text of a sharding.
var axis = regexp.MustCompile(`"(\w+)"(?::\((\d+)\)(\d+))?`)

// axesIn returns the axes and sub-axes that occur in dims, the text of a sharding's dimensions, in
// their order.
func axesIn(dims string) (axes []mesh.AxisRef) {
	for _, found := range axis.FindAllStringSubmatch(dims, -1) {
		a := mesh.FullAxis(found[1])
		if found[2] != "" {
			pre, _ := strconv.Atoi(found[2])
			size, _ := strconv.Atoi(found[3])
			a = mesh.SubAxisRef(found[1], pre, size)
		}
		axes = append(axes, a)
	}
	return axes
}

// contradiction says how the reason of a collective contradicts its axes, or that it has none; ""
// if all is right.
func contradiction(op *ir.Op) string {
	why, _ := op.Attrs.Get("why").(ir.String)
	if why == "" {
		return "it has no reason"
	}
	var axes []mesh.AxisRef
	if a, ok := op.Attrs.Get("axes").(ir.AxesAttr); ok {
		axes = a
	}
	text := string(why)
	if strings.Contains(text, " over \"") {
		return "its reason names axes beside its own"
	}
	wanted := readAs.FindStringSubmatch(text)
	if wanted == nil || inSteps.MatchString(text) {
		return ""
	}
	shards := func(dims string) bool {
		return slices.ContainsFunc(axes, func(a mesh.AxisRef) bool { return slices.ContainsFunc(axesIn(dims), a.Overlaps) })
	}
	dims := inBraces.FindAllString(wanted[1], -1)
	switch op.Kind {
	case ir.OpSPMDAllGather:
		if len(dims) == op.Results[0].Type.Rank() && shards(dims[op.SPMDAllGather().Dim()]) {
			return "it gathers along an axis that is to shard the dimension"
		}
	case ir.OpSPMDReduceScatter:
		if !shards(wanted[1]) {
			return "it scatters along axes that are not to shard the value"
		}
	}
	return ""
}
