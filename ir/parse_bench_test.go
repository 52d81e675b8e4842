package ir_test

// This file measures parsing and printing on a module of 10,000 ops.

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gospmd/gospmd/ir"
)

// layers returns the text of a module with a mesh x=2,y=4 and a function main, which has about n
// ops with locations and shardings, such as a deep model has.
func layers(n int) string {
	var b strings.Builder
	b.WriteString("module @deep {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n  func.func @main(%0: tensor<16x64xf32>, %w: tensor<64x64xf32>, %c: tensor<f32>) -> tensor<16x64xf32> {\n")
	at := 0
	line := func(format string, args ...any) {
		at++
		fmt.Fprintf(&b, "    %%%d = %s loc(\"d%d\"(\"model.go\":%d:0))\n", at, fmt.Sprintf(format, args...), at, at)
	}
	for at+4 <= n {
		line("stablehlo.dot_general %%%d, %%w, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>", at)
		line("stablehlo.tanh %%%d {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}, {\"y\", ?}]>]>} : tensor<16x64xf32>", at)
		line("stablehlo.reduce(%%%d init: %%c) applies stablehlo.add across dimensions = [0] : (tensor<16x64xf32>, tensor<f32>) -> tensor<64xf32>", at)
		line("stablehlo.broadcast_in_dim %%%d, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>", at)
	}
	fmt.Fprintf(&b, "    return %%%d : tensor<16x64xf32>\n  }\n}\n", at)
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := layers(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ir.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	m := ir.MustParse(layers(10_000))
	for name, opts := range map[string]ir.PrintOptions{"pretty": {}, "generic": {Generic: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := ir.Print(io.Discard, m, opts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
