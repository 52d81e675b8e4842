package ir

// This file prints modules and functions. Ops and attributes are printed by print_op.go, and the
// pretty forms of the ops are in format.go.

import (
	"io"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// PrintOptions selects the form of the text.
type PrintOptions struct {
	// Generic prints every op in MLIR's generic form, "stablehlo.add"(%0, %1), instead of the
	// pretty form. The generic form is the same for old and new parsers.
	Generic bool
	// Names adds loc("d1/kernel") to named parameters. Without it the text does not hold their
	// names.
	Names bool
	// Locations adds loc(…) to ops and functions, and implies Names.
	Locations bool
}

// Print writes the text of m, in the form that opts selects, to w, and returns the error of w. If m
// is valid, Parse and the parsers of StableHLO and Shardy accept the text.
func Print(w io.Writer, m *Module, opts PrintOptions) error {
	_, err := w.Write(m.Text(opts))
	return err
}

// Text returns the text of m that Print writes, in the form that opts selects.
func (m *Module) Text(opts PrintOptions) []byte {
	p := newPrinter(m, opts)
	p.module()
	return p.buf
}

// String returns the pretty text of m.
func (m *Module) String() string { return string(m.Text(PrintOptions{})) }

// String returns the pretty text of f. It writes each mesh out, because the names of meshes belong
// to the module.
func (f *Func) String() string {
	p := newPrinter(nil, PrintOptions{})
	p.function(f)
	return string(p.buf)
}

// String returns the pretty text of op, for messages. Its values have the names that they have in
// the text of the whole function. If op is in no block, its results are numbered from 0, and its
// operands are %?.
func (op *Op) String() string {
	p := newPrinter(nil, PrintOptions{})
	root := op.block
	for root != nil && root.parent != nil && root.parent.block != nil {
		root = root.parent.block
	}
	if root != nil {
		p.numberFunc(root)
	} else {
		p.numberOp(op, &counters{})
	}
	p.op(op)
	return string(p.buf)
}

// String returns the name that v has in the text of its function, such as %arg0 or %3#1, with its
// type. The name is %? if v is the result of an op that is in no block.
func (v *Value) String() string {
	p := newPrinter(nil, PrintOptions{})
	root := v.Block()
	for root != nil && root.parent != nil && root.parent.block != nil {
		root = root.parent.block
	}
	if root != nil {
		p.numberFunc(root)
	}
	return p.ref(v) + " : " + v.Type.String()
}

// Names maps the values of f to the names that they have in its text: %arg0, %3, %5#1.
func (f *Func) Names() map[*Value]string {
	p := newPrinter(nil, PrintOptions{})
	p.numberFunc(f.Body)
	names := make(map[*Value]string, len(p.names))
	for v := range p.names {
		names[v] = p.ref(v)
	}
	return names
}

// printer holds the text that is written so far, and the names of the values in it.
type printer struct {
	PrintOptions
	mod    *Module // nil if only a part of a module is printed
	buf    []byte
	indent int
	names  map[*Value]valueName
	meshes map[*mesh.DeviceMesh]string // symbols already looked up
}

// valueName is the name of a value: %arg3, %3 or, if its op has several results, %3#1.
type valueName struct {
	arg    bool
	number int
	result int // -1 if there is only one result
}

func newPrinter(m *Module, opts PrintOptions) *printer {
	return &printer{
		PrintOptions: opts, mod: m,
		names: make(map[*Value]valueName), meshes: make(map[*mesh.DeviceMesh]string),
	}
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.buf = append(p.buf, s...)
	}
}

func (p *printer) putType(t Type) { p.buf = t.appendTo(p.buf) }

func (p *printer) putInt(n int) { p.buf = strconv.AppendInt(p.buf, int64(n), 10) }

func (p *printer) newline() {
	p.buf = append(p.buf, '\n')
	for range p.indent {
		p.buf = append(p.buf, "  "...)
	}
}

// braces prints { body }, with the body indented one level more.
func (p *printer) braces(body func()) {
	p.put("{")
	p.indent++
	body()
	p.indent--
	p.newline()
	p.put("}")
}

// list calls item for 0 to n-1, and prints commas between the items.
func (p *printer) list(n int, item func(i int)) {
	for i := range n {
		if i > 0 {
			p.put(", ")
		}
		item(i)
	}
}

func (p *printer) module() {
	m := p.mod
	if p.Generic {
		p.put(`"builtin.module"() `)
		if m.Name != "" {
			p.put("<{sym_name = ", quote(m.Name), "}> ")
		}
		p.put("(")
	} else {
		p.put("module ")
		if m.Name != "" {
			p.symbol(m.Name)
			p.put(" ")
		}
		if len(m.Attrs) > 0 {
			p.put("attributes ")
			p.dict(m.Attrs, nil)
			p.put(" ")
		}
	}
	p.braces(func() {
		for _, nm := range m.Meshes {
			p.newline()
			if p.Generic {
				p.put(`"sdy.mesh"() <{mesh = #sdy.mesh`)
				p.mesh(nm.Mesh)
				p.put(", sym_name = ", quote(nm.Name), "}>")
				p.spacedDict(nm.Attrs, nil)
				p.put(" : () -> ()")
				continue
			}
			p.put("sdy.mesh ")
			p.symbol(nm.Name)
			p.put(" = ")
			p.mesh(nm.Mesh)
			p.spacedDict(nm.Attrs, nil)
		}
		for _, f := range m.Funcs {
			p.newline()
			p.function(f)
		}
	})
	if p.Generic {
		p.put(")")
		if len(m.Attrs) > 0 {
			p.put(" ")
			p.dict(m.Attrs, nil)
		}
		p.put(" : () -> ()")
	}
	p.put("\n")
}

// opText is the usual length of the text of an op.
const opText = 192

// room estimates the length of the text of f. It counts literals with many elements, such as the
// groups of collectives on large meshes, because they may be most of the text.
func room(f *Func) int {
	n := 0
	f.Walk(func(op *Op) {
		n += opText
		for _, a := range op.Attrs {
			if d, ok := a.Value.(*Dense); ok {
				n += 2 * len(d.Data)
			}
		}
	})
	return n
}

func (p *printer) function(f *Func) {
	p.numberFunc(f.Body)
	p.buf = slices.Grow(p.buf, room(f))
	if p.Generic {
		p.genericFunction(f)
		return
	}
	p.put("func.func ")
	switch {
	case f.Private:
		p.put("private ")
	case f.Public:
		p.put("public ")
	}
	p.symbol(f.Name)
	declaration := f.Body.Len() == 0
	p.put("(")
	p.list(len(f.Body.Args), func(i int) {
		v := f.Body.Args[i]
		if !declaration {
			p.put(p.ref(v), ": ")
		}
		p.put(v.Type.String())
		p.spacedDict(f.paramAttrs(i), nil)
		p.argLocation(v)
	})
	p.put(")")
	if len(f.Results) > 0 {
		p.put(" -> ")
		bare := len(f.Results) == 1 && len(f.Results[0].textAttrs()) == 0
		if !bare {
			p.put("(")
		}
		p.list(len(f.Results), func(i int) {
			p.put(f.Results[i].Type.String())
			p.spacedDict(f.Results[i].textAttrs(), nil)
		})
		if !bare {
			p.put(")")
		}
	}
	if len(f.Attrs) > 0 {
		p.put(" attributes ")
		p.dict(f.Attrs, nil)
	}
	if !declaration {
		p.put(" ")
		p.braces(func() { p.ops(f.Body) })
	}
	p.location(f.Loc)
}

// genericFunction prints a function in generic form: as an op func.func with one region.
func (p *printer) genericFunction(f *Func) {
	p.put(`"func.func"() <{`)
	args := make([]Attrs, len(f.Body.Args))
	results := make([]Attrs, len(f.Results))
	for i := range args {
		args[i] = f.paramAttrs(i)
	}
	for i := range results {
		results[i] = f.Results[i].textAttrs()
	}
	p.dictList("arg_attrs = ", args)
	p.put("function_type = (")
	p.list(len(f.Body.Args), func(i int) { p.put(f.Body.Args[i].Type.String()) })
	p.put(") -> ")
	p.resultTypes(len(f.Results), func(i int) Type { return f.Results[i].Type })
	p.put(", ")
	p.dictList("res_attrs = ", results)
	p.put("sym_name = ", quote(f.Name))
	switch {
	case f.Public:
		p.put(`, sym_visibility = "public"`)
	case f.Private:
		p.put(`, sym_visibility = "private"`)
	}
	p.put("}> (")
	if f.Body.Len() > 0 {
		p.region(f.Body)
	} else { // a declaration
		p.braces(func() {})
	}
	p.put(")")
	p.spacedDict(f.Attrs, nil)
	p.put(" : () -> ()")
	p.location(f.Loc)
}

// dictList prints label, the dictionaries of dicts in [ and ], and a comma. It prints nothing if
// all of them are empty.
func (p *printer) dictList(label string, dicts []Attrs) {
	n := 0
	for _, d := range dicts {
		n += len(d)
	}
	if n == 0 {
		return
	}
	p.put(label, "[")
	p.list(len(dicts), func(i int) { p.dict(dicts[i], nil) })
	p.put("], ")
}

// The names of the attributes whose values are fields of Value and FuncResult.
const (
	shardingName   = "sdy.sharding"
	resultInfoName = "jax.result_info"
)

// paramAttrs returns all attributes of parameter i for the text.
func (f *Func) paramAttrs(i int) Attrs {
	var attrs Attrs
	if i < len(f.ArgAttrs) {
		attrs = f.ArgAttrs[i]
	}
	return withSharding(attrs, f.Body.Args[i].Sharding)
}

// textAttrs returns all attributes of the result for the text.
func (r FuncResult) textAttrs() Attrs {
	attrs := r.Attrs
	if r.Name != "" {
		attrs = append(Attrs{{resultInfoName, String(r.Name)}}, attrs...)
	}
	return withSharding(attrs, r.Sharding)
}

func withSharding(attrs Attrs, s *layout.Sharding) Attrs {
	if s == nil {
		return attrs
	}
	return attrs.With(shardingName, ShardingAttr{s})
}
