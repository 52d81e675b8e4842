package ir

// This file prints and parses the attributes of Shardy's dialect: meshes,
// shardings and lists of axes. See Shardy's sdy dialect documentation for the
// syntax.

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// meshNamed returns the mesh of that symbol, or nil.
func (m *Module) meshNamed(name string) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if nm.Name == name {
			return nm.Mesh
		}
	}
	return nil
}

// withShardings adds the shardings of op's results, as sdy.sharding. A result
// of which nothing is known, beside one that has a sharding, is fully open.
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

// sharding prints <@mesh, [{"x"}, {}]>; a mesh that the module does not list
// is written out.
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

// mesh prints <["x"=2, "y"=4], device_ids=[…]>, the ids only where they are
// not 0, 1, … or all that the mesh says.
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

// mesh reads <["x"=2, "y"=4], device_ids=[…]>.
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

// shardingBody reads what stands between < and > of a sharding.
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
		p.unexpected(`a mesh: @name or mesh<["x"=2]>`)
	}
	p.expect(",")
	p.expect("[")
	p.commaList("]", func() { s.Dims = append(s.Dims, p.dimSharding()) })
	for p.accept(",") {
		into := &s.Replicated
		if p.at("unreduced") {
			into = &s.Unreduced
		} else if !p.at("replicated") {
			p.unexpected("`replicated` or `unreduced`")
		}
		p.next()
		p.expect("=")
		*into = p.axes()
	}
	return s
}

// inlineMesh reads a mesh and returns the module's if that one is equal, so
// that equal meshes are the same.
func (p *parser) inlineMesh() *mesh.DeviceMesh {
	m := p.mesh()
	for _, nm := range p.mod.Meshes {
		if nm.Mesh.Equal(m) {
			return nm.Mesh
		}
	}
	return m
}

// dimSharding reads {"x", ?}p1.
func (p *parser) dimSharding() (d layout.DimSharding) {
	p.expect("{")
	p.commaList("}", func() {
		if d.Open {
			p.unexpected("`}`: `?` must be the last of a dimension")
		}
		if d.Open = p.accept("?"); !d.Open {
			d.Axes = append(d.Axes, p.axis())
		}
	})
	if p.tok.kind == tokID && p.text()[0] == 'p' {
		n, err := strconv.Atoi(p.text()[1:])
		if err != nil {
			p.unexpected("a priority such as p1")
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

// axis reads "x" or "x":(1)2.
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

// sdyAttr reads #sdy<name…> if the name is one of a list of axes; else it
// reads nothing and returns nil.
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
