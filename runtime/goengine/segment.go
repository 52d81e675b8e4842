package goengine

// This file gives the expensive parts of a program to GoMLX's Go backend, whose matrix products are
// blocked, run in parallel, and use SIMD if the binary was built with it. A segment is a sequence
// of ops that the backend computes with the same results as the interpreter. It becomes one
// executable of the backend if it is expensive enough.

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// minProducts is the least number of multiplications of a segment: fewer are faster on the
// interpreter. It is the product of two matrices of 100×100 (BenchmarkDot).
const minProducts = 1 << 20

// emitter is a function that adds op, with the operands in, to a function of GoMLX's Go backend,
// and returns the result there.
type emitter func(f compute.Function, op *ir.Op, in []compute.Value) (compute.Value, error)

// emitters lists the ops that the backend computes as the interpreter does, except for the order of
// sums, for segmentTypes. All other ops stay on the interpreter: the backend is not faster, or
// differs in corner cases.
var emitters = map[ir.OpKind]emitter{
	ir.OpDotGeneral: func(f compute.Function, op *ir.Op, in []compute.Value) (compute.Value, error) {
		d := op.DotGeneral().DotDimensionNumbers()
		return f.DotGeneral(in[0], d.LHSContracting, d.LHSBatch, in[1], d.RHSContracting, d.RHSBatch, compute.DotGeneralConfig{})
	},
	ir.OpAdd:      two(compute.Function.Add),
	ir.OpSubtract: two(compute.Function.Sub),
	ir.OpMultiply: two(compute.Function.Mul),
	ir.OpDivide:   two(compute.Function.Div),
	ir.OpNegate: func(f compute.Function, _ *ir.Op, in []compute.Value) (compute.Value, error) {
		return f.Neg(in[0])
	},
	ir.OpTranspose: func(f compute.Function, op *ir.Op, in []compute.Value) (compute.Value, error) {
		return f.Transpose(in[0], op.Transpose().Permutation()...)
	},
	ir.OpReshape: func(f compute.Function, op *ir.Op, in []compute.Value) (compute.Value, error) {
		return f.Reshape(in[0], op.Result().Type.Dims...)
	},
	ir.OpBroadcastInDim: func(f compute.Function, op *ir.Op, in []compute.Value) (compute.Value, error) {
		return f.BroadcastInDim(in[0], shapeOf(op.Result().Type), op.BroadcastInDim().BroadcastDimensions())
	},
}

// segmentTypes are the element types whose ops GoMLX's backend computes in segments.
var segmentTypes = map[dtypes.DType]bool{dtypes.Float32: true, dtypes.Float64: true}

func two(method func(f compute.Function, x, y compute.Value) (compute.Value, error)) emitter {
	return func(f compute.Function, _ *ir.Op, in []compute.Value) (compute.Value, error) {
		return method(f, in[0], in[1])
	}
}

func shapeOf(t ir.Type) shapes.Shape { return shapes.Make(t.DType, t.Dims...) }

// runsOnBackend reports whether a segment may hold op: emitters has its kind, its operands and
// results have types of segmentTypes and at least one element, and its result has the type of its
// first operand.
func runsOnBackend(op *ir.Op) bool {
	if emitters[op.Kind] == nil {
		return false
	}
	for _, vs := range [][]*ir.Value{op.Operands, op.Results} {
		for _, v := range vs {
			if !segmentTypes[v.Type.DType] || v.Type.Size() == 0 {
				return false
			}
		}
	}
	return op.Operands[0].Type.DType == op.Results[0].Type.DType
}

// products returns the number of multiplications in op, if that is a dot_general, or else 0.
func products(op *ir.Op) int {
	if op.Kind != ir.OpDotGeneral {
		return 0
	}
	n := op.Result().Type.Size()
	for _, d := range op.DotGeneral().DotDimensionNumbers().LHSContracting {
		n *= op.Operands[0].Type.Dims[d]
	}
	return n
}

// segment replaces segments by one step each, in code and in all code inside it. It returns the
// number of segments.
func segment(code *interp.Code) (count int, err error) {
	g := &segmenter{seen: make(map[*interp.Code]bool)}
	err = g.code(code)
	return g.count, err
}

type segmenter struct {
	seen  map[*interp.Code]bool
	count int
}

func (g *segmenter) code(code *interp.Code) error {
	if g.seen[code] {
		return nil
	}
	g.seen[code] = true
	var out []interp.Step
	for i := 0; i < len(code.Steps); {
		n, work := i, 0
		for n < len(code.Steps) && runsOnBackend(code.Steps[n].Op) {
			work += products(code.Steps[n].Op)
			n++
		}
		if work >= minProducts {
			s, err := build(code.Steps[i:n])
			if err != nil {
				return err
			}
			out = append(out, s)
			g.count++
			i = n
			continue
		}
		for n = max(n, i+1); i < n; i++ {
			for _, inner := range innerCode(&code.Steps[i]) {
				if err := g.code(inner); err != nil {
					return err
				}
			}
			out = append(out, code.Steps[i])
		}
	}
	code.Steps = out
	return nil
}

// build returns one step that computes all the steps by GoMLX's backend. Errors name the op with
// the largest products.
func build(steps []interp.Step) (interp.Step, error) {
	b := &bridge{values: make(map[int]compute.Value)}
	free := make(map[int]bool)
	for _, s := range steps {
		for _, slot := range s.Free {
			free[slot] = true
		}
	}
	out := interp.Step{Op: steps[0].Op}
	for _, s := range steps {
		if products(s.Op) > products(out.Op) {
			out.Op = s.Op // errors name this op
		}
	}
	if err := b.build(steps, free, &out); err != nil {
		return out, &interp.Error{Op: out.Op, Err: fmt.Errorf("BUG: GoMLX's Go backend does not take it: %w", err)}
	}
	out.Run = b.run
	return out, nil
}

// bridge is a segment of ops that was compiled for GoMLX's Go backend.
type bridge struct {
	exe    compute.Executable
	values map[int]compute.Value // backend values by slot; used while the segment is built
	types  []ir.Type             // of the results
}

func (b *bridge) build(steps []interp.Step, free map[int]bool, out *interp.Step) error {
	builder := gobackend.GetBackend().Builder("segment")
	f := builder.Main()
	made := make(map[int]bool)
	for _, s := range steps {
		for i, slot := range s.In {
			if b.values[slot] == nil {
				v, err := f.Parameter(fmt.Sprint("x", slot), shapeOf(s.Op.Operands[i].Type), nil)
				if err != nil {
					return err
				}
				b.values[slot] = v
				out.In = append(out.In, slot)
			}
		}
		in := make([]compute.Value, len(s.In))
		for i, slot := range s.In {
			in[i] = b.values[slot]
		}
		v, err := emitters[s.Op.Kind](f, s.Op, in)
		if err != nil {
			return err
		}
		b.values[s.Out[0]] = v
		made[s.Out[0]] = true
	}
	var results []compute.Value
	for _, s := range steps {
		if slot := s.Out[0]; !free[slot] {
			results = append(results, b.values[slot])
			out.Out = append(out.Out, slot)
			b.types = append(b.types, s.Op.Result().Type)
		}
		for _, slot := range s.Free {
			if !made[slot] {
				out.Free = append(out.Free, slot)
			}
		}
	}
	if err := f.Return(results, nil); err != nil {
		return err
	}
	var err error
	b.exe, err = builder.Compile()
	b.values = nil
	return err
}

// run is the Run of the segment's step. It copies operands to the backend. Results stay in the
// backend's memory.
func (b *bridge) run(f *interp.Frame, s *interp.Step) error {
	backend := gobackend.GetBackend()
	in := make([]compute.Buffer, len(s.In))
	donate := make([]bool, len(s.In))
	for i, slot := range s.In {
		t := f.Values[slot]
		flat := interp.Flat(t)
		buffer, err := backend.BufferFromFlatData(0, flat, shapeOf(t.Type))
		if err != nil {
			return err
		}
		in[i], donate[i] = buffer, true
	}
	out, err := b.exe.Execute(in, donate, 0)
	if err != nil {
		return err
	}
	for i, buffer := range out {
		flat, err := buffer.Data()
		if err != nil {
			return err
		}
		f.Values[s.Out[i]] = interp.FromBytes(b.types[i], dtypes.UnsafeByteSliceFromAny(flat))
	}
	return nil
}
