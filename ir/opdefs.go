package ir

// This file puts the op definitions together, looks them up, and holds the words
// that they are written in.

import "fmt"

// table is indexed by OpKind.
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

// KindByName returns the kind of an MLIR op name such as stablehlo.add, or
// OpUnregistered.
func KindByName(name string) OpKind { return kindByName[name] }

// EachOpInfo calls visit for the definition of every op but OpUnregistered, in order.
func EachOpInfo(visit func(*OpInfo)) {
	for k := OpUnregistered + 1; k < NumOps; k++ {
		visit(&table[k])
	}
}

// rule is a shape rule: the Infer column.
type rule = func(op *Op) ([]Type, error)

// unaryOp defines an element-wise op with one operand.
func unaryOp(name string, infer rule, attrs ...AttrSpec) OpInfo {
	return OpInfo{Name: name, Operands: one, Results: one, Traits: Elementwise, Attrs: attrs, Infer: infer}
}

// binaryOp defines an element-wise op with two operands.
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

// optBool is false by default.
func optBool(name string) AttrSpec { return optDefault(name, KindBool, Bool(false)) }

func optDefault(name string, kind AttrKind, value Attr) AttrSpec {
	return AttrSpec{Name: name, Kind: kind, Optional: true, Default: func(*Op) Attr { return value }}
}

// optOnes is 1 by default, for each window dimension.
func optOnes(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindInts, Optional: true, Default: func(op *Op) Attr {
		out := make(Ints, windowRank(op))
		for i := range out {
			out[i] = 1
		}
		return out
	}}
}

// optFalses is false by default, for each window dimension.
func optFalses(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindBools, Optional: true, Default: func(op *Op) Attr {
		return make(Bools, windowRank(op))
	}}
}

// optPadding is no padding by default.
func optPadding(name string) AttrSpec {
	return AttrSpec{Name: name, Kind: KindIntMatrix, Optional: true, Default: func(op *Op) Attr {
		return IntMatrix(make([][]int, windowRank(op)), 2)
	}}
}

// precisionConfig is one precision for each operand.
var precisionConfig = AttrSpec{Name: "precision_config", Kind: KindArray, Enum: "precision", Optional: true}

// windowRank returns the number of window dimensions of a windowed op: the
// spatial ones of a convolution, all of the operand's for the others.
func windowRank(op *Op) int {
	if op.Kind == OpConvolution {
		return len(op.Convolution().DimensionNumbers().InputSpatial)
	}
	return op.Operands[0].Type.Rank()
}

// enumCases lists the cases of every enumeration that a definition names.
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

// EnumCases returns the cases of a StableHLO or Shardy enumeration, such as
// comparison_direction, or nil when the op table names no such enumeration.
func EnumCases(enumeration string) []string { return enumCases[enumeration] }
