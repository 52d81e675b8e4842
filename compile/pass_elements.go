package compile

// This file implements elements, which rewrites ops on element types that XLA does not support.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// elements replaces ops by others if XLA does not support them on their element type, or gets them
// wrong:
//
//	%1 = conj %0        (f32)      =>  %0
//	%1 = mulhi %0, %1   (i32)      =>  the upper half of the product of 64 bits
//	%1 = cbrt %0        (complex)  =>  exp (log %0 / 3), and 0 of 0
//	%1 = remainder %0, %1 (complex) => %0 - %1·trunc(%0 / %1)
//	%1 = maximum %0, %1 (complex)  =>  the one with the larger real part or, if those
//	                                   are equal, imaginary part; minimum, clamp and
//	                                   compare alike
//	%1, %2 = top_k %0   (i1)       =>  top_k of the numbers 0 and 1
//	%1, %2 = rng_bit_generator %0  =>  the bits as unsigned numbers, then bitcast_convert
//	         (%2: i8 to i64)
//	%1 = count_leading_zeros %0    =>  that of the bits as unsigned numbers: of a negative
//	         (%0: i8 to i32)           constant XLA counts the zeros of 64 bits
//
// So every engine computes the same results.
func elements(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		r, ok := elementRewrites[op.Kind]
		if !ok || !r.on(op.Operands[0].Type.DType) {
			return
		}
		b := (&ir.Builder{Loc: op.Loc}).Before(op)
		results := slices.Clone(r.as(b, op))
		if results == nil {
			return
		}
		for i, v := range results {
			results[i] = annotateAs(b, v, op.Results[i].Sharding)
		}
		op.ReplaceWith(results...)
	})
}

// annotateAs returns v with a sharding_constraint to s, or v itself if s is nil.
func annotateAs(b *ir.Builder, v *ir.Value, s *layout.Sharding) *ir.Value {
	if s == nil {
		return v
	}
	return b.OpWithTypes(ir.OpShardingConstraint, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type}, v).Result()
}

// elementRewrites lists, for each op, the element types of its first operand that it is rewritten
// for, and the function that rewrites it.
var elementRewrites = map[ir.OpKind]struct {
	on func(d dtypes.DType) bool
	as func(b *ir.Builder, op *ir.Op) []*ir.Value // nil: the op stays
}{
	ir.OpConj:      {dtypes.DType.IsFloat, func(_ *ir.Builder, op *ir.Op) []*ir.Value { return op.Operands }},
	ir.OpMulHi:     {dtypes.DType.IsInt, func(b *ir.Builder, op *ir.Op) []*ir.Value { return []*ir.Value{upperProduct(b, op)} }},
	ir.OpCbrt:      {dtypes.DType.IsComplex, func(b *ir.Builder, op *ir.Op) []*ir.Value { return []*ir.Value{complexCbrt(b, op.Operands[0])} }},
	ir.OpRemainder: {dtypes.DType.IsComplex, func(b *ir.Builder, op *ir.Op) []*ir.Value { return []*ir.Value{complexRemainder(b, op)} }},
	ir.OpMaximum: {dtypes.DType.IsComplex, func(b *ir.Builder, op *ir.Op) []*ir.Value {
		return []*ir.Value{complexLarger(b, op.Operands[0], op.Operands[1], "LT")}
	}},
	ir.OpMinimum: {dtypes.DType.IsComplex, func(b *ir.Builder, op *ir.Op) []*ir.Value {
		return []*ir.Value{complexLarger(b, op.Operands[0], op.Operands[1], "GT")}
	}},
	ir.OpClamp:   {dtypes.DType.IsComplex, complexClamp},
	ir.OpCompare: {dtypes.DType.IsComplex, complexCompare},
	ir.OpTopK:    {func(d dtypes.DType) bool { return d == dtypes.Bool }, topOfBooleans},

	ir.OpRngBitGenerator:   {dtypes.DType.IsInt, signedBits},
	ir.OpCountLeadingZeros: {dtypes.DType.IsInt, unsignedZeros},
}

// upperProduct returns the upper half of the bits of the product of op's operands, two integers of
// one type, signed or not.
func upperProduct(b *ir.Builder, op *ir.Op) *ir.Value {
	x, y, t := op.Operands[0], op.Operands[1], op.Result().Type
	bits := t.DType.Bits()
	wide, shift := t.WithDType(dtypes.Uint64), ir.OpShiftRightLogical
	if !t.DType.IsUnsigned() {
		wide, shift = t.WithDType(dtypes.Int64), ir.OpShiftRightArithmetic
	}
	number := func(t ir.Type, n float64) *ir.Value { return b.Constant(ir.Splat(t, n)) }
	half := func(v *ir.Value, n int) *ir.Value {
		return b.OpWithTypes(shift, nil, []ir.Type{v.Type}, v, number(v.Type, float64(n))).Result()
	}
	if bits < 64 {
		return b.Convert(half(b.Multiply(b.Convert(x, wide), b.Convert(y, wide)), bits), t)
	}
	// With x = 2³²·a + b and y = 2³²·c + d, where b and d are unsigned, the product is 2⁶⁴·ac +
	// 2³²·(ad + bc) + bd. The sums below fit into 64 bits.
	low := func(v *ir.Value) *ir.Value { return b.And(v, number(v.Type, 1<<32-1)) }
	a, lx, c, ly := half(x, 32), low(x), half(y, 32), low(y)
	logical := func(v *ir.Value) *ir.Value { return b.ShiftRightLogical(v, number(v.Type, 32)) }
	middle := b.Add(b.Multiply(a, ly), logical(b.Multiply(lx, ly)))
	other := b.Add(b.Multiply(lx, c), low(middle))
	return b.Add(b.Add(b.Multiply(a, c), half(middle, 32)), half(other, 32))
}

// complexCbrt returns the principal cube root of x, complex numbers; 0 of 0.
func complexCbrt(b *ir.Builder, x *ir.Value) *ir.Value {
	zero := b.Constant(ir.Splat(x.Type, 0))
	root := b.Exp(b.Divide(b.Log(x), b.Constant(ir.Splat(x.Type, 3))))
	return b.Select(b.Compare(x, zero, "EQ"), zero, root)
}

// complexRemainder returns x - y·q for the complex operands x and y of op, where q is the quotient
// with its real and its imaginary part rounded towards zero.
func complexRemainder(b *ir.Builder, op *ir.Op) *ir.Value {
	x, y := op.Operands[0], op.Operands[1]
	quotient := b.Divide(x, y)
	truncate := func(v *ir.Value) *ir.Value { return b.Multiply(b.Sign(v), b.Floor(b.Abs(v))) }
	whole := b.Complex(truncate(b.Real(quotient)), truncate(b.Imag(quotient)))
	return b.Subtract(x, b.Multiply(y, whole))
}

// complexLarger returns, for each element of the complex values x and y, y if x compares to it in
// the given direction, and otherwise x: the larger one for LT, the smaller one for GT, in the order
// of complexOrder (by real parts, then by imaginary parts). If NaN leaves the order open, it is x.
func complexLarger(b *ir.Builder, x, y *ir.Value, direction string) *ir.Value {
	return b.Select(complexOrder(b, x, y, direction), y, x)
}

// complexOrder returns the comparison of x and y, complex numbers, in the direction LT, LE, GT or
// GE: by the real parts and, if these are equal, by the imaginary parts.
func complexOrder(b *ir.Builder, x, y *ir.Value, direction string) *ir.Value {
	strict := direction[:1] + "T" // GT for GE
	re, other := b.Real(x), b.Real(y)
	return b.Or(b.Compare(re, other, strict), b.And(b.Compare(re, other, "EQ"), b.Compare(b.Imag(x), b.Imag(y), direction)))
}

func complexCompare(b *ir.Builder, op *ir.Op) []*ir.Value {
	switch direction := op.Compare().ComparisonDirection(); direction {
	case "EQ", "NE":
		return nil
	default:
		return []*ir.Value{complexOrder(b, op.Operands[0], op.Operands[1], direction)}
	}
}

func complexClamp(b *ir.Builder, op *ir.Op) []*ir.Value {
	low, x, high := op.Operands[0], op.Operands[1], op.Operands[2]
	spread := func(v *ir.Value) *ir.Value {
		if v.Type.Equal(x.Type) {
			return v
		}
		return b.BroadcastInDim(v, []int{}, x.Type)
	}
	return []*ir.Value{complexLarger(b, complexLarger(b, x, spread(low), "LT"), spread(high), "GT")}
}

// topOfBooleans returns the results that replace those of op, a top_k of booleans: it takes the
// largest of the numbers 0 and 1, the first true elements, then the first false ones, and their
// indices.
func topOfBooleans(b *ir.Builder, op *ir.Op) []*ir.Value {
	x := op.Operands[0]
	top := b.TopK(b.Convert(x, x.Type.WithDType(dtypes.Int32)), op.TopK().K())
	return []*ir.Value{b.Convert(top.Results[0], op.Results[0].Type), top.Results[1]}
}

// signedBits rewrites a random bit generator of signed integers: it generates unsigned bits, and
// reinterprets them. XLA on CPUs would give operations on signed bits the unsigned type. It returns
// nil for other element types.
func signedBits(b *ir.Builder, op *ir.Op) []*ir.Value {
	t := op.Results[1].Type
	unsigned, ok := unsignedTypes[t.DType]
	if !ok {
		return nil
	}
	bits := b.OpWithTypes(op.Kind, op.Attrs, []ir.Type{op.Results[0].Type, t.WithDType(unsigned)}, op.Operands...)
	return []*ir.Value{bits.Results[0], b.BitcastConvert(bits.Results[1], t)}
}

// unsignedZeros returns the result that replaces that of op, a count_leading_zeros: it counts them
// in the unsigned type of the same size. It returns nil if the type is not a signed integer.
func unsignedZeros(b *ir.Builder, op *ir.Op) []*ir.Value {
	t := op.Result().Type
	unsigned, ok := unsignedTypes[t.DType]
	if !ok {
		return nil
	}
	bits := b.CountLeadingZeros(b.BitcastConvert(op.Operands[0], t.WithDType(unsigned)))
	return []*ir.Value{b.BitcastConvert(bits, t)}
}

// unsignedTypes maps each signed integer type to the unsigned type of the same size.
var unsignedTypes = map[dtypes.DType]dtypes.DType{
	dtypes.Int8: dtypes.Uint8, dtypes.Int16: dtypes.Uint16, dtypes.Int32: dtypes.Uint32, dtypes.Int64: dtypes.Uint64,
}
