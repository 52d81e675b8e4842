package buffers_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// Accelerators multiply 16-bit numbers without conversion; CPUs need copies of 32 bits. TPUs
// compute element-wise ops around a product in its kernel, so that four ops take two kernels, and
// copy the arguments to on-chip memory. On GPUs each op is a kernel.
func TestAccelerators(t *testing.T) {
	f := ir.MustParse(`func.func @main(%a: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = stablehlo.tanh %a : tensor<64x64xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = stablehlo.abs %1 : tensor<64x64xbf16>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [0] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}`).Main()
	matrix := f.Params()[0].Type
	onChip := 2 * buffers.TPU.Bytes(matrix)
	for _, c := range []struct {
		model            buffers.Model
		kernels, fetched int
	}{{buffers.TPU, 2, onChip}, {buffers.GPU, 4, 0}} {
		a := buffers.Assign(f, aliasNothing, c.model)
		require.Equal(t, c.model.Bytes(matrix)+c.fetched, a.Temporary)
		require.Len(t, a.Steps, c.kernels)
	}
	require.Greater(t, buffers.Assign(f, aliasNothing, buffers.CPU).Temporary, 2*matrix.MemoryBytes(), "in 32 bits")
}

// TPUs multiply f32 in bf16, unless the precision is higher, and also gather such operands in bf16:
// half of the bytes. GPUs gather them in f32, and need memory for partial results of the product.
func TestGatheredForProducts(t *testing.T) {
	temporary := func(model buffers.Model, precision string) int {
		f := ir.MustParse(`module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<64x512xf32>, %w: tensor<128x256xf32>) -> tensor<64x256xf32> {
    %0 = spmd.all_gather %w dim=0 axes={"x"} : (tensor<128x256xf32>) -> tensor<512x256xf32>
    %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [` + precision + `, ` + precision + `] : (tensor<64x512xf32>, tensor<512x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
}`).Main()
		return buffers.Assign(f, aliasNothing, model).Temporary
	}
	const full, fetched = 512 * 256 * 4, (64*512 + 128*256) * 4 // the arguments, in on-chip memory
	const parts = 16 * 64 * 256 * 4                             // partial results of the product, on a GPU
	require.Equal(t, full/2+fetched, temporary(buffers.TPU, "DEFAULT"))
	require.Equal(t, full+fetched, temporary(buffers.TPU, "HIGHEST"))
	require.Equal(t, full+parts, temporary(buffers.GPU, "DEFAULT"))
}

// On GPUs nodes that free memory run early: a sum over four products needs memory for less than two
// of them at a time. On CPUs, in the order of the program, it needs memory for all four.
func TestFrugal(t *testing.T) {
	text := `func.func @main(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
`
	for _, n := range []string{"0", "1", "2", "3"} {
		text += "  %p" + n + " = stablehlo.dot_general %a, %w, contracting_dims = [" + map[bool]string{true: "0] x [1", false: "1] x [0"}[n > "1"] +
			"], precision = [" + map[bool]string{true: "HIGHEST", false: "DEFAULT"}[n == "1" || n == "2"] + ", DEFAULT] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		text += "  %s" + n + " = stablehlo.reduce(%p" + n + " init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>\n"
	}
	text += `  %t0 = stablehlo.add %s0, %s1 : tensor<f32>
  %t1 = stablehlo.add %s2, %s3 : tensor<f32>
  %t = stablehlo.add %t0, %t1 : tensor<f32>
  return %t : tensor<f32>
}`
	f := ir.MustParse(text).Main()
	const matrix = 64 * 64 * 4
	require.GreaterOrEqual(t, buffers.Assign(f, aliasNothing, buffers.CPUInOrder).Temporary, 4*matrix)
	require.Less(t, buffers.Assign(f, aliasNothing, buffers.GPU).Temporary, 2*matrix)
}

// On TPUs the bytes of arguments are those that libtpu 0.0.51 reports: whole tiles. On GPUs they
// are those of the elements.
func TestTiles(t *testing.T) {
	for _, c := range []struct {
		dtype dtypes.DType
		dims  []int
		bytes int
	}{
		{dtypes.Float32, nil, 512},
		{dtypes.Float32, []int{10}, 512},
		{dtypes.Float32, []int{784}, 4096},
		{dtypes.Float32, []int{512, 10}, 16 * 512 * 4}, // along the columns of tiles
		{dtypes.Float32, []int{512, 1024}, 512 * 1024 * 4},
		{dtypes.Float32, []int{3, 3, 3, 32}, 9 * 4 * 128 * 4},
		{dtypes.BFloat16, []int{1, 256}, 2 * 256 * 2},
	} {
		typ := ir.Tensor(c.dtype, c.dims...)
		require.Equal(t, c.bytes, buffers.TPU.Bytes(typ), typ)
		require.Equal(t, typ.MemoryBytes(), buffers.GPU.Bytes(typ), typ)
	}
}

// TestEveryProgram assigns the memory of each program of benchmarks/memory as on GPUs and as on
// TPUs. Its arguments must have a size. Its temporary memory must be less than all results of ops
// and one copy of each argument together: TPUs may copy arguments.
func TestEveryProgram(t *testing.T) {
	files, err := filepath.Glob("../../../benchmarks/memory/testdata/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := ir.Parse(string(text))
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		f := p.Module.Main()
		all := 0
		for _, p := range f.Params() {
			all += buffers.TPU.Bytes(p.Type)
		}
		f.Walk(func(op *ir.Op) {
			for _, r := range op.Results {
				all += r.Type.MemoryBytes()
			}
		})
		for _, model := range []buffers.Model{buffers.GPU, buffers.TPU} {
			a := buffers.Assign(f, aliasNothing, model)
			require.Positive(t, a.Inputs, file)
			require.Less(t, a.Temporary, all, file)
		}
	}
}

// On TPUs an argument is copied to on-chip memory if it fits there. A result that takes over its
// memory is made there, if both fit; otherwise only the argument is there. GPUs need no temporary
// memory for this.
func TestOnChip(t *testing.T) {
	temporary := func(rows int, model buffers.Model) int {
		f := ir.MustParse(strings.ReplaceAll(`func.func @main(%a: tensor<Nx1024xf32>) -> tensor<Nx1024xf32> {
  %0 = stablehlo.negate %a : tensor<Nx1024xf32>
  return %0 : tensor<Nx1024xf32>
}`, "N", strconv.Itoa(rows))).Main()
		return buffers.Assign(f, func(int) int { return 0 }, model).Temporary
	}
	const row = 1024 * 4
	require.Equal(t, 2*8*row, temporary(8, buffers.TPU))
	require.Zero(t, temporary(8, buffers.GPU))
	const large = 65 << 20 / row // two of these do not fit into 128 MiB
	require.Equal(t, large*row, temporary(large, buffers.TPU))
}

// Independent sums become one collective, so an op that reads one sum waits for all. On GPUs the
// collective reduces one vector, and each sum is copied out of it, as one more step. Sums that
// depend on each other stay apart.
func TestCombined(t *testing.T) {
	const text = `module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %p: tensor<64x64xf32>, %q: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %0 = spmd.all_reduce %a axes={"x"} reduction=add : tensor<64x64xf32>
    %1 = stablehlo.subtract %p, %0 : tensor<64x64xf32>
    %2 = spmd.all_reduce OTHER axes={"x"} reduction=add : tensor<64x64xf32>
    %3 = stablehlo.subtract %q, %2 : tensor<64x64xf32>
    return %1, %3 : tensor<64x64xf32>, tensor<64x64xf32>
  }
}`
	kinds := func(other string, model buffers.Model) (list []ir.OpKind) {
		for _, s := range buffers.Assign(ir.MustParse(strings.ReplaceAll(text, "OTHER", other)).Main(), aliasNothing, model).Steps {
			list = append(list, s.Op.Kind)
		}
		return list
	}
	sum, update := ir.OpSPMDAllReduce, ir.OpSubtract
	require.Equal(t, []ir.OpKind{sum, sum, update, update}, kinds("%b", buffers.TPU))
	require.Equal(t, []ir.OpKind{sum, update, sum, update}, kinds("%1", buffers.TPU), "the second needs the first")
	require.Equal(t, []ir.OpKind{sum, sum, update, sum, update}, kinds("%b", buffers.GPU))
	require.Equal(t, []ir.OpKind{sum, update, sum, update}, kinds("%1", buffers.GPU))
}

// On TPUs the bytes of temporary values are those of libtpu 0.0.51: for the values of convolutions
// in a network, for a matrix that only products read (16 bits) or that an exponential reads too (32
// bits), and for a matrix with one element in each row (none).
func TestKept(t *testing.T) {
	for _, c := range []struct {
		name, text string
		bytes      int
	}{
		{"images in tiles of features and batch", `func.func @main(%x: tensor<16x16x16x64xf32>, %k: tensor<3x3x64x64xf32>) -> tensor<16x16x16x64xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<16x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<16x16x16x64xf32>
  %1 = spmd.all_reduce %0 axes={"x"} reduction=add : tensor<16x16x16x64xf32>
  %2 = stablehlo.negate %1 : tensor<16x16x16x64xf32>
  return %2 : tensor<16x16x16x64xf32>
}`, 16 * 16 * 16 * 128 * 4},
		{"16 bits, read by products", `func.func @main(%x: tensor<512x512xf32>, %k: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<512x512xf32>
  %y = spmd.all_reduce %x axes={"x"} reduction=add : tensor<512x512xf32>
  %0 = spmd.all_reduce %y axes={"x"} reduction=add : tensor<512x512xf32>
  %1 = stablehlo.maximum %0, %z : tensor<512x512xf32>
  %2 = stablehlo.dot_general %1, %k, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}`, 512 * 512 * 2},
		{"32 bits, read by an exponential too", `func.func @main(%x: tensor<512x512xf32>, %k: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %y = spmd.all_reduce %x axes={"x"} reduction=add : tensor<512x512xf32>
  %0 = spmd.all_reduce %y axes={"x"} reduction=add : tensor<512x512xf32>
  %1 = stablehlo.exponential %0 : tensor<512x512xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}`, 512 * 512 * 4},
		{"columns of what an all_to_all makes", `func.func @main(%x: tensor<64x64x128xf32>) -> tensor<64x256x32xf32> {
  %y = spmd.all_reduce %x axes={"x"} reduction=add : tensor<64x64x128xf32>
  %0 = spmd.all_to_all %y split_dim=2 concat_dim=1 axes={"x"} : (tensor<64x64x128xf32>) -> tensor<64x256x32xf32>
  %1 = stablehlo.negate %0 : tensor<64x256x32xf32>
  return %1 : tensor<64x256x32xf32>
}`, 128 * 256 * 32 * 4},
		{"one element of each row", `func.func @main(%i: tensor<64x1x1xi32>, %u: tensor<64x1xf32>, %k: tensor<128x128xf32>) -> tensor<64x128xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<64x128xf32>
  %0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<64x128xf32>, tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.dot_general %0, %k, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ir.MustParse("module @m {\n  sdy.mesh @mesh = <[\"x\"=4]>\n  " + c.text + "\n}").Main()
			most := 0
			for _, l := range buffers.Assign(f, aliasNothing, buffers.TPU).Lifetimes {
				// neither a copy of an argument nor its sum
				if l.Op.Kind != ir.OpDotGeneral && l.First > 0 {
					most = max(most, l.Bytes)
				}
			}
			require.Equal(t, c.bytes, most)
		})
	}
}

// On GPUs a product whose result has few tiles is computed in parts, as XLA 0.12.0 does for the MLP
// of benchmarks/aot. Its temporary memory is that of the parts; a product that is computed as a
// whole has none.
func TestParts(t *testing.T) {
	for _, c := range []struct{ rows, contracted, columns, parts int }{
		{1024, 784, 512, 2}, {1024, 512, 256, 4}, {256, 1024, 512, 8}, {512, 1024, 10, 8}, {1024, 512, 10, 4},
		{1024, 256, 512, 1}, {784, 256, 512, 1}, {1024, 10, 512, 1},
	} {
		types := [3]ir.Type{ir.Tensor(dtypes.Float32, c.rows, c.contracted), ir.Tensor(dtypes.Float32, c.contracted, c.columns), ir.Tensor(dtypes.Float32, c.rows, c.columns)}
		text := strings.NewReplacer("X", types[0].String(), "Y", types[1].String(), "Z", types[2].String()).Replace(`func.func @main(%x: X, %y: Y) -> Z {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (X, Y) -> Z
  return %0 : Z
}`)
		want := 0
		if c.parts > 1 {
			want = c.parts * types[2].MemoryBytes()
		}
		require.Equal(t, want, buffers.Assign(ir.MustParse(text).Main(), aliasNothing, buffers.GPU).Temporary, "%+v", c)
	}
}

// On TPUs a gather reads rows of tiles. It needs a copy of a table with narrow rows, and on-chip
// memory for the table and the indices. GPUs need no temporary memory for it.
func TestRows(t *testing.T) {
	f := ir.MustParse(`func.func @main(%a: tensor<1024x64xf32>, %i: tensor<256x1xi32>) -> tensor<256x64xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<1024x64xf32>, tensor<256x1xi32>) -> tensor<256x64xf32>
  %1 = stablehlo.negate %0 : tensor<256x64xf32>
  return %1 : tensor<256x64xf32>
}`).Main()
	const table, copied, indices = 1024 * 64 * 4, 1024 * 128 * 4, 256 * 4
	a := buffers.Assign(f, aliasNothing, buffers.TPU)
	require.Len(t, a.Steps, 3, "the copy, the gather and what reads it")
	require.Equal(t, table+copied+indices, a.Temporary)
	require.Zero(t, buffers.Assign(f, aliasNothing, buffers.GPU).Temporary)
}

// A product on a GPU computes a bias and a relu of its operand inside of its kernel, also if several
// products read them. A product of two large values, as in a swish, is in memory.
func TestComputedInsideOfProducts(t *testing.T) {
	values := func(last string) (kinds []ir.OpKind) {
		f := ir.MustParse(strings.ReplaceAll(`func.func @main(%x: tensor<512x256xf32>, %w: tensor<256x2048xf32>, %c: tensor<2048xf32>, %v: tensor<2048x256xf32>) -> (tensor<512x256xf32>, tensor<256x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<512x2048xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x2048xf32>) -> tensor<512x2048xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2048xf32>) -> tensor<512x2048xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x2048xf32>
  LAST
  %4 = stablehlo.dot_general %3, %v, contracting_dims = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x256xf32>) -> tensor<512x256xf32>
  %5 = stablehlo.dot_general %v, %3, contracting_dims = [0] x [1] : (tensor<2048x256xf32>, tensor<512x2048xf32>) -> tensor<256x512xf32>
  return %4, %5 : tensor<512x256xf32>, tensor<256x512xf32>
}`, "LAST", last)).Main()
		for _, l := range buffers.Assign(f, aliasNothing, buffers.GPU).Lifetimes {
			if slices.Equal(l.Type.Dims, []int{512, 2048}) {
				kinds = append(kinds, l.Op.Kind)
			}
		}
		return kinds
	}
	require.Equal(t, []ir.OpKind{ir.OpDotGeneral}, values("%3 = stablehlo.maximum %2, %zero : tensor<512x2048xf32>"))
	require.Equal(t, []ir.OpKind{ir.OpDotGeneral, ir.OpMultiply}, values("%l = stablehlo.logistic %2 : tensor<512x2048xf32>\n  %3 = stablehlo.multiply %2, %l : tensor<512x2048xf32>"))
}

// Products in a loop compute no bias that is added before the loop, because kernels do not reach
// across loops. Products after a loop compute a bias that is added to its result.
func TestComputedInsideBesideLoops(t *testing.T) {
	loop := `%zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2048xf32>) -> tensor<512x2048xf32>
  BEFORE
  %n, %r = stablehlo.while(%i = %zero, %s = START) : tensor<i32>, TYPE cond {
    %p = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    BODY
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %e : tensor<i32>, TYPE
  }
  AFTER`
	const dot = `stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x256xf32>) -> tensor<512x256xf32>`
	for name, tc := range map[string]struct {
		parts  []string
		stored int
	}{
		"captured": {[]string{"BEFORE", "%2 = stablehlo.add %x, %1 : tensor<512x2048xf32>", "START", "%y", "TYPE", "tensor<512x256xf32>",
			"BODY", "%d = " + dot + "\n    %e = stablehlo.add %s, %d : tensor<512x256xf32>", "AFTER", "return %r : tensor<512x256xf32>"}, 1},
		"result": {[]string{"BEFORE", "", "START", "%x", "TYPE", "tensor<512x2048xf32>", "BODY", "%e = stablehlo.tanh %s : tensor<512x2048xf32>",
			"AFTER", "%2 = stablehlo.add %r, %1 : tensor<512x2048xf32>\n  %3 = " + dot + "\n  return %3 : tensor<512x256xf32>"}, 0},
	} {
		f := ir.MustParse("func.func @main(%x: tensor<512x2048xf32>, %y: tensor<512x256xf32>, %c: tensor<2048xf32>, %v: tensor<2048x256xf32>) -> tensor<512x256xf32> {\n  " +
			strings.NewReplacer(tc.parts...).Replace(loop) + "\n}").Main()
		stored := 0
		for _, l := range buffers.Assign(f, aliasNothing, buffers.GPU).Lifetimes {
			if l.Op.Kind == ir.OpAdd && slices.Equal(l.Type.Dims, []int{512, 2048}) {
				stored++
			}
		}
		require.Equal(t, tc.stored, stored, name)
	}
}
