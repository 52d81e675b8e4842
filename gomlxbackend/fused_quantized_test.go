package gomlxbackend_test

// This file has the cases of quantized weights. For the formats of GGML that GoMLX's Go backend
// lacks, it has the loops of llama.cpp.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/float16"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/nn"
)

func (s samples) quantized() []fusedCase {
	var cases []fusedCase
	add := func(name string, inputs []*tensors.Tensor, weights dtypes.DType, act activation.Type, q func(x []*Node) *Quantization) {
		fused := func(weights dtypes.DType) func(x []*Node) []*Node {
			return func(x []*Node) []*Node {
				return one(BackendFusedQuantizedDense(x[0], ConvertDType(x[1], weights), nth(x, 4), q(x), act.ToBackend()))
			}
		}
		c := fusedCase{name: fmt.Sprintf("QuantizedDense, %s, %s", name, weights), inputs: inputs, only: dtypes.Float32, fused: fused(weights),
			parts: func(x []*Node) []*Node {
				return one(nn.QuantizedDense(x[0], ConvertDType(x[1], weights), q(x), nth(x, 4), act))
			}}
		if weights.Bits() < 8 { // GoMLX's Go backend does not convert to these
			c.reference = fused(dtypes.Int8)
		}
		cases = append(cases, c)
	}
	for i, c := range []struct {
		weights dtypes.DType
		scheme  compute.QuantizationScheme
		low     int32
		count   int32
	}{
		{dtypes.Int8, compute.QuantLinear, -128, 256}, {dtypes.Uint8, compute.QuantLinear, 0, 256}, {dtypes.Int4, compute.QuantLinear, -8, 16},
		{dtypes.Uint4, compute.QuantLinear, 0, 16}, {dtypes.Int4, compute.QuantNF4, -8, 16}, {dtypes.Uint4, compute.QuantNF4, 0, 16},
	} {
		for _, size := range []int{4, 3, 8} {
			k, n := s.size(), 8
			act := []activation.Type{activation.TypeNone, activation.TypeRelu, activation.TypeSilu}[i%3]
			scales := []int{k, (n + size - 1) / size}
			weights := fill(func() int32 { return c.low + s.Int32N(c.count) }, k, n)
			inputs := []*tensors.Tensor{s.floats(2, 3, k), weights, s.floats(scales...), s.floats(scales...), s.floats(n)}
			add(fmt.Sprintf("%s, blocks of %d", c.scheme, size), inputs, c.weights, act, func(x []*Node) *Quantization {
				q := &Quantization{Scheme: c.scheme, Scale: x[2], BlockAxis: 1, BlockSize: size}
				if c.scheme == compute.QuantLinear && size < 8 {
					q.ZeroPoint = x[3]
				}
				return q
			})
		}
	}
	for format := compute.GGMLQ4_0; format <= compute.GGMLQ6_K; format++ {
		q := &Quantization{Scheme: compute.QuantGGML, GGMLType: format}
		rows := 3
		blocks := s.blocks(format, 2*rows)
		k := 2 * format.ValuesPerBlock()
		table := tensors.FromFlatDataAndDimensions(blocks, rows, len(blocks)/rows)
		inputs := []*tensors.Tensor{s.floats(2, 2, k), table, s.floats(rows), s.integers(int32(rows), 2, 5, 1)}
		dense := fusedCase{name: "QuantizedDense, " + format.String(), inputs: inputs, only: dtypes.Float32,
			fused: func(x []*Node) []*Node {
				return one(BackendFusedQuantizedDense(x[0], x[1], x[2], q, compute.ActivationRelu))
			},
			parts: func(x []*Node) []*Node { return one(nn.QuantizedDense(x[0], x[1], q, x[2], activation.TypeRelu)) }}
		lookup := fusedCase{name: "QuantizedEmbeddingLookup, " + format.String(), inputs: inputs, only: dtypes.Float32,
			fused: func(x []*Node) []*Node { return one(BackendQuantizedEmbeddingLookup(x[1], x[3], q)) },
			parts: func(x []*Node) []*Node { return one(nn.QuantizedGather(x[1], x[3], q)) }}
		if floats := llama[format]; floats != nil {
			var flat []float32
			for block := range slices.Chunk(blocks, format.BytesPerBlock()) {
				flat = append(flat, floats(block)...)
			}
			weights := func(x []*Node) *Node { return Reshape(Const(x[0].Graph(), flat), rows, k) }
			dense.parts = func(x []*Node) []*Node {
				return one(nn.Dense(x[0], weights(x), x[2], compute.DenseLayoutOutputsInput, activation.TypeRelu))
			}
			lookup.parts = func(x []*Node) []*Node { return one(Gather(weights(x), x[3])) }
		}
		if k > 64 { // GoMLX has no parts
			dense.other, lookup.other = true, true
		}
		cases = append(cases, dense, lookup)
	}
	return cases
}

// halves has, for each format of blocks, the byte offsets of the float16 scales in a block.
var halves = map[compute.GGMLQuantType][]int{
	compute.GGMLQ4_0: {0}, compute.GGMLQ8_0: {0}, compute.GGMLIQ4NL: {0},
	compute.GGMLQ2_K: {80, 82}, compute.GGMLQ3_K: {108}, compute.GGMLQ4_K: {0, 2}, compute.GGMLQ5_K: {0, 2}, compute.GGMLQ6_K: {208},
}

// blocks returns the bytes of n blocks of the format, one after the other: random bytes, with small
// random scales.
func (s samples) blocks(format compute.GGMLQuantType, n int) []uint8 {
	var out []uint8
	for range n {
		block := make([]uint8, format.BytesPerBlock())
		for i := range block {
			block[i] = uint8(s.IntN(256))
		}
		for _, at := range halves[format] {
			bits := float16.FromFloat32(float32(s.NormFloat64()) / 64).Bits()
			block[at], block[at+1] = uint8(bits), uint8(bits>>8)
		}
		out = append(out, block...)
	}
	return out
}

// half returns the float16 at the start of b.
func half(b []uint8) float32 {
	return float16.FromBits(uint16(b[0]) | uint16(b[1])<<8).Float32()
}

// llama has, for the formats of blocks, functions that return the floats of a block: Go forms of
// dequantize_row_* in llama.cpp's ggml-quants.c.
var llama = map[compute.GGMLQuantType]func(block []uint8) []float32{
	compute.GGMLQ2_K: func(block []uint8) (y []float32) {
		scales, q, d, min := block[:16], block[16:80], half(block[80:]), half(block[82:])
		is := 0
		for n := 0; n < 256; n += 128 {
			shift := 0
			for range 4 {
				for part := 0; part < 32; part += 16 {
					sc := scales[is]
					is++
					dl, ml := d*float32(sc&15), min*float32(sc>>4)
					for l := range 16 {
						y = append(y, dl*float32((q[part+l]>>shift)&3)-ml)
					}
				}
				shift += 2
			}
			q = q[32:]
		}
		return y
	},
	compute.GGMLQ3_K: func(block []uint8) (y []float32) {
		hm, q, packed, d := block[:32], block[32:96], block[96:108], half(block[108:])
		var scales [16]int
		for j := range 16 {
			low := packed[j%8]
			if j >= 8 {
				low >>= 4
			}
			scales[j] = int(low&15|packed[8+j%4]>>(2*(j/4))&3<<4) - 32
		}
		is, m := 0, uint8(1)
		for n := 0; n < 256; n += 128 {
			shift := 0
			for range 4 {
				for part := 0; part < 32; part += 16 {
					dl := d * float32(scales[is])
					is++
					for l := range 16 {
						v := int((q[part+l] >> shift) & 3)
						if hm[part+l]&m == 0 {
							v -= 4
						}
						y = append(y, dl*float32(v))
					}
				}
				shift += 2
				m <<= 1
			}
			q = q[32:]
		}
		return y
	},
	compute.GGMLQ5_K: func(block []uint8) (y []float32) {
		d, min, packed, qh, ql := half(block), half(block[2:]), block[4:16], block[16:48], block[48:]
		scaleMin := func(j int) (sc, m uint8) {
			if j < 4 {
				return packed[j] & 63, packed[j+4] & 63
			}
			return packed[j+4]&15 | packed[j-4]>>6<<4, packed[j+4]>>4 | packed[j]>>6<<4
		}
		is, u := 0, uint8(1)
		for n := 0; n < 256; n += 64 {
			for high := range 2 {
				sc, m := scaleMin(is)
				is++
				for l := range 32 {
					v := ql[l] >> (4 * high) & 15
					if qh[l]&u != 0 {
						v += 16
					}
					y = append(y, d*float32(sc)*float32(v)-min*float32(m))
				}
				u <<= 1
			}
			ql = ql[32:]
		}
		return y
	},
}
