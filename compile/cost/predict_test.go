package cost_test

// This file tests predictions: some figures computed by hand, and that a faster machine is never
// predicted to be slower.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
)

// slowMachine computes 1000 FLOPs per second in float32, 500 at precision HIGHEST and 4000 in
// bfloat16, reads 100 bytes per second, sends 10, and takes a second to launch a collective.
// overlap says that it computes while it sends.
func slowMachine(overlap bool) *cost.Machine {
	return &cost.Machine{
		Name: "slow", FlopsPerSecond: 1000, Flops: map[dtypes.DType]float64{dtypes.BFloat16: 4000}, Exact: 500,
		MemoryBandwidth: 100, Overlap: overlap,
		Link: cost.Link{Kind: "wire", Latency: 1, Bandwidth: 10},
	}
}

func TestPredict(t *testing.T) {
	dot := func(in, out, name string) string {
		return fmt.Sprintf("%s = stablehlo.dot_general %%a, %%a, contracting_dims = [1] x [0] : (tensor<8x8x%s>, tensor<8x8x%s>) -> tensor<8x8x%s>\n", name, in, in, out)
	}
	const loop = `%z = stablehlo.constant dense<0> : tensor<i32>
%0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<8x8xf32>
cond {
  %n = stablehlo.constant dense<5> : tensor<i32>
  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
} do {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %one : tensor<i32>
  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  stablehlo.return %j, %y : tensor<i32>, tensor<8x8xf32>
}
return %0#1 : tensor<8x8xf32>
}`
	for _, tc := range []struct {
		name, arg, body string
		overlap         bool
		seconds         float64
		bound           string
		bytes           int
	}{
		{"a product reads 256 bytes and writes as many", "8x8xf32", dot("f32", "f32", "%0") + "return %0 : tensor<8x8xf32>\n}", false, 5.12, "memory", 512},
		{"halves", "8x8xbf16", dot("bf16", "bf16", "%0") + "return %0 : tensor<8x8xbf16>\n}", false, 2.56, "memory", 256},
		{"what follows a product is in it", "8x8xf32", dot("f32", "f32", "%0") + "%1 = stablehlo.negate %0 : tensor<8x8xf32>\nreturn %1 : tensor<8x8xf32>\n}", false, 5.12, "memory", 512},
		{"element-wise ops run together", "8x8xf32",
			"%0 = stablehlo.negate %a : tensor<8x8xf32>\n%1 = stablehlo.exponential %0 : tensor<8x8xf32>\n%2 = stablehlo.add %1, %a : tensor<8x8xf32>\nreturn %2 : tensor<8x8xf32>\n}",
			false, 5.12, "memory", 512},
		{"a slice reads what it takes", "8x8xf32", "%0 = stablehlo.slice %a [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>\nreturn %0 : tensor<1x8xf32>\n}", false, .64, "memory", 64},
		{"an all-reduce of four sends 2·3/4", "8x8xf32", `%0 = spmd.all_reduce %a axes={"y"} reduction=add : tensor<8x8xf32>` + "\nreturn %0 : tensor<8x8xf32>\n}", true, 1 + 38.4, "wire along y", 0},
		{"one after the other", "8x8xf32",
			`%0 = spmd.shift %a axes={"x"} offset=1 : tensor<8x8xf32>` + "\n" + dot("f32", "f32", "%1") + "return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>\n}", false, 26.6 + 5.12, "wire along x", 512},
		{"at the same time", "8x8xf32",
			`%0 = spmd.shift %a axes={"x"} offset=1 : tensor<8x8xf32>` + "\n" + dot("f32", "f32", "%1") + "return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>\n}", true, 26.6, "wire along x", 512},
		{"one needs the other", "8x8xf32",
			dot("f32", "f32", "%1") + `%0 = spmd.shift %1 axes={"x"} offset=1 : tensor<8x8xf32>` + "\nreturn %0 : tensor<8x8xf32>\n}", true, 5.12 + 26.6, "wire along x", 512},
		// Each of the 6 times the condition reads 4 bytes and writes one; the counter reads and
		// writes 4 bytes.
		{"a loop of five", "8x8xf32", loop, false, 5*(5.12+.08) + 6*.05, "memory", 5*(512+8) + 6*5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f := parse(t, "func.func @main(%a: tensor<"+tc.arg+">) -> "+results(tc.body)+" {\n"+tc.body)
			p := slowMachine(tc.overlap).Predict(m.Meshes[0].Mesh, f)
			require.InDelta(t, tc.seconds, p.Seconds, 1e-9)
			require.Equal(t, tc.bound, p.Bound)
			require.Equal(t, tc.bytes, p.BytesAccessed)
		})
	}
}

// The predicted time of a product counts its FLOPs at the peak of its element type and precision. A
// type without a peak of its own has FlopsPerSecond.
func TestPredictByType(t *testing.T) {
	for _, tc := range []struct {
		name, dtype, precision string
		seconds                float64
	}{
		{"what no peak is known of", "f32", "DEFAULT", 1.024},
		{"halves", "bf16", "DEFAULT", .256},
		{"full precision", "f32", "HIGHEST", 2.048},
		{"halves have no other", "bf16", "HIGHEST", .256},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f := parse(t, fmt.Sprintf("func.func @main(%%a: tensor<8x8x%[1]s>) -> tensor<8x8x%[1]s> {\n%%0 = stablehlo.dot_general %%a, %%a, contracting_dims = [1] x [0], "+
				"precision = [%[2]s, %[2]s] : (tensor<8x8x%[1]s>, tensor<8x8x%[1]s>) -> tensor<8x8x%[1]s>\nreturn %%0 : tensor<8x8x%[1]s>\n}", tc.dtype, tc.precision))
			machine := slowMachine(false)
			machine.MemoryBandwidth = 0
			p := machine.Predict(m.Meshes[0].Mesh, f)
			require.InDelta(t, tc.seconds, p.Seconds, 1e-9)
			require.Equal(t, "compute", p.Bound)
		})
	}
}

// results returns the result types in the last line of a function, in parentheses.
func results(body string) string {
	_, types, _ := strings.Cut(body[strings.LastIndex(body, "return"):], " : ")
	return "(" + strings.TrimSuffix(types, "\n}") + ")"
}

// A machine with a faster part is never predicted to be slower, in 300 random programs and
// machines. The predicted time is between the longer of the times of kernels and of sending, and
// their sum.
func TestPredictIsMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		m, f := parse(t, randomBody(r))
		dm := m.Meshes[0].Mesh
		random := func() float64 { return math.Exp(6 * r.Float64()) }
		machine := cost.Machine{
			Platform: []string{"cuda", "tpu"}[r.IntN(2)], FlopsPerSecond: random(), MemoryBandwidth: random(), Overlap: r.IntN(4) > 0,
			Axes: map[string]cost.Link{"x": {Latency: random(), Bandwidth: random()}, "y": {Latency: random(), Bandwidth: random()}},
		}
		p := machine.Predict(dm, f)
		sent := 0.0
		for _, l := range p.Links {
			sent += l.Seconds
		}
		require.GreaterOrEqual(t, p.Seconds*(1+1e-9), max(p.Compute+p.Memory, sent))
		require.LessOrEqual(t, p.Seconds, (p.Compute+p.Memory+sent)*(1+1e-9))
		faster := 1 + 3*r.Float64()
		for part, change := range map[string]func(*cost.Machine){
			"flops":  func(m *cost.Machine) { m.FlopsPerSecond *= faster },
			"memory": func(m *cost.Machine) { m.MemoryBandwidth *= faster },
			"x": func(m *cost.Machine) {
				m.Axes = map[string]cost.Link{"x": {Latency: m.Axes["x"].Latency, Bandwidth: m.Axes["x"].Bandwidth * faster}, "y": m.Axes["y"]}
			},
			"latency": func(m *cost.Machine) {
				m.Axes = map[string]cost.Link{"x": m.Axes["x"], "y": {Latency: m.Axes["y"].Latency / faster, Bandwidth: m.Axes["y"].Bandwidth}}
			},
			"overlap": func(m *cost.Machine) { m.Overlap = true },
		} {
			next := machine
			change(&next)
			require.LessOrEqual(t, next.Predict(dm, f).Seconds, p.Seconds*(1+1e-9), "%s, in\n%s", part, m)
		}
	}
}

// randomBody returns the text of a function main from one tensor<8x8xf32> to another, with 3 to 22
// random ops: products, element-wise ops and collectives along x or y. Each op reads earlier
// values. The last one is the result.
func randomBody(r *rand.Rand) string {
	ops := []string{
		"stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
		"stablehlo.add %s, %s : tensor<8x8xf32>",
		"stablehlo.exponential %s : tensor<8x8xf32>",
		`spmd.all_reduce %s axes={"y"} reduction=add : tensor<8x8xf32>`,
		`spmd.shift %s axes={"x"} offset=1 : tensor<8x8xf32>`,
		`spmd.all_reduce %s axes={"x", "y"} reduction=add : tensor<8x8xf32>`,
		`spmd.all_gather %s dim=1 axes={"y"} : (tensor<8x2xf32>) -> tensor<8x8xf32>`,
	}
	values := []string{"%a"}
	text := "func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
	for i := range 3 + r.IntN(20) {
		op := ops[r.IntN(len(ops))]
		var args []any
		for range strings.Count(op, "%s") {
			args = append(args, values[r.IntN(len(values))])
		}
		if strings.Contains(op, "8x2") { // it gathers the first columns
			part := fmt.Sprintf("%%part%d", i)
			text += fmt.Sprintf("%s = stablehlo.slice %s [0:8, 0:2] : (tensor<8x8xf32>) -> tensor<8x2xf32>\n", part, args[0])
			args[0] = part
		}
		values = append(values, fmt.Sprintf("%%%d", i))
		text += values[len(values)-1] + " = " + fmt.Sprintf(op, args...) + "\n"
	}
	return text + "return " + values[len(values)-1] + " : tensor<8x8xf32>\n}"
}
