package measure

// This file makes the programs that are measured. Each has one input of float32.

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
)

// measuredProgram is a program to be measured.
type measuredProgram struct {
	name, text string
	kind       cost.Kind // kind of its collective
	sent       int       // bytes that each device sends; set when the program is compiled
}

// eachDevice returns a program of that name in which each of devices works for itself. body
// computes the result from %a; in and out are the types of both without the tensor<>, such as
// 8x4xf32, whose first dimension is divided over the devices.
func eachDevice(name string, devices int, in, out, body string) *measuredProgram {
	return &measuredProgram{name: name, text: fmt.Sprintf(`sdy.mesh @mesh = <["x"=%d]>
func.func @main(%%a: tensor<%[2]s> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}%[4]s]>}) -> (tensor<%[3]s> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}%[4]s]>}) {
%[5]s
}`, devices, in, out, trailingShardings(in), body)}
}

// trailingShardings returns, for the shape of a tensor such as 8x4x4xf32, the text ", {}, {}": an
// empty sharding for each dimension except the first.
func trailingShardings(shape string) string {
	out := ""
	for i := 1; i < len(shape); i++ {
		if shape[i] == 'x' && shape[i-1] >= '0' && shape[i-1] <= '9' {
			out += ", {}"
		}
	}
	return out[len(", {}"):]
}

// productProgram returns a program that multiplies an n×n matrix by itself on each of devices. The
// argument is of float32; the program converts it to dtype before the product.
func productProgram(devices, n int, dtype string) *measuredProgram {
	in, out := fmt.Sprintf("%dx%dx%dxf32", devices, n, n), fmt.Sprintf("%dx%dx%dx%s", devices, n, n, dtype)
	return eachDevice("product of "+dtype, devices, in, out, fmt.Sprintf(`%%b = stablehlo.convert %%a : (tensor<%s>) -> tensor<%[2]s>
%%0 = stablehlo.dot_general %%b, %%b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<%[2]s>, tensor<%[2]s>) -> tensor<%[2]s>
return %%0 : tensor<%[2]s>`, in, out))
}

// copyProgram returns a program that reads, negates and writes that many elements of f32 on each of
// devices.
func copyProgram(devices, elements int) *measuredProgram {
	t := fmt.Sprintf("%dx%dxf32", devices, elements)
	return eachDevice("copy", devices, t, t, fmt.Sprintf("%%0 = stablehlo.negate %%a : tensor<%[1]s>\nreturn %%0 : tensor<%[1]s>", t))
}

// collective is a collective to be measured. It makes, from a tensor that is sharded along the axis
// "group", a result with the sharding out.
type collective struct {
	kind cost.Kind
	out  string // the sharding of the result
	// sums says that the program sums all rows of the tensor, which needs a reduction between
	// devices. Each device then has two rows: with one row, the partitioner could replace the
	// reduction by an all-to-all that sends as many bytes.
	sums bool
}

var collectives = []collective{
	{cost.AllGather, `[{}, {}]`, false},
	{cost.AllToAll, `[{}, {"group"}]`, false},
	{cost.ReduceScatter, `[{"group"}]`, true},
	{cost.AllReduce, `[{}]`, true},
}

// program returns the program for as many groups as others says, of n devices each. Each device
// has, or sums, elements numbers, rounded down to a multiple of n, and at least n.
func (c collective) program(others, n, elements int) *measuredProgram {
	columns := multiple(elements, n)
	in := fmt.Sprintf("%dx%dxf32", n, columns)
	out, body := in, fmt.Sprintf("%%0 = stablehlo.negate %%a : tensor<%s>", in)
	if c.sums {
		in, out = fmt.Sprintf("%dx%dxf32", 2*n, columns), fmt.Sprintf("%dxf32", columns)
		body = fmt.Sprintf("%%z = stablehlo.constant dense<0.0> : tensor<f32>\n"+
			"%%0 = stablehlo.reduce(%%a init: %%z) applies stablehlo.add across dimensions = [0] : (tensor<%s>, tensor<f32>) -> tensor<%s>", in, out)
	}
	return &measuredProgram{name: string(c.kind), kind: c.kind, text: fmt.Sprintf(`sdy.mesh @mesh = <["others"=%d, "group"=%d]>
func.func @main(%%a: tensor<%s> {sdy.sharding = #sdy.sharding<@mesh, [{"group"}, {}]>}) -> (tensor<%s> {sdy.sharding = #sdy.sharding<@mesh, %s>}) {
%s
return %%0 : tensor<%s>
}`, others, n, in, out, c.out, body, out)}
}

// multiple returns the largest multiple of n that is not greater than x, but at least n.
func multiple(x, n int) int { return max(n, x/n*n) }
