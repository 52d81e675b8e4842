package main

// This file makes the programs that are compiled, as texts of modules: one of equal layers and one
// of random ops, for given numbers of ops and of devices.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// programs has, by name, a function that returns the text of a program with about that many ops.
var programs = []struct {
	name string
	text func(ops, devices int) string
}{
	{"equal layers", layers},
	{"random ops", randomOps},
}

// The parts of a module with tensors of one type, on a mesh data × model.
const (
	tensor = "tensor<32x64xf32>"
	square = "tensor<64x64xf32>"
)

// module returns the text of a module on a mesh of so many devices whose main has the given body
// and returns the value result.
func module(devices int, body, result string) string {
	data := 2
	for data*data*4 <= devices {
		data *= 2
	}
	return fmt.Sprintf(`module @program {
  sdy.mesh @mesh = <["data"=%d, "model"=%d]>
  func.func public @main(%%v0: %s {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %%up: %s {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %%down: %s {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> %s {
%s    return %s : %s
  }
}
`, data, devices/data, tensor, square, square, tensor, body, result, tensor)
}

// layers returns the text of a program with that many ops, on a mesh of that many devices: a chain
// of layers with four ops each, two products and the ops between.
func layers(ops, devices int) string {
	var b strings.Builder
	for i := range ops {
		switch x := fmt.Sprintf("%%v%d", i); i % 4 {
		case 0:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.dot_general %s, %%up, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i+1, x, tensor, square, tensor)
		case 1:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.tanh %s : %s\n", i+1, x, tensor)
		case 2:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.dot_general %s, %%down, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i+1, x, tensor, square, tensor)
		default:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.add %s, %%v%d : %s\n", i+1, x, i-3, tensor)
		}
	}
	return module(devices, b.String(), fmt.Sprintf("%%v%d", ops))
}

// randomOps returns the text of a program with that many ops on random earlier values, the same in
// each call, on a mesh of that many devices. Each op uses the value before it, so no op is dead.
func randomOps(ops, devices int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range ops {
		x, y := fmt.Sprintf("%%v%d", i), fmt.Sprintf("%%v%d", rng.IntN(i+1))
		switch rng.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.dot_general %s, %%up, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i+1, x, tensor, square, tensor)
		case 1:
			fmt.Fprintf(&b, "    %%v%d = stablehlo.tanh %s : %s\n", i+1, x, tensor)
		default:
			kind := []string{"add", "subtract", "multiply", "maximum"}[rng.IntN(4)]
			fmt.Fprintf(&b, "    %%v%d = stablehlo.%s %s, %s : %s\n", i+1, kind, x, y, tensor)
		}
	}
	return module(devices, b.String(), fmt.Sprintf("%%v%d", ops))
}
