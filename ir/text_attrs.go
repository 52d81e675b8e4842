package ir

// This file prints and parses two families of attributes. The first are dimension numbers:
// #stablehlo.dot, .gather and .scatter are lists of named fields, and .conv shows the order of the
// dimensions. The second are the attributes of Shardy's dialect: meshes, shardings and lists of
// axes. See the documentation of Shardy's sdy dialect for the syntax.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// dimsField is one field of a dimension-numbers attribute: a list or a number.
type dimsField struct {
	name   string
	list   *[]int
	number *int
}

// dimsFields returns the name that a, dimension numbers of a dot, gather or scatter, has in
// StableHLO, and its fields in MLIR's order, each with a pointer into a. It panics for another
// attribute.
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

// dimsText returns #stablehlo.gather<offset_dims = [1], …>. It omits empty lists and zeros.
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

// convSide is one of the three tensors of a convolution. Two of its dimensions are written as
// letters; the others have numbers, in the order of the window.
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

// text returns the dimension numbers as MLIR writes them: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
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

// dims reads the named fields of the dimension numbers a, up to ">", and returns a. An unknown
// field is an error.
func (p *parser) dims(a Attr) Attr {
	_, fields := dimsFields(a)
	for !p.isAt(">") {
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

// convDims reads [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] and returns it as *ConvDims.
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
				p.failUnexpected("the letter or the number of a dimension")
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

// meshNamed returns the mesh with the given symbol, or nil.
func (m *Module) meshNamed(name string) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if nm.Name == name {
			return nm.Mesh
		}
	}
	return nil
}

// withShardings returns attrs with the shardings of op's results added as sdy.sharding. If only
// some results have a sharding, the others get a fully open one. It returns attrs as they are if no
// result has a sharding, or op's own attributes state the shardings.
func withShardings(attrs Attrs, op *Op) Attrs {
	if op.StatesSharding() {
		return attrs
	}
	var m *mesh.DeviceMesh
	for _, v := range op.Results {
		if v.Sharding != nil {
			m = v.Sharding.Mesh
			break
		}
	}
	if m == nil {
		return attrs
	}
	all := make(ShardingsAttr, len(op.Results))
	for i, v := range op.Results {
		if all[i] = v.Sharding; all[i] == nil {
			all[i] = layout.OpenSharding(m, v.Type.Rank())
		}
	}
	return attrs.With(shardingName, all)
}

// sharding prints <@mesh, [{"x"}, {}]>. If the module does not list the mesh, it writes the mesh
// out.
func (p *printer) sharding(s *layout.Sharding) {
	p.put("<")
	if name := p.meshName(s.Mesh); name != "" {
		p.symbol(name)
	} else {
		p.put("mesh")
		p.mesh(s.Mesh)
	}
	p.put(", ", s.String(), ">")
}

func (p *printer) meshName(m *mesh.DeviceMesh) string {
	if p.mod == nil {
		return ""
	}
	name, ok := p.meshes[m]
	if !ok {
		name = p.mod.MeshName(m)
		p.meshes[m] = name
	}
	return name
}

// mesh prints <["x"=2, "y"=4], device_ids=[…]>. It omits the ids if they are 0, 1, …, unless the
// mesh has no axes.
func (p *printer) mesh(m *mesh.DeviceMesh) {
	p.put("<[")
	axes := m.Axes()
	p.list(len(axes), func(i int) { p.put(quote(axes[i].Name), "=", strconv.Itoa(axes[i].Size)) })
	p.put("]")
	for i, id := range m.Devices() {
		if i != id || m.IsMaximal() {
			p.put(", device_ids=", intsText(m.Devices()))
			break
		}
	}
	p.put(">")
}

// mesh reads <["x"=2, "y"=4], device_ids=[…]> and returns the mesh. An invalid mesh is an error.
func (p *parser) mesh() *mesh.DeviceMesh {
	at := p.tok.start
	var shape, ids []int
	var names []string
	p.expect("<")
	p.expect("[")
	p.commaList("]", func() {
		names = append(names, p.unquote(p.take(tokString, "an axis such as \"x\"=2")))
		p.expect("=")
		shape = append(shape, p.int())
	})
	if p.accept(",") {
		p.expect("device_ids")
		p.expect("=")
		ids = p.ints()
	}
	p.expect(">")
	m, err := mesh.New(shape, names, ids)
	if err != nil {
		p.failf(at, "%v", err)
	}
	return m
}

// sharding reads <@mesh, [{"x"}, {}]>.
func (p *parser) sharding() *layout.Sharding {
	p.expect("<")
	s := p.shardingBody()
	p.expect(">")
	return s
}

// shardingBody reads the text between < and > of a sharding: a mesh, the dimensions, and the
// replicated and unreduced axes. A mesh that is defined later is set at the end.
func (p *parser) shardingBody() *layout.Sharding {
	s := &layout.Sharding{Dims: []layout.DimSharding{}}
	if p.tok.kind == tokSymbol {
		at := p.tok.start
		name := p.symbol("a mesh's name")
		if s.Mesh = p.mod.meshNamed(name); s.Mesh == nil {
			p.meshRefs = append(p.meshRefs, meshRef{s, name, at})
		}
	} else if p.accept("mesh") {
		s.Mesh = p.inlineMesh()
	} else {
		p.failUnexpected(`a mesh: @name or mesh<["x"=2]>`)
	}
	p.expect(",")
	p.expect("[")
	p.commaList("]", func() { s.Dims = append(s.Dims, p.dimSharding()) })
	for p.accept(",") {
		into := &s.Replicated
		if p.isAt("unreduced") {
			into = &s.Unreduced
		} else if !p.isAt("replicated") {
			p.failUnexpected("`replicated` or `unreduced`")
		}
		p.next()
		p.expect("=")
		*into = p.axes()
	}
	return s
}

// inlineMesh reads a mesh. It returns an equal mesh of the module instead, if there is one.
func (p *parser) inlineMesh() *mesh.DeviceMesh {
	m := p.mesh()
	for _, nm := range p.mod.Meshes {
		if nm.Mesh.Equal(m) {
			return nm.Mesh
		}
	}
	return m
}

// dimSharding reads the sharding of a dimension: {"x", ?}p1, its axes, whether it is open, and its
// priority.
func (p *parser) dimSharding() (d layout.DimSharding) {
	p.expect("{")
	p.commaList("}", func() {
		if d.Open {
			p.failUnexpected("`}`: `?` must be the last of a dimension")
		}
		if d.Open = p.accept("?"); !d.Open {
			d.Axes = append(d.Axes, p.axis())
		}
	})
	if p.tok.kind == tokID && p.text()[0] == 'p' {
		n, err := strconv.Atoi(p.text()[1:])
		if err != nil {
			p.failUnexpected("a priority such as p1")
		}
		d.Priority, d.P0 = n, n == 0
		p.next()
	}
	return d
}

// axes reads {"x", "y":(1)2}.
func (p *parser) axes() (axes []mesh.AxisRef) {
	p.expect("{")
	p.commaList("}", func() { axes = append(axes, p.axis()) })
	return axes
}

// axis reads an axis, "x", or a sub-axis, "x":(1)2.
func (p *parser) axis() mesh.AxisRef {
	start, name := p.tok.start, p.unquote(p.take(tokString, `an axis such as "x"`))
	if i := strings.IndexFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }); i >= 0 {
		p.failf(start, "got the axis name %q, want printable characters", name)
	}
	a := mesh.FullAxis(name)
	if p.accept(":") {
		at := p.tok.start
		p.expect("(")
		a.Sub, a.Pre = true, p.int()
		p.expect(")")
		a.Size = p.int()
		if a.Pre < 1 || a.Size < 1 {
			p.failf(at, "got the sub-axis (%d)%d, want both numbers to be 1 or more", a.Pre, a.Size)
		}
	}
	return a
}

// axesPerDim reads [{"x"}, {}].
func (p *parser) axesPerDim() Attr {
	list := AxesPerDimAttr{}
	p.expect("[")
	p.commaList("]", func() { list = append(list, p.axes()) })
	return list
}

// shardings reads [<@mesh, …>, <@mesh, …>].
func (p *parser) shardings() Attr {
	list := ShardingsAttr{}
	p.expect("[")
	p.commaList("]", func() { list = append(list, p.sharding()) })
	return list
}

// sdyAttr reads #sdy<name…> if name is a list of axes. Otherwise it reads nothing and returns nil.
func (p *parser) sdyAttr() (a Attr) {
	start := p.tok
	p.next()
	p.expect("<")
	switch {
	case p.accept("axis_ref_list") || p.accept("manual_axes"):
		a = AxesAttr(p.axes())
	case p.accept("list_of_axis_ref_lists"):
		a = p.axesPerDim()
	default:
		p.tok = start
		return nil
	}
	p.expect(">")
	return a
}
