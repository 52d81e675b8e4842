package ir

// This file parses modules and functions. The parsers of ops are in parse_op.go, of attributes in
// parse_attr.go, and of locations in lex.go.
//
// The parser works by recursive descent over the tokens of the lexer. At an error in the text it
// panics with a *SyntaxError, which Parse recovers and returns.

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/gospmd/gospmd/layout"
)

// Parse reads a module in StableHLO text with Shardy's attributes, as Print and JAX's
// lowered.as_text() write it. Ops may be in pretty or generic form. The text may also be bare
// functions and meshes, without module {…} around them.
//
// Parse checks the syntax, the names, and the types that the text states for operands. Call Verify
// to check all else. The error is a *SyntaxError.
func Parse(text string) (*Module, error) { return parse("", text) }

// ParseFile reads the module in the file at path, as Parse does. A file that cannot be read is an
// error. A *SyntaxError names the file.
func ParseFile(path string) (*Module, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ir: cannot read the module: %w", err)
	}
	return parse(path, string(text))
}

// MustParse is Parse for modules in source code: it panics where Parse returns an error.
func MustParse(text string) *Module {
	m, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return m
}

func parse(file, text string) (m *Module, err error) {
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			syntax.File = file
			m, err = nil, syntax
		}
	}()
	p := &parser{lexer: lexer{src: text}, path: file, mod: &Module{}, locations: make(map[string]Location)}
	p.lines = scanLines(text)
	p.aliases = scanAliases(text)
	p.next()
	p.file()
	p.resolveMeshes()
	return p.mod, nil
}

// maxDepth is the largest nesting of regions, attributes and aliases. It keeps a text from
// exhausting the stack.
const maxDepth = 200

// MaxAliasGrowth limits aliases. The text with every alias replaced by its definition may be as
// many times larger than the text itself, plus 1 MiB. Otherwise a short text could fill the memory,
// by an alias that names another one twice, which names a third one twice, and so on.
const MaxAliasGrowth = 64

type parser struct {
	lexer
	path  string // path of the file; empty: none
	lines []int  // the offset of each line's start
	mod   *Module
	// maps an alias, #name or !name, to the offset of its definition in the text
	aliases   map[string]int
	locations map[string]Location
	depth     int
	aliased   int // bytes read through aliases

	// scope has the values that are in scope, by name. The name %0 of %0:2 has two values. defined
	// lists the names in the order of their definition, so that they can be removed at the end of
	// their region.
	scope   map[string][]*Value
	defined []string

	meshRefs []meshRef // shardings whose mesh was not yet defined where they were read
}

// meshRef is a sharding whose mesh is defined later in the text.
type meshRef struct {
	sharding *layout.Sharding
	name     string
	at       int
}

// position returns the place of the offset at: the file, and the line and the column, which count
// from 1.
func (p *parser) position(at int) Position {
	line := sort.SearchInts(p.lines, at+1)
	return Position{p.path, line, at - p.lines[line-1] + 1}
}

// enter counts one more level of nesting; leave counts one less. enter fails above maxDepth.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.failf(p.tok.start, "got more than %d levels of nesting: split the text into functions", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// scanLines returns the offset of each line's start.
func scanLines(text string) []int {
	starts := []int{0}
	for i := 0; ; {
		end := strings.IndexByte(text[i:], '\n')
		if end < 0 {
			return starts
		}
		i += end + 1
		starts = append(starts, i)
	}
}

// scanAliases returns, by the name of each alias with its # or !, the offset after the = in its
// definition, #name = … or !name = ….
func scanAliases(text string) map[string]int {
	aliases := make(map[string]int)
	offset := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " \t")
		start := offset + len(line) - len(trimmed)
		offset += len(line)
		if trimmed[:min(1, len(trimmed))] != "#" && trimmed[:min(1, len(trimmed))] != "!" {
			continue
		}
		end := scanID(trimmed, 1)
		rest := strings.TrimLeft(trimmed[end:], " \t")
		if content, ok := strings.CutPrefix(rest, "="); ok && end > 1 {
			aliases[trimmed[:end]] = start + len(trimmed) - len(content)
		}
	}
	return aliases
}

// readThroughAlias makes the parser read the definition of the alias at the current token by read,
// and then continue after the alias. An alias that is not defined is a syntax error.
func (p *parser) readThroughAlias(read func()) {
	name := p.text()
	content, ok := p.aliases[name]
	if !ok {
		p.failf(p.tok.start, "got %s, which is not defined: want a line %s = … in the file", name, name)
	}
	after := p.tok.end
	p.enter()
	p.seek(content)
	read()
	if p.aliased += p.tok.start - content; p.aliased > MaxAliasGrowth*len(p.src)+1<<20 {
		p.failf(p.tok.start, "aliases stand for over %d bytes, %d times the text: want at most %d times (ir.MaxAliasGrowth) and 1 MiB; have fewer aliases name each other twice", p.aliased, p.aliased/len(p.src), MaxAliasGrowth)
	}
	p.leave()
	p.seek(after)
}

// file reads the whole text: alias definitions, and a module or bare functions and meshes.
func (p *parser) file() {
	wrapped := false
	for p.tok.kind != tokEOF {
		switch {
		case p.tok.kind == tokHash || p.tok.kind == tokBang:
			p.skipAlias()
		case wrapped:
			p.failUnexpected("the end of the text after the module")
		case p.isAt("module") || p.isAt(`"builtin.module"`):
			if len(p.mod.Funcs)+len(p.mod.Meshes) > 0 {
				p.failUnexpected("another function or mesh: a module must hold them all or be left out")
			}
			wrapped = true
			p.module()
		default:
			p.symbolOp()
		}
	}
	for _, f := range p.mod.Funcs {
		dropSharedNames(f)
	}
}

// dropSharedNames removes the names that several parameters of f have. In JAX's debug locations all
// parameters of a helper function have the name of the helper.
func dropSharedNames(f *Func) {
	count := make(map[string]int)
	for _, v := range f.Body.Args {
		count[v.Name]++
	}
	for _, v := range f.Body.Args {
		if count[v.Name] > 1 {
			v.Name = ""
		}
	}
}

// skipAlias skips an alias definition, which ends at the end of its line.
func (p *parser) skipAlias() {
	if _, ok := p.aliases[p.text()]; !ok {
		p.failUnexpected("an alias definition " + p.text() + " = …")
	}
	p.seek(p.rawEnd(p.tok.end, "\n"))
}

// module reads module @name attributes {…} {…}, or its generic form, into p.mod.
func (p *parser) module() {
	generic := p.tok.kind == tokString
	p.next()
	if generic {
		p.expect("(")
		p.expect(")")
		if p.accept("<") {
			props := p.dict(nil)
			p.expect(">")
			p.mod.Name = p.propString(props, "sym_name")
		}
		p.expect("(")
	} else {
		if p.tok.kind == tokSymbol {
			p.mod.Name = p.symbol("the module's name")
		}
		if p.accept("attributes") {
			p.mod.Attrs = p.dict(nil)
		}
	}
	p.expect("{")
	for !p.accept("}") {
		if p.isAt("module") || p.isAt(`"builtin.module"`) {
			p.failUnexpected("a function or a mesh: modules within modules are not supported")
		}
		p.symbolOp()
	}
	if generic {
		p.expect(")")
		if p.isAt("{") {
			p.mod.Attrs = p.dict(nil)
		}
		p.noTypes()
	}
	p.location()
}

// noTypes reads : () -> ().
func (p *parser) noTypes() {
	for _, t := range []string{":", "(", ")", "->", "(", ")"} {
		p.expect(t)
	}
}

// propString returns the property of that name of a generic op, which must be a string, or "" if it
// is absent. Another kind is a syntax error.
func (p *parser) propString(props Attrs, name string) string {
	s, ok := props.Get(name).(String)
	if !ok && props.Get(name) != nil {
		p.failf(p.tok.start, "got a %s that is no string, want %s = \"…\"", name, name)
	}
	return string(s)
}

// symbolOp reads a function or a mesh, in pretty or generic form, with its location, and adds it to
// p.mod. Anything else is an error.
func (p *parser) symbolOp() {
	switch {
	case p.accept("sdy.mesh"):
		at := p.tok.start
		name := p.symbol("the mesh's name, such as @mesh")
		p.expect("=")
		p.addMesh(name, at)
		p.meshAttrs()
	case p.accept(`"sdy.mesh"`):
		p.genericMesh()
	case p.accept("func.func") || p.accept("func"):
		p.function()
	case p.accept(`"func.func"`):
		p.genericFunction()
	default:
		p.failUnexpected("func.func, sdy.mesh or module")
	}
	p.location()
}

// addMesh reads <["x"=2]> and adds the mesh, with the name, to the module. at is the offset for the
// error if the module has a mesh of that name.
func (p *parser) addMesh(name string, at int) {
	for _, nm := range p.mod.Meshes {
		if nm.Name == name {
			p.failf(at, "got a second sdy.mesh @%s, want another name", name)
		}
	}
	p.mod.Meshes = append(p.mod.Meshes, NamedMesh{Name: name, Mesh: p.mesh()})
}

// genericMesh reads a mesh in generic form, () <{mesh = #sdy.mesh<…>, sym_name = "…"}> : () -> (),
// and adds it to the module. One without its mesh is an error.
func (p *parser) genericMesh() {
	at := p.tok.start
	p.expect("(")
	p.expect(")")
	p.expect("<")
	found := false
	props := p.dictWith(nil, func(name string) bool {
		if name != "mesh" {
			return false
		}
		found = true
		p.expect("#sdy.mesh")
		p.addMesh("", at)
		return true
	})
	if !found {
		p.failf(at, "got an sdy.mesh without its mesh, want <{mesh = #sdy.mesh<…>, sym_name = \"…\"}>")
	}
	p.mod.Meshes[len(p.mod.Meshes)-1].Name = p.propString(props, "sym_name")
	p.expect(">")
	p.meshAttrs()
	p.noTypes()
}

// meshAttrs reads the dictionary after a mesh, if there is one.
func (p *parser) meshAttrs() {
	if p.isAt("{") {
		p.mod.Meshes[len(p.mod.Meshes)-1].Attrs = nilIfEmpty(p.dict(nil))
	}
}

// resolveMeshes fills in the meshes that were used before their definition. A mesh that the module
// does not define is a syntax error.
func (p *parser) resolveMeshes() {
	for _, ref := range p.meshRefs {
		if ref.sharding.Mesh = p.mod.meshNamed(ref.name); ref.sharding.Mesh == nil {
			names := make([]string, len(p.mod.Meshes))
			for i, nm := range p.mod.Meshes {
				names[i] = "@" + nm.Name
			}
			p.failf(ref.at, "got mesh @%s, which the module does not define (it defines: %s): want a line sdy.mesh @%s = <[\"axis\"=size]>",
				ref.name, strings.Join(names, ", "), ref.name)
		}
	}
}

// newFunction adds a function with the name to the module and returns it. A second function of that
// name is a syntax error at the offset at. The values of the functions before are out of scope.
func (p *parser) newFunction(name string, at int) *Func {
	if name != "" && p.mod.Func(name) != nil {
		p.failf(at, "got a second function @%s, want another name", name)
	}
	f := NewFunc(name)
	p.mod.Funcs = append(p.mod.Funcs, f)
	p.scope, p.defined = make(map[string][]*Value), nil
	return f
}

// function reads the rest of a function in pretty form, after func.func, and adds it to the module.
// One without a body is a declaration, whose parameters need no names.
func (p *parser) function() {
	private := p.accept("private")
	public := !private && p.accept("public")
	at := p.tok.start
	f := p.newFunction(p.symbol("the function's name, such as @main"), at)
	f.Pos = p.position(at)
	f.Private, f.Public = private, public
	declaration := false
	p.expect("(")
	p.commaList(")", func() {
		at, name := p.tok.start, ""
		if p.tok.kind == tokValue {
			name = p.take(tokValue, "")
			p.expect(":")
		} else {
			declaration = true
		}
		v := f.AddParam("", p.typ(), nil)
		if name != "" {
			p.define(at, name, []*Value{v})
		}
		if p.isAt("{") {
			p.setParamAttrs(f, v.index, p.dict(nil), at)
		}
		v.Name = p.location().Path
	})
	if p.accept("->") {
		if p.accept("(") {
			p.commaList(")", func() {
				at := p.tok.start
				r := FuncResult{Type: p.typ()}
				if p.isAt("{") {
					p.setResultAttrs(&r, p.dict(nil), at)
				}
				f.Results = append(f.Results, r)
			})
		} else { // the next brace begins the body
			f.Results = []FuncResult{{Type: p.typ()}}
		}
	}
	if p.accept("attributes") {
		f.Attrs = p.dict(nil)
	}
	if p.isAt("{") {
		if declaration {
			p.failUnexpected("no body, since the parameters have no names such as %arg0")
		}
		p.region(f.Body)
	}
	f.Loc = p.location()
}

// setParamAttrs sets the attributes of parameter i of f: attrs, without its sharding, which becomes
// that of the parameter. A sharding of another kind is a syntax error at the offset at.
func (p *parser) setParamAttrs(f *Func, i int, attrs Attrs, at int) {
	f.Body.Args[i].Sharding, attrs = p.takeSharding(attrs, at)
	f.ArgAttrs[i] = attrs
}

// setResultAttrs sets the attributes of the result r: attrs, without its sharding and its name,
// which become fields of r. A sharding of another kind is a syntax error at the offset at.
func (p *parser) setResultAttrs(r *FuncResult, attrs Attrs, at int) {
	r.Sharding, attrs = p.takeSharding(attrs, at)
	if name, ok := attrs.Get(resultInfoName).(String); ok && name != "" {
		r.Name = string(name)
		attrs = attrs.Without(resultInfoName)
	}
	r.Attrs = nilIfEmpty(attrs)
}

// takeSharding returns the sdy.sharding of a parameter or result, nil if there is none, and attrs
// without it. at is the offset for the error if it is of another kind.
func (p *parser) takeSharding(attrs Attrs, at int) (*layout.Sharding, Attrs) {
	switch a := attrs.Get(shardingName).(type) {
	case nil:
		return nil, attrs
	case ShardingAttr:
		return a.Sharding, nilIfEmpty(attrs.Without(shardingName))
	default:
		p.failf(at, "got a %T as sdy.sharding of a parameter or result, want #sdy.sharding<@mesh, […]>", a)
		return nil, nil
	}
}

func nilIfEmpty(attrs Attrs) Attrs {
	if len(attrs) == 0 {
		return nil
	}
	return attrs
}

// genericFunction reads the rest of a function in generic form, after "func.func", and adds the
// function to the module. A missing name, the name of another function, and a body whose arguments
// do not fit function_type are syntax errors. With an empty body it is a declaration.
func (p *parser) genericFunction() {
	at := p.tok.start
	f := p.newFunction("", at)
	p.expect("(")
	p.expect(")")
	p.expect("<")
	var params []Type
	props := p.dictWith(nil, func(name string) bool {
		if name != "function_type" {
			return false
		}
		var results []Type
		params, results = p.functionType()
		for _, t := range results {
			f.Results = append(f.Results, FuncResult{Type: t})
		}
		return true
	})
	p.expect(">")
	f.Pos = p.position(at)
	f.Name = p.propString(props, "sym_name")
	visibility := p.propString(props, "sym_visibility")
	f.Private, f.Public = visibility == "private", visibility == "public"
	if f.Name == "" {
		p.failf(at, "got a func.func without a name, want sym_name = \"…\"")
	}
	for _, other := range p.mod.Funcs[:len(p.mod.Funcs)-1] {
		if other.Name == f.Name {
			p.failf(at, "got a second function @%s, want another name", f.Name)
		}
	}
	p.expect("(")
	p.region(f.Body)
	p.expect(")")
	if f.Body.Len()+len(f.Body.Args) == 0 { // a declaration
		for _, t := range params {
			f.Body.AddArg(t)
		}
	}
	if len(f.Body.Args) != len(params) {
		p.failf(at, "got a body with %d arguments for function_type with %d parameters, want as many", len(f.Body.Args), len(params))
	}
	f.ArgAttrs = make([]Attrs, len(params))
	for i, t := range params {
		if got := f.Body.Args[i].Type; !got.Equal(t) {
			p.failf(at, "got a body whose argument %d is %s, want %s as in function_type", i, got, t)
		}
	}
	for i, d := range p.dictsOf(props, "arg_attrs", len(params), at) {
		p.setParamAttrs(f, i, d, at)
	}
	for i, d := range p.dictsOf(props, "res_attrs", len(f.Results), at) {
		p.setResultAttrs(&f.Results[i], d, at)
	}
	if p.isAt("{") {
		f.Attrs = nilIfEmpty(p.dict(nil))
	}
	p.noTypes()
	f.Loc = p.location()
}

// dictsOf returns the property of that name, whose value is a list of n dictionaries; nil if it is
// missing. Another value is a syntax error at the offset at.
func (p *parser) dictsOf(props Attrs, name string, n, at int) []Attrs {
	a := props.Get(name)
	if a == nil {
		return nil
	}
	list, ok := a.(Array)
	out := make([]Attrs, len(list))
	for i, e := range list {
		d, isDict := e.(Dict)
		out[i], ok = Attrs(d), ok && isDict
	}
	if !ok || len(list) != n {
		p.failf(at, "got %s that is no list of %d dictionaries, want one {…} for each", name, n)
	}
	return out
}
