package collective_test

import (
	"context"
	"fmt"
	"log"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/collective"
)

// parseOp returns the op with this text, the first one of a function on a 2×2 mesh whose argument
// %x has the type in.
func parseOp(text, in string) (*ir.Op, error) {
	module, err := ir.Parse(`sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%x: tensor<` + in + `>) -> tensor<` + in + `> {
  %0 = ` + text + `
  return %x : tensor<` + in + `>
}
`)
	if err != nil {
		return nil, err
	}
	return slices.Collect(module.Func("main").Body.Ops())[0], nil
}

// Of reads the groups, pairs, dimensions and the reduction of every collective of the dialect, and
// refuses another op. Whether processes have to communicate depends on the placement of the
// devices.
func TestOf(t *testing.T) {
	m := mesh.MustParse("x=2,y=2")
	alongX, alongY := [][]int{{0, 2}, {1, 3}}, [][]int{{0, 1}, {2, 3}}
	byRow := &program.Placement{Process: []int{0, 0, 1, 1}}
	byColumn := &program.Placement{Process: []int{0, 1, 0, 1}}
	for _, tc := range []struct {
		text           string
		want           collective.Op
		byRow, byColum bool
	}{
		{`spmd.all_reduce %x axes={"x"} reduction=maximum : tensor<4x4xf32>`, collective.Op{Groups: alongX, Reduction: ir.OpMaximum}, true, false},
		{`spmd.all_reduce %x axes={"y"} reduction=add : tensor<4x4xf32>`, collective.Op{Groups: alongY, Reduction: ir.OpAdd}, false, true},
		{`spmd.all_gather %x dim=1 axes={"y", "x"} : (tensor<4x4xf32>) -> tensor<4x16xf32>`, collective.Op{Groups: [][]int{{0, 2, 1, 3}}, Join: 1}, true, true},
		{`spmd.reduce_scatter %x dim=1 axes={"x"} reduction=add : (tensor<4x4xf32>) -> tensor<4x2xf32>`, collective.Op{Groups: alongX, Cut: 1, Reduction: ir.OpAdd}, true, false},
		{`"spmd.all_to_all"(%x) {split_dim = 1, concat_dim = 0, axes = #sdy<axis_ref_list{"x"}>} : (tensor<4x4xf32>) -> tensor<8x2xf32>`,
			collective.Op{Groups: alongX, Cut: 1}, true, false},
		{`"spmd.permute"(%x) {from = #sdy.sharding<@mesh, [{"x", "y"}, {}]>, to = #sdy.sharding<@mesh, [{"y", "x"}, {}]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>`,
			collective.Op{Pairs: [][2]int{{0, 0}, {2, 1}, {1, 2}, {3, 3}}}, true, true},
		{`"spmd.shift"(%x) {axes = #sdy<axis_ref_list{"x"}>, offset = 1} : (tensor<4x4xf32>) -> tensor<4x4xf32>`,
			collective.Op{Groups: alongX, Pairs: [][2]int{{2, 0}, {3, 1}}}, true, false},
		{`"spmd.axis_index"() {axes = #sdy<axis_ref_list{"x"}>} : () -> tensor<i32>`, collective.Op{Groups: alongX}, false, false},
	} {
		op, err := parseOp(tc.text, "4x4xf32")
		require.NoError(t, err, tc.text)
		got, err := collective.Of(op, m)
		require.NoError(t, err)
		tc.want.Kind = op.Kind
		require.Equal(t, tc.want, *got, tc.text)
		require.Equal(t, tc.byRow, got.Crosses(byRow), tc.text)
		require.Equal(t, tc.byColum, got.Crosses(byColumn), tc.text)
		require.False(t, got.Crosses(nil), "one process")
	}
	op, err := parseOp(`stablehlo.add %x, %x : tensor<4x4xf32>`, "4x4xf32")
	require.NoError(t, err)
	_, err = collective.Of(op, m)
	require.ErrorContains(t, err, "stablehlo.add is no collective")
}

// Run refuses devices, tensors, kinds and reductions that do not suit the op before anything is
// sent; there is no transport in this test.
func TestRefused(t *testing.T) {
	tensor := func(n int, dims ...int) []collective.Tensor {
		return []collective.Tensor{{DType: dtypes.Float32, Dims: dims, Data: make([]byte, n)}}
	}
	o := &collective.Op{Kind: ir.OpSPMDReduceScatter, Groups: [][]int{{0, 1}}, Reduction: ir.OpAdd}
	two := func(ts []collective.Tensor) [][]collective.Tensor { return [][]collective.Tensor{ts, ts} }
	for _, tc := range []struct {
		name    string
		op      *collective.Op
		in, out [][]collective.Tensor
		want    string
	}{
		{"devices", o, two(tensor(16, 4))[:1], two(tensor(8, 2)), "operands for 1 devices and results for 2, want 2"},
		{"bytes", o, two(tensor(12, 4)), two(tensor(8, 2)), "has 12 bytes, want 16"},
		{"division", o, two(tensor(12, 3)), two(tensor(4, 1)), "[3] cannot be divided by 2 along dimension 0"},
		{"result", o, two(tensor(16, 4)), two(tensor(4, 1)), "the result is Float32[1], want Float32[2]"},
		{"operands differ", o, [][]collective.Tensor{tensor(16, 4), tensor(24, 6)}, [][]collective.Tensor{tensor(8, 2), tensor(12, 3)}, "operand 0 on device 1 of this process is Float32[6], want Float32[4]"},
		{"kind", &collective.Op{Kind: ir.OpAdd}, nil, nil, "stablehlo.add is no collective"},
		{"reduction", &collective.Op{Kind: ir.OpSPMDAllReduce, Groups: [][]int{{0, 1}}, Reduction: ir.OpXor}, two(tensor(16, 4)), two(tensor(16, 4)), "stablehlo.xor does not combine elements of type Float32"},
	} {
		err := tc.op.Run(context.Background(), nil, 1, nil, tc.in, tc.out)
		require.ErrorContains(t, err, tc.want, tc.name)
	}
}

// Example sums a scalar over all devices of two processes with two devices each. Each process sends
// one number.
func Example() {
	op, err := parseOp(`spmd.all_reduce %x axes={"x", "y"} reduction=add : tensor<f32>`, "f32")
	if err != nil {
		log.Fatal(err)
	}
	sum, err := collective.Of(op, mesh.MustParse("x=2,y=2"))
	if err != nil {
		log.Fatal(err)
	}
	var lines [2]string
	var processes sync.WaitGroup
	for self, t := range transporttest.Local(2) {
		processes.Go(func() {
			counted := transporttest.Counted(t)
			at := &program.Placement{Process: []int{0, 0, 1, 1}, Self: self}
			var in, out [][]collective.Tensor
			for _, pos := range at.Local() {
				in = append(in, []collective.Tensor{{DType: dtypes.Float32, Data: ir.Scalar(dtypes.Float32, float64(10+pos)).Data}})
				out = append(out, []collective.Tensor{{DType: dtypes.Float32, Data: make([]byte, 4)}})
			}
			if err := sum.Run(context.Background(), counted, 1, at, in, out); err != nil {
				log.Fatal(err)
			}
			result := &ir.Dense{Type: ir.Tensor(dtypes.Float32), Data: out[1][0].Data}
			lines[self] = fmt.Sprintf("process %d: %v, sent %d bytes", self, result.Float64s(), counted.Bytes.Load())
		})
	}
	processes.Wait()
	fmt.Println(strings.Join(lines[:], "\n"))
	// Output:
	// process 0: [46], sent 4 bytes
	// process 1: [46], sent 4 bytes
}
