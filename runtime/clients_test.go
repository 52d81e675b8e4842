//go:build cgo

package runtime_test

// This file tests clients of one process that execute at once: random programs of collectives on
// clients of different numbers of devices, by several goroutines, with queues of any depth. Each
// client must compute what it computes alone, and none may hang.

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

var (
	clientsExecutions = flag.Int("executions", 0, "the number of executions of TestClients; 0 for its own")
	clientsSeed       = flag.Uint64("clientseed", 1, "the seed of TestClients")
)

// rowsOfShard and columns are the shape of each device's tensor in these programs. rowsOfShard is
// divisible by each number of devices in use.
const (
	rowsOfShard = 96
	columns     = 8
)

// randomGroups divides n devices, in random order, into groups of the same size, which also divides
// rowsOfShard. It returns the text of the groups, and that size.
func randomGroups(random *rand.Rand, n int) (groups string, size int) {
	var sizes []int
	for s := 1; s <= n; s++ {
		if n%s == 0 && rowsOfShard%s == 0 {
			sizes = append(sizes, s)
		}
	}
	size = sizes[random.IntN(len(sizes))]
	var rows []string
	order := random.Perm(n)
	for at := 0; at < n; at += size {
		rows = append(rows, strings.ReplaceAll(fmt.Sprint(order[at:at+size]), " ", ", "))
	}
	return fmt.Sprintf("dense<[%s]> : tensor<%dx%dxi64>", strings.Join(rows, ", "), n/size, size), size
}

// collectiveMakers write the text of ops on n devices that compute %y from %x. In it SHARD stands
// for the type of both, and (ADD) or (ADDCOMPLEX) for the body of a reduction. Sums are divided by
// the size of the group, so that numbers stay small.
var collectiveMakers = []func(random *rand.Rand, n int) string{
	func(random *rand.Rand, n int) string {
		groups, size := randomGroups(random, n)
		return fmt.Sprintf(`%%s = "stablehlo.all_reduce"(%%x) <{replica_groups = %s}> (ADD) : (SHARD) -> SHARD
%%d = stablehlo.constant dense<%d.0> : SHARD
%%y = stablehlo.divide %%s, %%d : SHARD`, groups, size)
	},
	func(random *rand.Rand, n int) string {
		groups, size := randomGroups(random, n)
		at := random.IntN(size)
		return fmt.Sprintf(`%%g = "stablehlo.all_gather"(%%x) {all_gather_dim = 0 : i64, replica_groups = %s} : (SHARD) -> tensor<%dx%dxf32>
%%y = stablehlo.slice %%g [%d:%d, 0:%d] : (tensor<%[2]dx%[3]dxf32>) -> SHARD`, groups, size*rowsOfShard, columns, at*rowsOfShard, (at+1)*rowsOfShard, columns)
	},
	func(random *rand.Rand, n int) string {
		groups, size := randomGroups(random, n)
		rows := rowsOfShard / size
		return fmt.Sprintf(`%%s = "stablehlo.reduce_scatter"(%%x) <{scatter_dimension = 0 : i64, replica_groups = %[1]s}> (ADD) : (SHARD) -> tensor<%[2]dx%[3]dxf32>
%%d = stablehlo.constant dense<%[4]d.0> : tensor<%[2]dx%[3]dxf32>
%%m = stablehlo.divide %%s, %%d : tensor<%[2]dx%[3]dxf32>
%%y = "stablehlo.all_gather"(%%m) {all_gather_dim = 0 : i64, replica_groups = %[1]s} : (tensor<%[2]dx%[3]dxf32>) -> SHARD`, groups, rows, columns, size)
	},
	func(random *rand.Rand, n int) string {
		groups, size := randomGroups(random, n)
		return fmt.Sprintf(`%%y = "stablehlo.all_to_all"(%%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = %d : i64, replica_groups = %s} : (SHARD) -> SHARD`, size, groups)
	},
	func(random *rand.Rand, n int) string {
		var pairs []string
		for from, to := range random.Perm(n) {
			pairs = append(pairs, fmt.Sprintf("[%d, %d]", from, to))
		}
		return fmt.Sprintf(`%%y = "stablehlo.collective_permute"(%%x) {source_target_pairs = dense<[%s]> : tensor<%dx2xi64>} : (SHARD) -> SHARD`, strings.Join(pairs, ", "), n)
	},
	// XLA itself sums complex numbers.
	func(random *rand.Rand, n int) string {
		groups, size := randomGroups(random, n)
		complexShard := fmt.Sprintf("tensor<%dx%dxcomplex<f32>>", rowsOfShard, columns)
		return fmt.Sprintf(`%%m = stablehlo.complex %%x, %%x : %[1]s
%%s = "stablehlo.all_reduce"(%%m) <{replica_groups = %[2]s}> (ADDCOMPLEX) : (%[1]s) -> %[1]s
%%g = stablehlo.real %%s : (%[1]s) -> SHARD
%%d = stablehlo.constant dense<%[3]d.0> : SHARD
%%y = stablehlo.divide %%g, %%d : SHARD`, complexShard, groups, size)
	},
	func(random *rand.Rand, n int) string {
		return fmt.Sprintf(`%%c = stablehlo.constant dense<%d.5> : SHARD
%%y = stablehlo.subtract %%c, %%x : SHARD`, random.IntN(3))
	},
}

// adder returns the text of the reduction body of an all_reduce that sums elements of dtype.
func adder(dtype string) string {
	return fmt.Sprintf("({\n^bb0(%%u: tensor<%[1]s>, %%w: tensor<%[1]s>):\n %%z = stablehlo.add %%u, %%w : tensor<%[1]s>\n stablehlo.return %%z : tensor<%[1]s>\n})", dtype)
}

// randomPartitionedProgram returns a program for n devices that XLA partitions, with collectives of
// XLA's own. Its result is donated its argument's memory.
func randomPartitionedProgram(t testing.TB, random *rand.Rand, n int) *program.Program {
	rows := n * rowsOfShard
	m, err := ir.Parse(fmt.Sprintf(`module @partitioned {
sdy.mesh @mesh = <["x"=%[1]d]>
func.func @main(%%v: tensor<%[2]dx%[3]dxf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<%[2]dx%[3]dxf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %%zero = stablehlo.constant dense<0.0> : tensor<f32>
  %%s = stablehlo.reduce(%%v init: %%zero) applies stablehlo.add across dimensions = [0] : (tensor<%[2]dx%[3]dxf32>, tensor<f32>) -> tensor<%[3]dxf32>
  %%n = stablehlo.constant dense<%[2]d.0> : tensor<%[3]dxf32>
  %%mean = stablehlo.divide %%s, %%n : tensor<%[3]dxf32>
  %%b = stablehlo.broadcast_in_dim %%mean, dims = [1] : (tensor<%[3]dxf32>) -> tensor<%[2]dx%[3]dxf32>
  %%r = stablehlo.reverse %%v, dims = [0] : tensor<%[2]dx%[3]dxf32>
  %%c = stablehlo.constant dense<%[4]d.5> : tensor<%[2]dx%[3]dxf32>
  %%d = stablehlo.subtract %%b, %%r : tensor<%[2]dx%[3]dxf32>
  %%y = stablehlo.add %%d, %%c : tensor<%[2]dx%[3]dxf32>
  return %%y : tensor<%[2]dx%[3]dxf32>
}
}`, n, rows, columns, random.IntN(2)))
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: compile.XLA})
	require.NoError(t, err)
	return p
}

// randomCollectives returns a program of random collectives on n devices. Its argument is donated
// to its result, so that each execution can take the last result.
func randomCollectives(t testing.TB, random *rand.Rand, n int) *program.Program {
	shard := fmt.Sprintf("tensor<%dx%dxf32>", rowsOfShard, columns)
	var body strings.Builder
	ops := 1 + random.IntN(6)
	for i := range ops {
		text := collectiveMakers[random.IntN(len(collectiveMakers))](random, n)
		names := []string{"%x", fmt.Sprintf("%%v%d", i), "%y", fmt.Sprintf("%%v%d", i+1)}
		for _, name := range []string{"s", "d", "g", "m", "c"} {
			names = append(names, "%"+name+" ", fmt.Sprintf("%%%s%d ", name, i), "%"+name+",", fmt.Sprintf("%%%s%d,", name, i), "%"+name+")", fmt.Sprintf("%%%s%d)", name, i))
		}
		names = append(names, "SHARD", shard, "(ADD)", adder("f32"), "(ADDCOMPLEX)", adder("complex<f32>"))
		fmt.Fprintln(&body, strings.NewReplacer(names...).Replace(text))
	}
	text := fmt.Sprintf("module @collectives {\n sdy.mesh @mesh = <[\"x\"=%d]>\nfunc.func @main(%%v0: %s {tf.aliasing_output = 0 : i32}) -> %[2]s {\n%sreturn %%v%d : %[2]s\n}\n}", n, shard, body.String(), ops)
	m, err := ir.Parse(text)
	require.NoError(t, err, "%s", text)
	require.NoError(t, ir.Verify(m), "%s", text)
	p := &program.Program{Name: "collectives", Form: program.PerDevice, Mesh: m.Meshes[0].Mesh, Module: m}
	local := ir.Tensor(dtypes.Float32, rowsOfShard, columns)
	s := layout.Replicated(p.Mesh, 2)
	s.Dims[0].Axes = mesh.FullAxes("x")
	info := program.TensorInfo{Type: local.WithDims([]int{n * rowsOfShard, columns}), Local: local, Sharding: s}
	p.Inputs = []program.Input{{TensorInfo: info, Alias: 0}}
	p.Outputs = []program.Output{{TensorInfo: info}}
	return p
}

// chain executes e, a program of one vector, the given number of times. The first argument is
// random by seed, and then each result is the next argument. It returns the elements of the last
// result.
func chain(c *runtime.Client, e *runtime.Executable, times int, seed uint64) ([]float32, error) {
	info := e.Program().Inputs[0]
	random := rand.New(rand.NewPCG(seed, 2))
	flat := make([]float32, info.Type.Size())
	for i := range flat {
		flat[i] = float32(random.IntN(64))
	}
	a, err := c.Put(info.Type, info.Sharding, flat)
	if err != nil {
		return nil, err
	}
	for range times {
		results, err := e.Run(a)
		if err != nil {
			return nil, err
		}
		a = results[0]
	}
	defer a.Release()
	return runtime.Values[float32](context.Background(), a)
}

// clientCase is a client with a number of devices and a depth of its queue, the programs that it
// loads, and the loops of goroutines that run them.
type clientCase struct {
	devices, depth int
	programs       []*program.Program
	loops          []clientLoop
}

// clientLoop describes what one goroutine does with a client.
type clientLoop struct {
	program, times int
	seed           uint64
}

func (c clientCase) String() string {
	return fmt.Sprintf("%d devices, queue depth %d, %d goroutines", c.devices, c.depth, len(c.loops))
}

// run opens the client, runs all loops (in parallel if atOnce is true, or else one after the
// other), and returns their results.
func (c clientCase) run(atOnce bool) ([][]float32, error) {
	client, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, Devices: c.devices,
		QueueDepth: c.depth, CompilationCache: "memory", CollectiveTimeout: 2 * time.Minute})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	executables := make([]*runtime.Executable, len(c.programs))
	for i, p := range c.programs {
		if executables[i], err = client.Load(context.Background(), p); err != nil {
			return nil, err
		}
		defer executables[i].Close()
	}
	results, errs := make([][]float32, len(c.loops)), make([]error, len(c.loops))
	var wait sync.WaitGroup
	for i, l := range c.loops {
		run := func() { results[i], errs[i] = chain(client, executables[l.program], l.times, l.seed) }
		if atOnce {
			wait.Go(run)
		} else {
			run()
		}
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// randomClients returns some clients that are to execute at once, and the number of their
// executions.
func randomClients(t testing.TB, random *rand.Rand) (cases []clientCase, executions int) {
	pick := func(of ...int) int { return of[random.IntN(len(of))] }
	for range 1 + random.IntN(4) {
		c := clientCase{devices: pick(1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16, 24, 32), depth: pick(1, 2, 4, 4, 16, 100, 1000)}
		for range 1 + random.IntN(2) {
			make := randomCollectives
			if random.IntN(6) == 0 {
				make = randomPartitionedProgram
			}
			c.programs = append(c.programs, make(t, random, c.devices))
		}
		for range 1 + random.IntN(3) {
			l := clientLoop{program: random.IntN(len(c.programs)), times: pick(1, 3, 20, 100, 300) / (1 + c.devices/16), seed: random.Uint64()}
			l.times = max(l.times, 1)
			executions += l.times
			c.loops = append(c.loops, l)
		}
		cases = append(cases, c)
	}
	return cases, executions
}

// TestClients runs random clients in parallel, then each one alone, until there were 500
// executions, 10,000 in the long form. The results must be equal, and all runs must end within five
// minutes.
func TestClients(t *testing.T) {
	want := longtest.Pick(500, 10_000)
	if *clientsExecutions > 0 {
		want = *clientsExecutions
	}
	done, rounds := 0, 0
	for seed := *clientsSeed; done < want; seed++ {
		random := rand.New(rand.NewPCG(seed, 1))
		cases, executions := randomClients(t, random)
		got := make([][][]float32, len(cases))
		errs := make([]error, len(cases))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			var wait sync.WaitGroup
			for i, c := range cases {
				wait.Go(func() { got[i], errs[i] = c.run(true) })
			}
			wait.Wait()
		}()
		select {
		case <-ended:
		case <-time.After(5 * time.Minute):
			panic(fmt.Sprintf("seed %d: executions do not end: %v", seed, cases))
		}
		for i, c := range cases {
			require.NoError(t, errs[i], "seed %d: %v, beside %v", seed, c, cases)
			alone, err := c.run(false)
			require.NoError(t, err, "seed %d: %v, alone", seed, c)
			require.Equal(t, alone, got[i], "seed %d: %v, beside %v", seed, c, cases)
		}
		done, rounds = done+executions, rounds+1
	}
	t.Logf("%d executions of %d random sets of clients: 0 wrong, 0 hung", done, rounds)
}
