package compile_test

// This file compiles modules again, with the programs that were kept: equal and changed modules,
// other options, debug options, other budgets, damaged entries, and several processes at once.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// keepAll makes caches also keep programs that compile fast, until the test ends. It turns off the
// check of modules after each pass, because with debug options no program is kept.
func keepAll(t *testing.T) {
	t.Setenv(compile.DebugVar, "")
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	t.Cleanup(func() { cache.WorthKeeping = before })
}

// counted is a cache that counts the entries that are found and put.
type counted struct {
	cache.Cache
	found, put int
	keys       []cache.Key // keys of the entries that were put
}

func newCounted() *counted { return &counted{Cache: cache.NewMemory(1 << 30)} }

func (c *counted) Get(k cache.Key) ([]byte, error) {
	content, err := c.Cache.Get(k)
	if err == nil {
		c.found++
	}
	return content, err
}

func (c *counted) Put(k cache.Key, content []byte) error {
	c.put++
	c.keys = append(c.keys, k)
	return c.Cache.Put(k, content)
}

// keptStep is a training step. The tests change parts of it.
const keptStep = `module @step attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("x"), %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, tf.aliasing_output = 1 : i32} loc("w")) -> (tensor<8x8xf32> {jax.result_info = "y"}, tensor<8x8xf32> {jax.result_info = "w"}) {
    %rate = stablehlo.constant dense<0.5> : tensor<8x8xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("dense"("main.go":7:0))
    %1 = stablehlo.tanh %0 : tensor<8x8xf32>
    %2 = stablehlo.multiply %w, %rate : tensor<8x8xf32>
    return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}`

// If anything in the module changes, it is compiled again; an equal module is not. The program is
// the same as without a cache.
func TestKeptModules(t *testing.T) {
	keepAll(t)
	c := newCounted()
	compileKept := func(text string) *program.Program {
		m, err := ir.Parse(text)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
		require.NoError(t, err)
		want, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		requireEqualPrograms(t, want, p)
		return p
	}
	compileKept(keptStep)
	require.Equal(t, []int{0, 1}, []int{c.found, c.put})
	compileKept(keptStep)
	require.Equal(t, []int{1, 1}, []int{c.found, c.put})
	for _, change := range [][2]string{
		{"@step", "@other"},
		{"num_partitions = 8", "num_partitions = 4"},
		{`["x"=2, "y"=4]`, `["x"=4, "y"=2]`},
		{`["x"=2, "y"=4]`, `["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]`},
		{`[{"x"}, {}]`, `[{}, {"x"}]`},
		{`[{"x"}, {}]`, `[{"x", ?}, {}]`},
		{`[{}, {"y"}]`, `[{}, {}]`},
		{`loc("x")`, `loc("images")`},
		{`, tf.aliasing_output = 1 : i32`, ``},
		{`jax.result_info = "y"`, `jax.result_info = "z"`},
		{`jax.result_info = "y"}`, `jax.result_info = "y", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}`},
		{"dense<0.5>", "dense<0.50000006>"},
		{"dense<0.5>", "dense<-0.5>"},
		{"contracting_dims = [1] x [0]", "contracting_dims = [0] x [0]"},
		{"[DEFAULT, DEFAULT]", "[HIGHEST, HIGHEST]"},
		{`loc("dense"`, `loc("dense_1"`},
		{`"main.go":7`, `"main.go":8`},
		{"stablehlo.tanh", "stablehlo.cosine"},
		{"multiply %w, %rate", "multiply %rate, %w"},
		{"multiply %w, %rate", "add %w, %rate"},
		{"return %1, %2", "return %0, %2"},
	} {
		require.Contains(t, keptStep, change[0])
		put, found := c.put, c.found
		compileKept(strings.Replace(keptStep, change[0], change[1], 1))
		require.Equal(t, []int{found, put + 1}, []int{c.found, c.put}, "%s for %s", change[1], change[0])
	}
	m := ir.MustParse(keptStep) // the same text from another file, which messages name
	slot := m.Main().Body.Terminator()
	slot.Pos.File = "other.mlir"
	_, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	m = ir.MustParse(keptStep)
	slot.Pos.File, slot = "", m.Main().Body.First()
	slot.Results[0].Name = "rate"
	_, err = compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	require.Equal(t, 1, c.found)
}

// requireEqualPrograms requires that two programs have the same bytes in a file, the same text of
// their module and the same report.
func requireEqualPrograms(t *testing.T, want, got *program.Program) {
	t.Helper()
	var a, b bytes.Buffer
	require.NoError(t, want.Write(&a))
	require.NoError(t, got.Write(&b))
	require.True(t, bytes.Equal(a.Bytes(), b.Bytes()))
	require.Equal(t, want.Module.String(), got.Module.String())
	require.Equal(t, report.New(want).String(), report.New(got).String())
}

// Each option that a Program depends on is part of the key. Options that Compile checks each time
// are not.
func TestKeptOptions(t *testing.T) {
	keepAll(t)
	target, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(t, err)
	machineFor := func(text string, of hardware.Target) *cost.Machine {
		m, err := cost.MachineFor(of, mesh.MustParse(text))
		require.NoError(t, err)
		return m
	}
	slower := cost.Host()
	slower.Link.Bandwidth /= 2
	other := target
	other.Shape = []int{8, 1}
	changes := map[string][]compile.Options{
		"Partitioner":      {{Partitioner: compile.XLA}},
		"ShardedUpdate":    {{ShardedUpdate: true}},
		"FullySharded":     {{FullySharded: true}},
		"OffloadOptimizer": {{OffloadOptimizer: true}},
		"KeepLayouts":      {{KeepLayouts: true}},
		"ReduceDType":      {{ReduceDType: dtypes.Float32}, {ReduceDType: dtypes.BFloat16}},
		"Platform":         {{Platform: "tpu"}, {Platform: "cuda"}, {Platform: "goengine"}},
		"KeepPlacement":    {{KeepPlacement: true}},
		"MemoryLimit":      {{MemoryLimit: 1 << 30}, {MemoryLimit: 1 << 31}},
		"MicroBatches":     {{MicroBatches: 2}, {MicroBatches: 4}},
		"Machine": {{Machine: cost.Host()}, {Machine: slower}, {Machine: machineFor("x=2,y=4", target)},
			{Machine: machineFor("x=2,y=4", other)}, {Machine: func() *cost.Machine {
				m := cost.Default()
				m.Axes = map[string]cost.Link{"x": {Bandwidth: 1}}
				return m
			}()}},
	}
	policies := memory.NewPolicies()
	require.NoError(t, policies.Set("d1", memory.Recompute))
	changes["MemoryPolicies"] = []compile.Options{{MemoryPolicies: policies}, {MemoryPolicies: policies.WithScopes(map[string]string{"d2": "scope"})}}
	m := ir.MustParse(keptStep)
	keys := map[cache.Key]bool{}
	keyOf := func(o compile.Options) cache.Key {
		c := newCounted()
		o.Cache = c
		_, err := compile.Compile(t.Context(), m, o)
		require.NoError(t, err)
		require.Len(t, c.keys, 1)
		_, err = compile.Compile(t.Context(), m, o)
		require.NoError(t, err)
		require.Equal(t, 1, c.found)
		return c.keys[0]
	}
	keys[keyOf(compile.Options{})] = true
	for i := range reflect.TypeFor[compile.Options]().NumField() {
		switch name := reflect.TypeFor[compile.Options]().Field(i).Name; {
		case changes[name] != nil:
			for _, o := range changes[name] {
				k := keyOf(o)
				require.False(t, keys[k], "%s: %+v", name, o)
				keys[k] = true
			}
		case name == "Budget":
			require.True(t, keys[keyOf(compile.Options{Budget: report.Budget{Bytes: 1 << 30}})])
		default:
			require.Contains(t, []string{"Cache", "Debug"}, name, "say here whether programs depend on it")
		}
	}
	require.True(t, keys[keyOf(compile.Options{Machine: cost.Default()})], "it is the default")
}

// With debug options nothing is read from the cache, and nothing is kept.
func TestKeptDebug(t *testing.T) {
	keepAll(t)
	c := newCounted()
	m := ir.MustParse(keptStep)
	_, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	t.Setenv(compile.DebugVar, "off=cse")
	_, err = compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{c.found, c.put})
}

// A program from the cache must be compared with the budget of the call, not with that of the call
// that compiled it.
func TestKeptBudget(t *testing.T) {
	keepAll(t)
	c := newCounted()
	m := ir.MustParse(keptStep)
	_, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	_, err = compile.Compile(t.Context(), m, compile.Options{Cache: c, Budget: report.Budget{Memory: 8}})
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.Equal(t, 1, c.found)
}

// If the entry of a program is damaged, the program is compiled again and replaces the entry.
func TestKeptDamaged(t *testing.T) {
	keepAll(t)
	c := newCounted()
	m := ir.MustParse(keptStep)
	want, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
	require.NoError(t, err)
	key := c.keys[0]
	good, err := c.Cache.Get(key)
	require.NoError(t, err)
	for name, bad := range map[string][]byte{
		"nothing": nil, "text": []byte("module {}"), "half": good[:len(good)/2], "a byte less": good[:len(good)-1],
		"another beginning": append([]byte("XX"), good[2:]...), "another archive": []byte("PK\x05\x06" + strings.Repeat("\x00", 18)),
	} {
		require.NoError(t, c.Cache.Put(key, bad))
		got, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
		require.NoError(t, err, name)
		requireEqualPrograms(t, want, got)
		again, err := c.Cache.Get(key)
		require.NoError(t, err, name)
		require.True(t, bytes.Equal(good, again), name)
	}
}

const keptVar = "COMPILE_TEST_KEPT"

// Several processes that compile the same 12 modules at once, with one directory, get the same
// programs as without it, and leave one file for each module.
func TestKeptByProcesses(t *testing.T) {
	keepAll(t)
	if dir := os.Getenv(keptVar); dir != "" {
		c, err := cache.Open(dir, 1<<30)
		require.NoError(t, err)
		for i := range 36 {
			m := ir.MustParse(strings.Replace(keptStep, "dense<0.5>", fmt.Sprintf("dense<%d.5>", i*5%12), 1))
			got, err := compile.Compile(t.Context(), m, compile.Options{Cache: c})
			require.NoError(t, err)
			want, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			requireEqualPrograms(t, want, got)
		}
		return
	}
	dir := t.TempDir()
	var running []*exec.Cmd
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKeptByProcesses$")
		cmd.Env = append(os.Environ(), keptVar+"="+dir)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		require.NoError(t, cmd.Start())
		running = append(running, cmd)
	}
	for _, cmd := range running {
		require.NoError(t, cmd.Wait())
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 12)
}
