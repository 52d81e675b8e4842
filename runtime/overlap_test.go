package runtime_test

// This file tests executions on one device that overlap: random schedules of several goroutines,
// which donate, read and release arrays while executions are in progress, and an execution that
// fails between others.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// scheduled is a program of a schedule, and the same on the host. VEC stands for the type of its
// arguments and results, and DONATE for the attribute that donates the first argument.
type scheduled struct {
	text string
	host func(x, y []uint32) [][]uint32
}

// each returns a vector of f's values.
func each(f func(x, y uint32) uint32) func(x, y []uint32) []uint32 {
	return func(x, y []uint32) []uint32 {
		out := make([]uint32, len(x))
		for i := range x {
			out[i] = f(x[i], y[i])
		}
		return out
	}
}

// congruences returns a program that applies a linear congruence the given number of times.
func congruences(times int) scheduled {
	factor, summand := uint32(1), uint32(0)
	for range times {
		factor, summand = factor*1664525, summand*1664525+1013904223
	}
	return scheduled{strings.ReplaceAll(`func.func @main(%x: VEC DONATE) -> VEC {
  %n = stablehlo.constant dense<TIMES> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<1664525> : VEC
  %b = stablehlo.constant dense<1013904223> : VEC
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, VEC
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %m = stablehlo.multiply %v, %a : VEC
    %s = stablehlo.add %m, %b : VEC
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %s : tensor<i32>, VEC
  }
  return %r#1 : VEC
}`, "TIMES", fmt.Sprint(times)), func(x, _ []uint32) [][]uint32 {
		return [][]uint32{each(func(x, _ uint32) uint32 { return x*factor + summand })(x, x)}
	}}
}

// schedulePrograms returns short and long programs of one or two arguments. In some of them one
// element of a result depends on all elements of an argument.
func schedulePrograms(loops int) []scheduled {
	return []scheduled{
		congruences(1), congruences(loops),
		{`func.func @main(%x: VEC DONATE, %y: VEC) -> (VEC, VEC) {
  %s = stablehlo.add %x, %y : VEC
  %r = stablehlo.reverse %y, dims = [0] : VEC
  %d = stablehlo.subtract %r, %x : VEC
  return %s, %d : VEC, VEC
}`, func(x, y []uint32) [][]uint32 {
			back := slices.Clone(y)
			slices.Reverse(back)
			return [][]uint32{each(func(x, y uint32) uint32 { return x + y })(x, y), each(func(x, y uint32) uint32 { return y - x })(x, back)}
		}},
		{`func.func @main(%x: VEC DONATE, %y: VEC) -> VEC {
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (VEC, tensor<ui32>) -> tensor<ui32>
  %b = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<ui32>) -> VEC
  %s = stablehlo.add %b, %y : VEC
  return %s : VEC
}`, func(x, y []uint32) [][]uint32 {
			sum := uint32(0)
			for _, v := range x {
				sum += v
			}
			return [][]uint32{each(func(_, y uint32) uint32 { return sum + y })(x, y)}
		}},
	}
}

// scheduler runs random schedules on a client. loaded[2*i] is programs[i], and loaded[2*i+1] is the
// same program with its first argument donated.
type scheduler struct {
	c        *runtime.Client
	typ      ir.Type
	programs []scheduled
	loaded   []*runtime.Executable
}

func newScheduler(t *testing.T, c *runtime.Client, elements, loops int) *scheduler {
	s := &scheduler{c: c, typ: ir.Tensor(dtypes.Uint32, elements), programs: schedulePrograms(loops)}
	for _, p := range s.programs {
		for _, donate := range []string{"", "{tf.aliasing_output = 0 : i32}"} {
			m, err := ir.Parse(strings.NewReplacer("VEC", fmt.Sprintf("tensor<%dxui32>", elements), "DONATE", donate).Replace(p.text))
			require.NoError(t, err)
			compiled, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			e := load(t, c, compiled)
			if runtimetest.Engine() == runtime.EnginePJRT && c.Platform() != hardware.TPU {
				require.True(t, runtime.Starts(e), "executions overlap")
			}
			s.loaded = append(s.loaded, e)
		}
	}
	return s
}

// held is an array and the elements that it must have.
type held struct {
	array *runtime.Array
	want  []uint32
}

// check reads the array, and returns an error if it has other elements.
func (h held) check() error {
	got, err := runtime.Values[uint32](context.Background(), h.array)
	if err != nil {
		return err
	}
	if len(got) != len(h.want) {
		return fmt.Errorf("it has %d elements, want %d", len(got), len(h.want))
	}
	for i := range got {
		if got[i] != h.want[i] {
			return fmt.Errorf("element %d is %d, want %d", i, got[i], h.want[i])
		}
	}
	return nil
}

func (s *scheduler) put(random *rand.Rand) (held, error) {
	flat := make([]uint32, s.typ.Size())
	for i := range flat {
		flat[i] = random.Uint32()
	}
	a, err := s.c.Put(s.typ, nil, flat)
	return held{a, flat}, err
}

// run runs a random schedule of so many executions. common are arrays that other goroutines use
// too: they are never donated or released.
func (s *scheduler) run(random *rand.Rand, executions int, common []held) error {
	var own []held
	remove := func(i int) held {
		h := own[i]
		own = slices.Delete(own, i, i+1)
		return h
	}
	for executions > 0 {
		switch action := random.IntN(20); {
		case len(own) == 0 || action == 0 && len(own) < 30:
			h, err := s.put(random)
			if err != nil {
				return err
			}
			own = append(own, h)
		case action == 1:
			if err := own[random.IntN(len(own))].check(); err != nil {
				return err
			}
		case action == 2 || len(own) > 40:
			remove(random.IntN(len(own))).array.Release()
		default:
			executions--
			kind := random.IntN(len(s.loaded))
			from := random.IntN(len(own))
			x, y := own[from], own[random.IntN(len(own))]
			if random.IntN(3) == 0 || x.array == y.array {
				y = common[random.IntN(len(common))]
			}
			args := []*runtime.Array{x.array, y.array}[:len(s.loaded[kind].Program().Inputs)]
			results, err := s.loaded[kind].Run(args...)
			if err != nil {
				return err
			}
			if kind%2 == 1 {
				remove(from)
			}
			for i, want := range s.programs[kind/2].host(x.want, y.want) {
				own = append(own, held{results[i], want})
			}
		}
	}
	for _, h := range own {
		if err := h.check(); err != nil {
			return err
		}
		h.array.Release()
	}
	return nil
}

// Four goroutines run random schedules of 300 executions each on one device, 3,000 in the long
// form, with queues of depth 1 to 100; at most 16 executions are in progress. All arrays must have
// the elements that the host computes, and no schedule may hang.
func TestOverlappingExecutions(t *testing.T) {
	executions := longtest.Pick(300, 3000)
	for _, tc := range []struct{ depth, elements, loops int }{{1, 2000, 100}, {4, 5000, 250}, {16, 2000, 150}, {100, 1000, 150}} {
		t.Run(fmt.Sprintf("queue depth %d", tc.depth), func(t *testing.T) {
			c := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: runtimetest.Engine(), QueueDepth: tc.depth, CompilationCache: "memory"})
			s := newScheduler(t, c, tc.elements, tc.loops)
			random := rand.New(rand.NewPCG(uint64(tc.depth), 3))
			var common []held
			for range 3 {
				h, err := s.put(random)
				require.NoError(t, err)
				common = append(common, h)
			}
			var wait sync.WaitGroup
			for i := range 4 {
				wait.Go(func() {
					if err := s.run(rand.New(rand.NewPCG(uint64(tc.depth), uint64(100+i))), executions, common); err != nil {
						t.Errorf("goroutine %d: %v", i, err)
					}
				})
			}
			ended := make(chan struct{})
			go func() { wait.Wait(); close(ended) }()
			select {
			case <-ended:
			case <-time.After(5 * time.Minute):
				panic("the executions do not end")
			}
			for _, h := range common {
				require.NoError(t, h.check())
				h.array.Release()
			}
		})
	}
}

// An execution that needs more memory than a GPU has fails, and so do the executions that depend on
// it. Executions before it and after it do not.
func TestTooLargeAmongOthers(t *testing.T) {
	if os.Getenv(runtime.PlatformVar) != hardware.CUDA {
		needs.Skip(t, "a GPU", "run with GOSPMD_PLATFORM=cuda on a machine that has one", nil)
	}
	c := runtimetest.OpenWith(t, runtime.Options{Devices: 1, QueueDepth: 16})
	s := newScheduler(t, c, 1000, 2000)
	m, err := ir.Parse(`func.func @main(%x: tensor<1000xui32>) -> (tensor<1000xui32>, tensor<400x1000x1000x1000xui8>) {
  %b = stablehlo.convert %x : (tensor<1000xui32>) -> tensor<1000xui8>
  %l = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1000xui8>) -> tensor<400x1000x1000x1000xui8>
  return %x, %l : tensor<1000xui32>, tensor<400x1000x1000x1000xui8>
}`)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	small, large := s.loaded[2], load(t, c, p) // 2000 congruences; 400 GB
	x, err := s.put(rand.New(rand.NewPCG(1, 1)))
	require.NoError(t, err)
	run := func(e *runtime.Executable, a *runtime.Array) *runtime.Array {
		results, err := e.Run(a)
		require.NoError(t, err)
		return results[0]
	}
	before := run(small, x.array)
	failed := run(large, before)
	dependent, after := run(small, failed), run(small, before)
	require.ErrorContains(t, failed.Wait(t.Context()), "ut of memory")
	require.ErrorContains(t, dependent.Wait(t.Context()), "comes from a run that failed")
	once := s.programs[1].host(x.want, nil)[0]
	require.NoError(t, held{before, once}.check())
	require.NoError(t, held{after, s.programs[1].host(once, nil)[0]}.check())
	for _, a := range []*runtime.Array{x.array, before, failed, dependent, after} {
		a.Release()
	}
}
