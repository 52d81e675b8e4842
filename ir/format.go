package ir

// This file holds the pretty forms of the ops: one template for each op that
// has one, which the printer and the parser both follow.
//
// A template is the text after the op's name. In it stand for:
//
//	$dims          the attribute of that name, in short form
//	$OPERANDS      the hook of that name in format_hooks.go
//	$?x(, x = $x)  the text in parentheses if attribute x is present
//
// Ops without a template have no pretty form that the StableHLO parser knows,
// and print in generic form. So does an op that the template cannot show in
// full, such as one that lacks an attribute.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The templates of Elementwise ops that formats does not list.
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

	OpSPMDAxisIndex:     " $axes$ATTRS : $RESULT",
	OpSPMDAllReduce:     " $OPERANDS axes=$axes reduction=$reduction$ATTRS : $TYPES",
	OpSPMDAllGather:     " $OPERANDS dim=$dim axes=$axes$ATTRS : $FUNC",
	OpSPMDReduceScatter: " $OPERANDS dim=$dim axes=$axes reduction=$reduction$ATTRS : $FUNC",
	OpSPMDAllToAll:      " $OPERANDS split_dim=$split_dim concat_dim=$concat_dim axes=$axes$ATTRS : $FUNC",
	OpSPMDPermute:       " $OPERANDS from=$from to=$to$ATTRS : $RESULT",
	OpSPMDShift:         " $OPERANDS axes=$axes offset=$offset$ATTRS : $RESULT",
}

// shortNames are the ops whose pretty form drops the dialect where they stand
// directly in a function.
var shortNames = map[OpKind]string{OpCall: "call", OpFuncReturn: "return"}

// format is a compiled template.
type format struct {
	name    string // printed name
	pieces  []piece
	covered []string // attributes that are not left to $ATTRS
	region  bool     // a hook shows the op's regions
}

// piece is one element of a template; one of text, spec and hook is set.
type piece struct {
	text   string
	tokens []string // of text
	spec   *AttrSpec
	hook   *hook

	unless string  // with group: the attribute whose absence leaves it out
	group  []piece // $?unless(group)
}

// compiled holds the templates' compiled forms once compileOnce has run: the
// op table has to be complete first.
var (
	compiled    [NumOps]*format
	compileOnce sync.Once
)

// formatOf returns the compiled template of k, or nil.
func formatOf(k OpKind) *format {
	compileOnce.Do(compileFormats)
	return compiled[k]
}

// compileFormats fills compiled.
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

// compile cuts a template into pieces.
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

// fits reports whether the template can show all of op.
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
			p.short(op.Attrs.Get(pc.spec.Name))
		case pc.hook != nil:
			pc.hook.print(p, op)
		default:
			p.put(pc.text)
		}
	}
}

// rest returns the attributes that $ATTRS shows, the results' shardings
// among them.
func (f *format) rest(op *Op) Attrs {
	var out Attrs
	for _, na := range op.Attrs {
		if !slices.Contains(f.covered, na.Name) {
			out = append(out, na)
		}
	}
	return withShardings(out, op)
}

// parse reads an op by the pieces of its template.
func (f *format) parse(p *parser, d *draft, pieces []piece) {
	for _, pc := range pieces {
		switch {
		case pc.group != nil:
			if p.acceptAll(pc.group[0].tokens) {
				f.parse(p, d, pc.group[1:])
			}
		case pc.spec != nil:
			at := p.tok.start
			a := p.short(d.Info(), pc.spec)
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

// acceptAll skips all the given tokens if they come next, else none.
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
