package ir

//go:generate go run ./internal/opgen

// This file defines the op table, which has one definition for every op that gospmd knows. It
// builds the table from the definitions, looks ops up, and has the types and functions that
// definitions are written with.
//
// The definitions are in opdefs.go. They follow the StableHLO specification (1.13), the CHLO ops
// that JAX exports, and Shardy's dialect. Those of the collectives of per-device programs follow
// from collectives.go. Other stages have tables of their own about ops, keyed by OpKind: sharding
// rules in package sharding, partitioning rules in package compile/partition.

import "fmt"

// OpKind identifies an op of the op table.
type OpKind int

// Arity is the range of a number of operands, results or regions.
type Arity struct{ Min, Max int } // Max < 0: no upper bound

var (
	none        = Arity{0, 0}
	one         = Arity{1, 1}
	two         = Arity{2, 2}
	three       = Arity{3, 3}
	five        = Arity{5, 5}
	zeroOrMore  = Arity{0, -1}
	oneOrMore   = Arity{1, -1}
	twoOrMore   = Arity{2, -1}
	threeOrMore = Arity{3, -1}
)

// Allows reports whether n is in the range.
func (a Arity) Allows(n int) bool { return n >= a.Min && (a.Max < 0 || n <= a.Max) }

// String returns the range in words: 2, 1 to 3, at least 1.
func (a Arity) String() string {
	switch {
	case a.Max < 0:
		return fmt.Sprintf("at least %d", a.Min)
	case a.Min == a.Max:
		return fmt.Sprint(a.Min)
	default:
		return fmt.Sprintf("%d to %d", a.Min, a.Max)
	}
}

// Trait is a property that many ops share.
type Trait uint

// The traits.
const (
	// Elementwise: all operands and results have the same dimensions, and element i of a result
	// depends only on the elements i of the operands. A scalar operand of clamp and select applies
	// to every element.
	Elementwise Trait = 1 << iota
	// Commutative says that the two operands may be swapped.
	Commutative
	// SideEffect: the op must stay even if its results have no uses.
	SideEffect
	// Terminator says that the op ends a block.
	Terminator
	// Collective says that the op communicates between devices.
	Collective
	// ScalarBody: the op's regions compute on scalars, as the body of a reduce does. They may use
	// only values that they define and their own arguments.
	ScalarBody
	// Isolated: the op's region may not use values that are defined outside of it.
	Isolated
	// OnMesh: the op belongs to per-device programs and names axes of the module's first mesh.
	OnMesh
)

// AttrKind says which Go type an attribute has.
type AttrKind int

// The attribute kinds. KindX stands for the type X in attr.go, or for XDims, XAttr or XHandle;
// KindAny for all of them. A comment says what is different.
const (
	KindUnit AttrKind = iota
	KindBool
	KindInt
	KindInt32
	KindFloat
	KindString
	KindSymbol
	KindInts
	KindBools
	KindEnum
	KindArray
	KindDict
	KindType
	KindRaw
	KindDense
	KindIntMatrix // a Dense of tensor<Nx2xi64> or another rank-2 shape: padding, replica_groups
	KindDot
	KindConv
	KindGather
	KindScatter
	KindChannel
	KindSharding
	KindShardings
	KindAxes
	KindAxesPerDim
	KindAny
)

// AttrSpec describes an attribute of an op.
type AttrSpec struct {
	Name     string
	Kind     AttrKind
	Optional bool
	// the name in the long form: of the enumeration in #stablehlo<name CASE>, or of the kind of
	// axis list in #sdy<name{…}>
	Enum string
	// returns the value that an optional attribute has if it is absent; nil: it has none
	Default func(*Op) Attr
}

// OpInfo is the definition of an op.
type OpInfo struct {
	Kind     OpKind
	Name     string // name with its dialect: stablehlo.add
	Operands Arity
	Results  Arity
	Regions  Arity
	Traits   Trait
	Attrs    []AttrSpec

	// Args names the operands as the StableHLO specification does, separated by ", ". A name that
	// ends in "..." stands for a list; if there are two lists, each has half of the operands. If
	// Args is empty, the names are operand, or lhs and rhs, or operands....
	Args string

	// Infer computes the result types from operands, attributes and regions. It returns an error if
	// these do not fit together. If result types cannot follow from these, Infer is nil and NoInfer
	// says why.
	Infer   func(op *Op) ([]Type, error)
	NoInfer string

	// Check verifies the result types that op has. It is set for ops that may have other result
	// types than Infer returns: those with NoInfer, and those such as dot_general, whose result may
	// have another element type.
	Check func(op *Op) error
}

// Is reports whether the op has all the given traits.
func (i *OpInfo) Is(t Trait) bool { return i.Traits&t == t }

// Attr returns the spec of the attribute with the given name, or nil.
func (i *OpInfo) Attr(name string) *AttrSpec {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}

// table holds the definitions of all ops, indexed by OpKind.
var table [NumOps]OpInfo

var kindByName = make(map[string]OpKind, NumOps)

func init() {
	table[OpUnregistered] = OpInfo{Name: "unregistered", Operands: zeroOrMore, Results: zeroOrMore, Regions: zeroOrMore,
		Traits: SideEffect, NoInfer: "nothing is known of the op", Check: checkUnregistered}
	for _, family := range []map[OpKind]OpInfo{elementwiseOps, dataOps, numericOps, controlOps, collectiveOps, sdyOps, spmdOps} {
		for kind, def := range family {
			if table[kind].Name != "" {
				panic(fmt.Sprintf("BUG: two definitions of op kind %d: %s and %s", kind, table[kind].Name, def.Name))
			}
			table[kind] = def
		}
	}
	for i := range collectives {
		table[collectives[i].Kind] = collectives[i].definition()
	}
	for k := range table {
		if table[k].Name == "" {
			panic(fmt.Sprintf("BUG: op kind %d has no definition", k))
		}
		table[k].Kind = OpKind(k)
		kindByName[table[k].Name] = OpKind(k)
	}
}

// Info returns the definition of k.
func (k OpKind) Info() *OpInfo { return &table[k] }

// String returns the MLIR name: stablehlo.add.
func (k OpKind) String() string {
	if k < 0 || k >= NumOps {
		return fmt.Sprintf("OpKind(%d)", int(k))
	}
	return table[k].Name
}

// KindByName returns the kind of op with an MLIR name such as stablehlo.add, or OpUnregistered if
// the table does not have it.
func KindByName(name string) OpKind { return kindByName[name] }

// EachOpInfo calls visit for the definition of every op except OpUnregistered, in order.
func EachOpInfo(visit func(*OpInfo)) {
	for k := OpUnregistered + 1; k < NumOps; k++ {
		visit(&table[k])
	}
}

// rule is a shape rule: the type of OpInfo.Infer.
type rule = func(op *Op) ([]Type, error)

// unaryOp returns the row of the op table for an element-wise op with one operand, called name,
// with the attributes attrs and the rule infer for its result.
func unaryOp(name string, infer rule, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Elementwise, Attrs: attrs, Infer: infer}
}

// binaryOp returns the row of the op table for an element-wise op with two operands, called name,
// with the rule infer for its result and with traits besides Elementwise.
func binaryOp(name string, infer rule, traits Trait) OpInfo {
	return OpInfo{Name: name, Operands: two, Results: one, Traits: Elementwise | traits, Infer: infer}
}

func specs(s ...AttrSpec) []AttrSpec { return s }

func req(name string, kind AttrKind) AttrSpec { return AttrSpec{Name: name, Kind: kind} }

func opt(name string, kind AttrKind) AttrSpec {
	return AttrSpec{Name: name, Kind: kind, Optional: true}
}

func enum(name, enumeration string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindEnum, Enum: enumeration}
}

func optEnum(name, enumeration string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindEnum, Enum: enumeration, Optional: true}
}

// optBool returns the spec of an optional boolean, which is false by default.
func optBool(name string) AttrSpec { return optDefault(name, KindBool, Bool(false)) }

func optDefault(name string, kind AttrKind, value Attr) AttrSpec {
	return AttrSpec{Name: name, Kind: kind, Optional: true, Default: func(*Op) Attr { return value }}
}

// optOnes returns the spec of an optional list with one integer for each window dimension, each 1
// by default.
func optOnes(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindInts, Optional: true, Default: func(op *Op) Attr {
		out := make(Ints, windowRank(op))
		for i := range out {
			out[i] = 1
		}
		return out
	}}
}

// optFalses returns the spec of an optional list with one boolean for each window dimension, each
// false by default.
func optFalses(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindBools, Optional: true, Default: func(op *Op) Attr {
		return make(Bools, windowRank(op))
	}}
}

// optPadding returns the spec of optional padding, which is none by default.
func optPadding(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindIntMatrix, Optional: true, Default: func(op *Op) Attr {
		return IntMatrix(make([][]int, windowRank(op)), 2)
	}}
}

// precisionConfig is the attribute that holds one precision for each operand.
var precisionConfig = AttrSpec{Name: "precision_config", Kind: KindArray, Enum: "precision", Optional: true}

// windowRank returns the number of window dimensions of op. For a convolution these are the spatial
// dimensions, for other ops all dimensions of the operand.
func windowRank(op *Op) int {
	if op.Kind == OpConvolution {
		return len(op.Convolution().DimensionNumbers().InputSpatial)
	}
	return op.Operands[0].Type.Rank()
}

// enumCases lists the values of every enumeration that a definition in the op table names.
var enumCases = map[string][]string{
	"comparison_direction":  {"EQ", "NE", "GE", "GT", "LE", "LT"},
	"comparison_type":       {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
	"fft_type":              {"FFT", "IFFT", "RFFT", "IRFFT"},
	"precision":             {"DEFAULT", "HIGH", "HIGHEST"},
	"propagation_direction": {"NONE", "FORWARD", "BACKWARD", "BOTH"},
	"reduction":             {"add", "multiply", "maximum", "minimum", "and", "or", "xor"},
	"rng_algorithm":         {"DEFAULT", "THREE_FRY", "PHILOX"},
	"rng_distribution":      {"UNIFORM", "NORMAL"},
	"transpose":             {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
}

// EnumCases returns the cases of an enumeration of StableHLO, Shardy or the spmd dialect, such as
// comparison_direction, or nil if no definition names the enumeration.
func EnumCases(enumeration string) []string { return enumCases[enumeration] }
