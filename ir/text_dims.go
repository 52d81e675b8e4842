package ir

// This file prints and parses dimension numbers: #stablehlo.dot, .gather and
// .scatter, which are lists of named fields, and .conv, whose text draws the
// order of the dimensions.

import (
	"fmt"
	"strconv"
	"strings"
)

// dimsField is one field of a dimension-numbers attribute: a list or a number.
type dimsField struct {
	name   string
	list   *[]int
	number *int
}

// dimsFields returns the mnemonic of a and its fields in MLIR's order.
func dimsFields(a Attr) (mnemonic string, fields []dimsField) {
	switch a := a.(type) {
	case *DotDims:
		return "dot", []dimsField{
			{name: "lhs_batching_dimensions", list: &a.LHSBatch},
			{name: "rhs_batching_dimensions", list: &a.RHSBatch},
			{name: "lhs_contracting_dimensions", list: &a.LHSContracting},
			{name: "rhs_contracting_dimensions", list: &a.RHSContracting},
		}
	case *GatherDims:
		return "gather", []dimsField{
			{name: "offset_dims", list: &a.OffsetDims},
			{name: "collapsed_slice_dims", list: &a.CollapsedSliceDims},
			{name: "operand_batching_dims", list: &a.OperandBatchingDims},
			{name: "start_indices_batching_dims", list: &a.IndicesBatchingDims},
			{name: "start_index_map", list: &a.StartIndexMap},
			{name: "index_vector_dim", number: &a.IndexVectorDim},
		}
	case *ScatterDims:
		return "scatter", []dimsField{
			{name: "update_window_dims", list: &a.UpdateWindowDims},
			{name: "inserted_window_dims", list: &a.InsertedWindowDims},
			{name: "input_batching_dims", list: &a.InputBatchingDims},
			{name: "scatter_indices_batching_dims", list: &a.ScatterIndicesBatchDims},
			{name: "scatter_dims_to_operand_dims", list: &a.ScatterDimsToOperandDims},
			{name: "index_vector_dim", number: &a.IndexVectorDim},
		}
	}
	panic(fmt.Sprintf("BUG: %T has no named fields", a))
}

// dimsText returns #stablehlo.gather<offset_dims = [1], …>; empty lists and
// zeros are left out.
func dimsText(a Attr) string {
	name, fields := dimsFields(a)
	var parts []string
	for _, f := range fields {
		if f.list != nil && len(*f.list) > 0 {
			parts = append(parts, f.name+" = "+intsText(*f.list))
		}
		if f.number != nil && *f.number != 0 {
			parts = append(parts, f.name+" = "+strconv.Itoa(*f.number))
		}
	}
	return "#stablehlo." + name + "<" + strings.Join(parts, ", ") + ">"
}

// convSide is one of the three tensors of a convolution: two dimensions with
// letters, the others numbered in the order of the window.
type convSide struct {
	letters [2]byte
	dims    [2]*int
	spatial *[]int
}

func (a *ConvDims) sides() [3]convSide {
	return [3]convSide{
		{[2]byte{'b', 'f'}, [2]*int{&a.InputBatch, &a.InputFeature}, &a.InputSpatial},
		{[2]byte{'i', 'o'}, [2]*int{&a.KernelInputFeature, &a.KernelOutputFeature}, &a.KernelSpatial},
		{[2]byte{'b', 'f'}, [2]*int{&a.OutputBatch, &a.OutputFeature}, &a.OutputSpatial},
	}
}

// text returns [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func (a *ConvDims) text() string {
	var b strings.Builder
	for i, side := range a.sides() {
		b.WriteString([]string{"", "x", "->"}[i])
		dims := make([]string, 2+len(*side.spatial))
		place := func(at int, label string) {
			if at >= 0 && at < len(dims) {
				dims[at] = label
			}
		}
		for k, at := range *side.spatial {
			place(at, strconv.Itoa(k))
		}
		for k, at := range side.dims {
			place(*at, string(side.letters[k]))
		}
		b.WriteString("[" + strings.Join(dims, ", ") + "]")
	}
	return b.String()
}

// dims reads the named fields of dimension numbers.
func (p *parser) dims(a Attr) Attr {
	_, fields := dimsFields(a)
	for !p.at(">") {
		at, name := p.tok.start, p.take(tokID, "a field's name")
		var field *dimsField
		var names []string
		for i := range fields {
			names = append(names, fields[i].name)
			if fields[i].name == name {
				field = &fields[i]
			}
		}
		if field == nil {
			p.failf(at, "got the field %s, want one of %s", name, strings.Join(names, ", "))
		}
		p.expect("=")
		if field.list != nil {
			*field.list = p.ints()
		} else {
			*field.number = p.int()
		}
		if !p.accept(",") {
			break
		}
	}
	return a
}

// convDims reads [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func (p *parser) convDims() Attr {
	a := &ConvDims{}
	for i, side := range a.sides() {
		if i > 0 {
			p.expect([]string{"", "x", "->"}[i])
		}
		at := p.tok.start
		places := map[string]int{}
		n := 0
		p.expect("[")
		p.commaList("]", func() {
			if p.tok.kind != tokID && p.tok.kind != tokInt {
				p.unexpected("the letter or the number of a dimension")
			}
			places[p.text()] = n
			n++
			p.next()
		})
		want := []string{string(side.letters[0]), string(side.letters[1])}
		for k := range n - 2 {
			want = append(want, strconv.Itoa(k))
		}
		*side.spatial = make([]int, max(0, n-2))
		for k, label := range want {
			place, ok := places[label]
			if !ok || n < 2 {
				p.failf(at, "got dimension numbers without `%s`, want each of %s once", label, strings.Join(want, ", "))
			}
			if k < 2 {
				*side.dims[k] = place
			} else {
				(*side.spatial)[k-2] = place
			}
		}
	}
	return a
}
