package explain_test

// This file follows the values of six programs through the compiler. The runs in their explanations
// must agree with the printed module of a device.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
)

// programs are of six kinds. The transformer is the training step of examples/transformer, before
// all passes (GOSPMD_DEBUG=dump=DIR).
var programs = []struct {
	name, file string
	products   int // number of matrix products; 0: a function that has some is called twice
}{
	{"mlp", "../../cmd/gospmd/testdata/jax/mlp_step.mlir", 5},
	{"convolution", "../../cmd/gospmd/testdata/jax/conv_step.mlir", 3},
	{"transformer", "testdata/transformer.mlir.gz", 99},
	{"embedding", "testdata/embedding.mlir", 3},
	{"scan", "../testdata/jax/recurrence.mlir", 1},
	{"located", "testdata/located.mlir", 0},
}

func read(t testing.TB, file string) *ir.Module {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		data, err = io.ReadAll(z)
		require.NoError(t, err)
	}
	m, err := ir.Parse(string(data))
	require.NoError(t, err)
	return m
}

func explainModule(t testing.TB, m *ir.Module, o compile.Options) *explain.Explanation {
	e, err := compile.Explain(t.Context(), m, o)
	require.NoError(t, err)
	require.NoError(t, e.Err)
	return e
}

// printed is an op with one result, as it is in the text of a module.
type printed struct{ name, op, typ string }

var (
	opLine   = regexp.MustCompile(`^\s*(%\d+) = "?([\w.]+)`)
	lastType = regexp.MustCompile(`tensor<[^<>]*(?:<[^<>]*>)?[^<>]*>`)
)

// printedOps reads the ops from the text of the per-device module. It leaves out ops with several
// results, and those whose first line has no type, such as reductions.
func printedOps(text string) (out []printed) {
	for line := range strings.SplitSeq(text, "\n") {
		m := opLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		types := lastType.FindAllString(line, -1)
		if len(types) == 0 { // a reduction has its type before its body
			continue
		}
		out = append(out, printed{m[1], m[2], types[len(types)-1]})
	}
	return out
}

func TestRunsAsIsWhatIsPrinted(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			for _, o := range longtest.Pick([]compile.Options{{}}, []compile.Options{{}, {KeepLayouts: true}, {ShardedUpdate: true}}) {
				m := read(t, p.file)
				before := m.String()
				e := explainModule(t, m, o)
				require.Equal(t, before, m.String(), "the module stays as it is")
				program, err := compile.Compile(t.Context(), m, o)
				require.NoError(t, err)
				requireRuns(t, e, program.Module.String(), p.products)
				requireStands(t, e, report.New(program))
			}
		})
	}
}

// requireRuns requires that the values that e explains, and how each runs, agree with the ops in
// text, the printed per-device module: each op with its local shape is in text. A value that does
// not run must have a reason. products is the number of matrix products.
func requireRuns(t *testing.T, e *explain.Explanation, text string, products int) {
	ops := printedOps(text)
	var told []printed
	made, running := 0, 0
	for _, v := range e.Values {
		if v.Kind != explain.Made {
			continue
		}
		made++
		reasons := v.Because()
		if len(v.Runs) == 0 {
			require.NotEmpty(t, reasons, "%s does not run: why?", v.Name)
			continue
		}
		running++
		for i, r := range v.Runs {
			require.Equal(t, r.Sharding.LocalShape(v.Type.Dims), dimsOr(r.Local.Dims, v.Type.Dims), "%s as %s", v.Name, r)
			if strings.Contains(r.Name, "#") || !strings.Contains(text, "  "+r.Name+" = ") || isReduce(r.Op) {
				continue // one of several results, or printed in several lines
			}
			want := printed{r.Name, r.Op, r.Local.String()}
			require.True(t, slices.ContainsFunc(ops, func(p printed) bool {
				return p.name == want.name && p.typ == want.typ && strings.HasSuffix(want.op, p.op)
			}), "%s is said to run as %v", v.Name, want)
			// If only the transpose of a product is read, the product has the name of the
			// transpose.
			if i == 0 && r.Op == "stablehlo.dot_general" && (v.Op == r.Op || v.Name == r.Name) {
				told = append(told, printed{r.Name, "stablehlo.dot_general", r.Local.String()})
				if v.Op == r.Op && !strings.HasPrefix(v.Name, "@") {
					require.Equal(t, v.Name, r.Name, "a product of main has one name")
				}
			}
		}
		if first := v.Runs[0]; v.Asked != nil && len(reasons) == 0 {
			require.Equal(t, v.Asked.LocalShape(v.Type.Dims), dimsOr(first.Local.Dims, v.Type.Dims), "%s runs otherwise than asked, without a reason", v.Name)
		}
	}
	require.Greater(t, running, made/4)
	if products > 0 {
		run := slices.DeleteFunc(ops, func(p printed) bool { return p.op != "stablehlo.dot_general" })
		require.Len(t, told, products)
		require.ElementsMatch(t, run, told, "the products that run are those that are told")
	}
	data, err := json.Marshal(e.Values)
	require.NoError(t, err)
	require.True(t, json.Valid(data))
}

// isReduce reports whether the op with that full name has a body in its text: a reduction, a
// loop, a branch, or the like.
func isReduce(op string) bool {
	return slices.Contains([]string{"stablehlo.reduce", "stablehlo.scatter", "stablehlo.reduce_window", "stablehlo.select_and_scatter", "stablehlo.sort", "stablehlo.while", "stablehlo.if", "stablehlo.case"}, op)
}

// dimsOr returns dims, or an empty list instead of dims if the tensor is a scalar: if global has no
// dimensions.
func dimsOr(dims, global []int) []int {
	if len(global) == 0 {
		return []int{}
	}
	return dims
}

// requireStands fails the test unless each collective of the report names at least one value, and e
// explains all values that it names.
func requireStands(t *testing.T, e *explain.Explanation, r *report.Report) {
	for _, c := range r.Collectives {
		require.NotEmpty(t, c.Values, "%s for %s: %s", c.Kind, c.Op, c.Why)
		for _, name := range c.Values {
			_, err := e.Value(name)
			require.NoError(t, err)
		}
	}
}

// The comment of examples/transformer says this about its layouts: if layouts are not binding, the
// compiler shards the batch over both axes; if they are, the hidden dimension is sharded like the
// weights.
func TestTransformerAsItsCommentSays(t *testing.T) {
	up := func(o compile.Options) *explain.Value {
		e := explainModule(t, read(t, "testdata/transformer.mlir.gz"), o)
		i := slices.IndexFunc(e.Values, func(v *explain.Value) bool { return v.Layer == "block1_up" && v.Op == "stablehlo.dot_general" })
		return e.Values[i]
	}
	v := up(compile.Options{})
	require.Equal(t, `[{"data", ?}, {?}, {"model", ?}]`, v.Asked.String())
	require.Equal(t, `[{"data", "model"}, {}, {}]`, v.Runs[0].Sharding.String())
	require.Equal(t, "2x64x512xf32", v.Runs[0].Local.Short())
	reasons := v.Because()
	require.NotEmpty(t, reasons)
	require.Equal(t, explain.Search, reasons[0].Kind)
	require.Positive(t, reasons[0].Seconds)
	require.Contains(t, v.String(), "because: step ")

	v = up(compile.Options{KeepLayouts: true})
	require.Equal(t, `[{"data"}, {}, {"model"}]`, v.Runs[0].Sharding.String())
	require.Empty(t, v.Because())
}

// Chains of origins must be short, even if an axis has passed many layers.
func TestChainsAreShort(t *testing.T) {
	e := explainModule(t, read(t, "testdata/transformer.mlir.gz"), compile.Options{})
	var lengths []int
	for _, v := range e.Values {
		for _, o := range v.Chains() {
			lengths = append(lengths, len(o.Chain))
		}
	}
	slices.Sort(lengths)
	require.LessOrEqual(t, lengths[len(lengths)-1], 10)
	require.LessOrEqual(t, lengths[len(lengths)/2], 5)
}
