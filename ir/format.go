package ir

// This file holds the pretty forms of the ops. Each op with a pretty form has one template, which
// both the printer and the parser follow. The file also holds the table of hooks: a hook is a part
// of a pretty form that is not just one attribute in short form.
//
// A template is the text after the op's name. It may contain:
//
//	$dims          the attribute of that name, in short form
//	$OPERANDS      the hook of that name in hookTable
//	$?x(, x = $x)  the text in parentheses if attribute x is present
//
// Ops without a template have no pretty form that the StableHLO parser knows, and are printed in
// generic form. So is an op that its template cannot show completely, such as one that lacks an
// attribute.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The templates of Elementwise ops that are not in formats. Those of the collectives of per-device
// programs follow from their rows.
const (
	elementwise     = " $OPERANDS$ATTRS : $SAME"
	chloElementwise = " $OPERANDS$ATTRS : $ARROW"
)

var formats = [NumOps]string{
	OpImag:            " $OPERANDS$ATTRS : $FUNC",
	OpIsFinite:        " $OPERANDS$ATTRS : $FUNC",
	OpReal:            " $OPERANDS$ATTRS : $FUNC",
	OpReducePrecision: " $OPERANDS, format = $FORMAT$ATTRS : $SAME",
	OpComplex:         " $OPERANDS$ATTRS : $COMPLEX",
	OpCompare:         " $comparison_direction, $OPERANDS$?compare_type(, $compare_type)$ATTRS : $FUNC",
	OpSelect:          " $OPERANDS$ATTRS : $SELECT",

	OpConstant:           "$ATTRS $VALUE",
	OpIota:               " dim = $iota_dimension$ATTRS : $RESULT",
	OpBroadcastInDim:     " $OPERANDS, dims = $broadcast_dimensions$ATTRS : $FUNC",
	OpReshape:            " $OPERANDS$ATTRS : $FUNC",
	OpTranspose:          " $OPERANDS, dims = $permutation$ATTRS : $FUNC",
	OpBitcastConvert:     " $OPERANDS$ATTRS : $FUNC",
	OpSlice:              " $OPERANDS $RANGES$ATTRS : $FUNC",
	OpPad:                " $OPERANDS, low = $edge_padding_low, high = $edge_padding_high, interior = $interior_padding$ATTRS : $FUNC",
	OpConcatenate:        " $OPERANDS, dim = $dimension$ATTRS : $FUNC",
	OpReverse:            " $OPERANDS, dims = $dimensions$ATTRS : $SAME",
	OpDynamicSlice:       " $OPERANDS, sizes = $slice_sizes$ATTRS : $FUNC",
	OpDynamicUpdateSlice: " $OPERANDS$ATTRS : $FUNC",

	OpDotGeneral:  " $OPERANDS, $DOT$?precision_config(, precision = $precision_config)$?algorithm(, algorithm = $algorithm)$ATTRS : $FUNC",
	OpDot:         " $OPERANDS$?precision_config(, precision = $precision_config)$ATTRS : $FUNC",
	OpConvolution: "$ARGS dim_numbers = $dimension_numbers, window = {$WINDOW}$ATTRS : $FUNC",
	OpReduce:      "$REDUCE",
	OpTopK:        "($OPERANDS, k = $k)$ATTRS : $ARROW",

	OpRngBitGenerator: " $OPERANDS, algorithm = $rng_algorithm$ATTRS : $FUNC",
	OpRng:             " $OPERANDS, distribution = $rng_distribution$ATTRS : $FUNC",
	OpCholesky:        " $OPERANDS$?lower(, lower = $lower)$ATTRS : $SAME",
	OpFFT:             " $OPERANDS, type = $fft_type, length = $fft_length$ATTRS : $FUNC",

	OpWhile:               "$WHILE",
	OpReturn:              "$RETURNED",
	OpCall:                " $callee$ARGS$ATTRS : $FUNC",
	OpComposite:           " $name $OPERANDS$ATTRS : $FUNC",
	OpFuncReturn:          "$RETURNED",
	OpCustomCall:          " $TARGET$ARGS$ATTRS : $FUNC",
	OpOptimizationBarrier: "$ATTRS $OPERANDS : $TYPES",
	OpAfterAll:            " $OPERANDS$ATTRS : $RESULT",
	OpCreateToken:         "$ATTRS : $RESULT",
	OpPartitionID:         "$ATTRS : $RESULT",
	OpReplicaID:           "$ATTRS : $RESULT",

	OpShardingConstraint:       " $OPERANDS $sharding$ATTRS : $RESULT",
	OpReshard:                  " $OPERANDS $sharding$ATTRS : $RESULT",
	OpPropagationBarrier:       " $OPERANDS allowed_direction=$allowed_direction$ATTRS : $RESULT",
	OpShardingGroup:            " $OPERANDS group_id=$group_id$ATTRS : $INPUTS",
	OpFuncDataFlowEdge:         " $OPERANDS$ATTRS : $RESULT",
	OpDataFlowEdge:             " $OPERANDS$?sharding( sharding=$sharding)$ATTRS : $RESULT",
	OpManualComputation:        "$ARGS in_shardings=$in_shardings out_shardings=$out_shardings manual_axes=$manual_axes $BODY$ATTRS : $FUNC",
	OpNamedComputation:         "<$name>$ARGS$?in_shardings( in_shardings=$in_shardings)$?out_shardings( out_shardings=$out_shardings) $BODY$ATTRS : $FUNC",
	OpSdyReturn:                "$RETURNED",
	OpSdyConstant:              "$ATTRS $VALUE",
	OpSdyAllGather:             " $gathering_axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyAllSlice:              " $slicing_axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyAllReduce:             " $reduction_axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyAllToAll:              " $params $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyCollectivePermute:     " $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyReplicatedToUnreduced: " $axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyShardedToUnreduced:    " $axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",
	OpSdyReduceScatter:         " $reduce_scatter_axes $OPERANDS out_sharding=$out_sharding$ATTRS : $RESULT",

	OpSPMDAxisIndex: " $axes$ATTRS : $RESULT",
}

// shortNames maps the ops whose pretty form omits the dialect, if they are directly in a function,
// to their short names.
var shortNames = map[OpKind]string{OpCall: "call", OpFuncReturn: "return"}

// format is a compiled template.
type format struct {
	name    string // printed name
	pieces  []piece
	covered []string // attributes that the template shows elsewhere than in $ATTRS
	region  bool     // a hook shows the op's regions
}

// piece is one element of a template. Exactly one of text, spec, hook and group is set.
type piece struct {
	text   string
	tokens []string // the tokens of text
	spec   *AttrSpec
	hook   *hook

	unless string  // for a group: the group is left out if this attribute is absent
	group  []piece // $?unless(group)
}

// compiled holds the compiled templates. They are compiled by compileOnce at the first use, when
// the op table is complete.
var (
	compiled    [NumOps]*format
	compileOnce sync.Once
)

// formatOf returns the compiled template of k, or nil.
func formatOf(k OpKind) *format {
	compileOnce.Do(compileFormats)
	return compiled[k]
}

// compileFormats fills compiled with the formats of all ops that have a pretty form.
func compileFormats() {
	hooks := map[string]*hook{}
	for _, h := range hookTable() {
		hooks[h.name] = &h
	}
	EachOpInfo(func(info *OpInfo) {
		template := formats[info.Kind]
		if template == "" && info.Is(Elementwise) {
			template = elementwise
			if strings.HasPrefix(info.Name, "chlo.") {
				template = chloElementwise
			}
		}
		if c := CollectiveOf(info.Kind); c != nil {
			template = c.template()
		}
		if template == "" {
			return
		}
		f := &format{name: info.Name}
		if short := shortNames[info.Kind]; short != "" {
			f.name = short
		}
		f.pieces = f.compile(info, hooks, template)
		compiled[info.Kind] = f
	})
}

// compile cuts a template of the text of the op info into pieces, which print and parse the op.
// hooks has the hooks by their names in templates. It notes in f the attributes and regions that
// the template shows.
func (f *format) compile(info *OpInfo, hooks map[string]*hook, template string) (pieces []piece) {
	for template != "" {
		text, rest, found := strings.Cut(template, "$")
		if text != "" {
			pieces = append(pieces, piece{text: text, tokens: tokensOf(text)})
		}
		if !found {
			break
		}
		if group, ok := strings.CutPrefix(rest, "?"); ok {
			name, tail, _ := strings.Cut(group, "(")
			inner, tail, _ := strings.Cut(tail, ")")
			pieces = append(pieces, piece{unless: name, group: f.compile(info, hooks, inner)})
			template = tail
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return !isIDStart(byte(r)) && (r < '0' || r > '9') })
		if n < 0 {
			n = len(rest)
		}
		name, tail := rest[:n], rest[n:]
		template = tail
		if h := hooks[name]; h != nil {
			pieces = append(pieces, piece{hook: h})
			f.covered = append(f.covered, h.attrs...)
			f.region = f.region || h.region
			continue
		}
		spec := info.Attr(name)
		if spec == nil {
			panic(fmt.Sprintf("BUG: the pretty form of %s names $%s, which is neither a hook nor an attribute", info.Name, name))
		}
		pieces = append(pieces, piece{spec: spec})
		f.covered = append(f.covered, name)
	}
	return pieces
}

// fits reports whether the template can show op completely.
func (f *format) fits(op *Op) bool {
	if len(op.Regions) > 0 && !f.region {
		return false
	}
	return piecesFit(f.pieces, op)
}

func piecesFit(pieces []piece, op *Op) bool {
	for _, pc := range pieces {
		switch {
		case pc.group != nil:
			if op.Has(pc.unless) && !piecesFit(pc.group, op) {
				return false
			}
		case pc.spec != nil:
			if a := op.Attrs.Get(pc.spec.Name); a == nil || !pc.spec.shows(a) {
				return false
			}
		case pc.hook != nil && pc.hook.fits != nil:
			if !pc.hook.fits(op) {
				return false
			}
		}
	}
	return true
}

func (f *format) print(p *printer, op *Op) { f.printPieces(p, op, f.pieces) }

func (f *format) printPieces(p *printer, op *Op, pieces []piece) {
	for _, pc := range pieces {
		switch {
		case pc.group != nil:
			if op.Has(pc.unless) {
				f.printPieces(p, op, pc.group)
			}
		case pc.spec != nil:
			p.shortAttr(op.Attrs.Get(pc.spec.Name))
		case pc.hook != nil:
			pc.hook.print(p, op)
		default:
			p.put(pc.text)
		}
	}
}

// rest returns the attributes that $ATTRS shows, including the results' shardings.
func (f *format) rest(op *Op) Attrs {
	var out Attrs
	for _, na := range op.Attrs {
		if !slices.Contains(f.covered, na.Name) {
			out = append(out, na)
		}
	}
	return withShardings(out, op)
}

// parse reads an op's text, as the pieces of its template say, and sets what it reads in the draft
// d.
func (f *format) parse(p *parser, d *draft, pieces []piece) {
	for _, pc := range pieces {
		switch {
		case pc.group != nil:
			if p.acceptAll(pc.group[0].tokens) {
				f.parse(p, d, pc.group[1:])
			}
		case pc.spec != nil:
			at := p.tok.start
			a := p.shortAttr(d.Info(), pc.spec)
			p.setAttr(d, at, pc.spec.Name, p.conform(d.Info(), pc.spec.Name, a, at))
		case pc.hook != nil:
			pc.hook.parse(p, d)
		default:
			for _, t := range pc.tokens {
				p.expect(t)
			}
		}
	}
}

// acceptAll skips the given tokens and returns true if they come next. Otherwise it skips none and
// returns false.
func (p *parser) acceptAll(tokens []string) bool {
	start := p.tok
	for _, t := range tokens {
		if !p.accept(t) {
			p.tok = start
			return false
		}
	}
	return true
}

// tokensOf cuts the text of a template into tokens.
func tokensOf(text string) (tokens []string) {
	l := lexer{src: text}
	for l.next(); l.tok.kind != tokEOF; l.next() {
		tokens = append(tokens, l.text())
	}
	return tokens
}

// hook is a row of hookTable.
type hook struct {
	name   string            // its name in templates, without $
	attrs  []string          // attributes that it shows
	region bool              // the hook shows the regions
	fits   func(op *Op) bool // reports whether the hook can show op; nil: it always can
	print  func(*printer, *Op)
	parse  func(*parser, *draft)
}

// hookTable returns the table of hooks. It is a function because hooks in turn use the templates.
func hookTable() []hook {
	return []hook{
		// Operands, and the dictionary of the other attributes.
		// %0, %1
		{name: "OPERANDS", fits: fitsOperands, print: printOperands, parse: parseOperands},
		// (%0, %1)
		{name: "ARGS", print: printArgs, parse: (*parser).operandsInParens},
		// {a = 1 : i64}
		{name: "ATTRS", print: printAttrs, parse: parseAttrs},

		// Types.
		// (operand types) -> result types
		{name: "FUNC", print: (*printer).functionType, parse: (*parser).typesOf},
		// operand types -> result types
		{name: "ARROW", fits: fitsArrow, print: printArrow, parse: parseArrow},
		// the type of all operands and the result
		{name: "SAME", fits: hasOneResult, print: printSame, parse: parseSame},
		// the complex type whose real and imaginary parts are the operands
		{name: "COMPLEX", fits: hasOneResult, print: printComplex, parse: parseComplex},
		// the type of the predicate, then the type of all other operands
		{name: "SELECT", fits: fitsSelect, print: printSelect, parse: parseSelect},
		// the type of the result; the operands have the same type
		{name: "RESULT", fits: hasResultType, print: printResult, parse: parseResult},
		// the types of the operands, then those of the results
		{name: "TYPES", fits: fitsTypes, print: printTypes, parse: parseTypes},
		// the types of the operands of an op without results
		{name: "INPUTS", fits: fitsInputs, print: printInputs, parse: parseInputs},

		// Attributes.
		// a literal, whose type is the result's
		{name: "VALUE", attrs: []string{"value"}, fits: fitsValue, print: printValue, parse: parseValue},
		// @target
		{name: "TARGET", attrs: []string{"call_target_name"}, fits: hasKinds(KindString, "call_target_name"), print: printTarget, parse: parseTarget},
		// e5m10
		{name: "FORMAT", attrs: []string{"exponent_bits", "mantissa_bits"}, fits: hasKinds(KindInt32, "exponent_bits", "mantissa_bits"), print: printFormat, parse: parseFormat},
		// [start:limit:stride, …], a stride of 1 left out
		{name: "RANGES", attrs: []string{"start_indices", "limit_indices", "strides"}, fits: fitsRanges, print: printRanges, parse: parseRanges},
		// batching_dims = [0] x [0], contracting_dims = [1] x [1]
		{name: "DOT", attrs: []string{"dot_dimension_numbers"}, fits: hasKinds(KindDot, "dot_dimension_numbers"), print: printDot, parse: parseDot},
		// stride = [1, 1], pad = [[0, 0], [0, 0]], …
		{name: "WINDOW", attrs: []string{"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"}, fits: fitsWindow, print: printWindow, parse: parseWindow},

		// Terminators, and ops with regions.
		// {a = 1 : i64} %0, %1 : types
		{name: "RETURNED", print: printReturned, parse: parseReturned},
		// (%0 init: %1) applies stablehlo.add across dimensions = [1] : …, or the form with the
		// body written out
		{name: "REDUCE", attrs: []string{"dimensions"}, region: true, fits: fitsReduce, print: printReduce, parse: parseReduce},
		// (%arg0 = %0) : types cond {…} do {…}
		{name: "WHILE", region: true, fits: fitsWhile, print: printWhile, parse: parseWhile},
		// (%arg0: type) {…}
		{name: "BODY", region: true, fits: fitsBody, print: printBody, parse: parseBody},
	}
}
