package ir

// This file defines what ops and values remember of the module that a compiler
// was given: which op there they were made for, and which value they compute.
// Rewrites keep it, so that whatever is told of a compiled program can be told in
// the names of the program that the user wrote.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// OpID stands for an op of the module that was marked by MarkOrigins. Ops of all
// programs that are made of that module point to it, as long as they are made for
// the op: Location.Op.
type OpID struct {
	Func    string     // the function; empty: main
	Number  int        // the position in program order, over all functions
	Results []*ValueID // its results
	Parts   []*OpID    // of an op that was made of several: theirs; all else is empty then
}

// JoinOps returns what stands for several ops that have become one: nil where none of
// them is known.
func JoinOps(ids ...*OpID) *OpID {
	out := &OpID{}
	for _, id := range ids {
		if id != nil {
			out.Parts = append(out.Parts, id.All()...)
		}
	}
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

// All returns the ops that id stands for: itself, its parts, or none if it is nil.
func (id *OpID) All() []*OpID {
	switch {
	case id == nil:
		return nil
	case len(id.Parts) > 0:
		return id.Parts
	}
	return []*OpID{id}
}

// ValueID stands for a value of the module that was marked by MarkOrigins.
type ValueID struct {
	Func   string // the function; empty: main
	Number int    // the position in program order, over all functions
	name   valueName
}

// String returns the name that the value has in the text of its function, such as
// %3 or %5#1, after the function's name if that is not main: @relu %3.
func (id *ValueID) String() string {
	if id.Func == "" {
		return id.name.String()
	}
	return "@" + id.Func + " " + id.name.String()
}

// Origin says which value of the marked module a value computes. In a program of
// one device it is this device's part of it, or a copy of that.
type Origin struct {
	Of *ValueID
	// Sharding says which part it is; nil in a program of global shapes.
	Sharding *layout.Sharding
}

// Origins are the values of the marked module that one value computes: one, as a rule; more where
// equal values were merged; none for a value that a pass has added.
type Origins []Origin

// Add returns the origins with more of them, each once; a value may be the same part in two
// layouts, which differ in padding only. The first stays the first; the others are in program
// order. Adding many, each later in the program, takes time in proportion to their number: they are
// written behind the list, where no copy of it has written before.
func (list Origins) Add(more ...Origin) Origins {
	for _, o := range more {
		list = list.with(o)
	}
	return list
}

func (list Origins) with(o Origin) Origins {
	if len(list) == 0 {
		return Origins{o}
	}
	i, _ := slices.BinarySearchFunc(list[1:], o.Of.Number, func(a Origin, n int) int { return cmp.Compare(a.Of.Number, n) })
	known := list[0] == o
	for ; i+1 < len(list) && list[i+1].Of == o.Of; i++ {
		known = known || list[i+1] == o
	}
	switch end := len(list); {
	case known:
		return list
	case i+1 < end:
		return slices.Insert(slices.Clone(list), i+1, o)
	case end < cap(list) && list[:end+1][end].Of != nil:
		list = slices.Clip(list) // a copy of the list has more
	}
	return append(list, o)
}

// Best returns the value to speak of: the first that is of main, or else the first;
// nil where there is none.
func (list Origins) Best() *ValueID {
	for _, o := range list {
		if o.Of.Func == "" {
			return o.Of
		}
	}
	if len(list) > 0 {
		return list[0].Of
	}
	return nil
}

// WithSharding returns the origins with the sharding s: those of the part that a
// device has.
func (list Origins) WithSharding(s *layout.Sharding) Origins {
	if len(list) == 0 {
		return nil
	}
	out := make(Origins, len(list))
	for i, o := range list {
		out[i] = Origin{o.Of, s}
	}
	return out
}

// Marks are the identities that MarkOrigins has given.
type Marks struct {
	Ops    []*OpID    // by OpID.Number
	Values []*ValueID // by ValueID.Number
}

// MarkOrigins makes m the module whose ops and values are remembered: each gets an
// identity, with the name that it has in the text of m just now. Clones of m and
// what passes make of them keep the identities, and their text the names.
func MarkOrigins(m *Module) *Marks {
	k := &marker{marks: &Marks{}}
	for _, f := range m.Funcs {
		k.p, k.fn = newPrinter(nil, PrintOptions{}), f.Name
		if f == m.Main() {
			k.fn = ""
		}
		k.p.numberFunc(f.Body)
		k.block(f.Body)
	}
	return k.marks
}

// marker gives the ops and values of one function identities.
type marker struct {
	p     *printer // that knows the names
	fn    string
	marks *Marks
}

func (k *marker) block(b *Block) {
	for _, v := range b.Args {
		k.value(v)
	}
	for op := range b.Ops() {
		id := &OpID{Func: k.fn, Number: len(k.marks.Ops)}
		k.marks.Ops = append(k.marks.Ops, id)
		op.Loc.Op = id
		for _, v := range op.Results {
			id.Results = append(id.Results, k.value(v))
		}
		for _, r := range op.Regions {
			k.block(r)
		}
	}
}

func (k *marker) value(v *Value) *ValueID {
	id := &ValueID{Func: k.fn, Number: len(k.marks.Values), name: k.p.names[v]}
	k.marks.Values = append(k.marks.Values, id)
	v.Origins = Origins{{Of: id}}
	return id
}
