package ir

// This file holds the op table: one row for every op that gospmd knows.
//
// The rows follow the StableHLO specification (1.13) and Shardy's dialect.
// What other stages know of an op stands in their own tables, keyed by OpKind:
// sharding rules in package sharding, partitioning in package compile.

// OpKind identifies a row of the op table.
type OpKind int

// Arity bounds a count: of operands or of results.
type Arity struct{ Min, Max int } // Max < 0: no bound

var (
	none      = Arity{0, 0}
	one       = Arity{1, 1}
	two       = Arity{2, 2}
	three     = Arity{3, 3}
	any_      = Arity{0, -1}
	oneOrMore = Arity{1, -1}
)

// Trait is a property that many ops share.
type Trait uint

// The traits.
const (
	// Elementwise: all operands and results have the same dimensions and
	// element i of the results depends on the elements i of the operands only
	// (a scalar operand of clamp and select goes with every element).
	Elementwise Trait = 1 << iota
	// Commutative: the operands may be swapped.
	Commutative
	// SideEffect: the op must stay although nothing uses its results.
	SideEffect
	// Terminator: the op ends a block.
	Terminator
	// Collective: the op communicates between devices.
	Collective
	// Scalar: the op's region computes on scalars, as the body of a reduce.
	ScalarBody
)

// AttrKind is the Go type of an attribute.
type AttrKind int

// The attribute kinds; each is the type of the same name in attr.go.
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
	Enum     string         // KindEnum: the enumeration's name in #stablehlo<name CASE>
	Default  func(*Op) Attr // what a missing optional attribute means; nil: nothing
}

// OpInfo is a row of the op table.
type OpInfo struct {
	Kind     OpKind
	Name     string // with its dialect: stablehlo.add
	Operands Arity
	Results  Arity
	Regions  Arity
	Traits   Trait
	Attrs    []AttrSpec

	// Infer computes the result types from operands, attributes and regions,
	// or says what is wrong with them. NoInfer gives the reason where result
	// types cannot follow from these.
	Infer   func(op *Op) ([]Type, error)
	NoInfer string
}

// Is reports whether the row has all the given traits.
func (i *OpInfo) Is(t Trait) bool { return i.Traits&t == t }

// Attr returns the spec of the attribute of that name, or nil.
func (i *OpInfo) Attr(name string) *AttrSpec {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}
