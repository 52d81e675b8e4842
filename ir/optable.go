package ir

//go:generate go run ./internal/opgen

// This file defines the op table: one definition for every op that gospmd knows.
//
// The definitions follow the StableHLO specification (1.13), the CHLO ops that JAX
// exports hold, and Shardy's dialect; they stand in opdefs_*.go.
// What other stages know of an op stands in their own tables, keyed by OpKind:
// sharding rules in package sharding, partitioning in package compile.

import "fmt"

// OpKind identifies an op of the op table.
type OpKind int

// Arity bounds a count: of operands, of results or of regions.
type Arity struct{ Min, Max int } // Max < 0: no bound

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

// Allows reports whether n is within the bounds.
func (a Arity) Allows(n int) bool { return n >= a.Min && (a.Max < 0 || n <= a.Max) }

// String returns the bounds in words: 2, 1 to 3, at least 1.
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
	// ScalarBody: the op's regions compute on scalars, as the body of a
	// reduce; they see nothing but their own arguments.
	ScalarBody
	// Isolated: the op's region sees no value from outside of it.
	Isolated
	// OnMesh: the op is of the per-device program and names axes of the
	// module's first mesh.
	OnMesh
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
	Enum     string         // the mnemonic in the long form: an enumeration's name in #stablehlo<name CASE>, a kind of axis list in #sdy<name{…}>
	Default  func(*Op) Attr // what a missing optional attribute means; nil: nothing
}

// OpInfo is the definition of an op.
type OpInfo struct {
	Kind     OpKind
	Name     string // with its dialect: stablehlo.add
	Operands Arity
	Results  Arity
	Regions  Arity
	Traits   Trait
	Attrs    []AttrSpec

	// Args names the operands as the StableHLO specification does, separated by
	// ", ": a name that ends in "..." stands for a list; of two lists each has
	// half of the operands. Empty: operand, or lhs and rhs, or operands....
	Args string

	// Infer computes the result types from operands, attributes and regions,
	// or says what is wrong with them. NoInfer gives the reason where result
	// types cannot follow from these.
	Infer   func(op *Op) ([]Type, error)
	NoInfer string

	// Check verifies the result types that op has. It is there where these
	// need not be what Infer says: with NoInfer, and where a result may have
	// another element type, as that of dot_general.
	Check func(op *Op) error
}

// Is reports whether the op has all the given traits.
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
