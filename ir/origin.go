package ir

// This file defines origins: links from ops and values to a marked module, the module that the
// compiler was given. An op knows the op of that module that it was made for, and a value knows the
// value that it computes. Rewrites keep origins. So messages about a compiled program can use the
// names in the program that the user wrote.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// OpID is the identity of an op of the marked module (MarkOrigins). In every program that is made
// from that module, the ops that were made for this op point to its OpID: see Location.Op.
type OpID struct {
	Func    string     // name of the function; empty: main
	Number  int        // position of the op in program order, over all functions
	Results []*ValueID // the identities of its results
	Parts   []*OpID    // the identities of several ops that became one; if set, all other fields are empty
}

// JoinOps returns the identity of an op that several ops have become: a new one, whose Parts are
// all parts of ids, in their order and not sorted out if one occurs twice. It is nil if ids has
// only nil.
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

// All returns the ops that id stands for: its parts, or itself if it has none. It returns none if
// id is nil.
func (id *OpID) All() []*OpID {
	switch {
	case id == nil:
		return nil
	case len(id.Parts) > 0:
		return id.Parts
	}
	return []*OpID{id}
}

// ValueID is the identity of a value of the marked module (MarkOrigins).
type ValueID struct {
	Func   string // name of the function; empty: main
	Number int    // position of the value in program order, over all functions
	name   valueName
}

// String returns the name that the value has in the text of its function, such as %3 or %5#1.
// Unless the function is main, the function's name precedes it: @relu %3.
func (id *ValueID) String() string {
	if id.Func == "" {
		return id.name.String()
	}
	return "@" + id.Func + " " + id.name.String()
}

// Origin says which value of the marked module a value computes. In a per-device program the value
// is this device's shard of it, or a copy of the shard.
type Origin struct {
	Of *ValueID
	// Sharding says which shard it is; nil in a program of global shapes.
	Sharding *layout.Sharding
}

// Origins are the values of the marked module that one value computes. Usually there is one. There
// are several if equal values were merged, and none if a pass added the value.
type Origins []Origin

// Add returns list together with more, each origin once. One value of the marked module may occur
// with two shardings, which then differ in padding only. The first origin stays the first; the
// others are in program order.
//
// Adding n origins in program order takes time in proportion to n: Add appends in place. It copies
// the list if another copy of the list was appended to before.
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
		list = slices.Clip(list) // another copy of the list was appended to
	}
	return append(list, o)
}

// Best returns the value whose name messages should use: the first that is in main or, if there is
// none in main, the first. It returns nil if list is empty.
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

// WithSharding returns a copy of the origins with their sharding set to s; nil if there are none.
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

// Marks are the identities that MarkOrigins has created.
type Marks struct {
	Ops    []*OpID    // indexed by OpID.Number
	Values []*ValueID // indexed by ValueID.Number
}

// MarkOrigins makes m the marked module: it gives each op and value an identity, which holds the
// current name in the text of m, in place of the one that it may have had. It returns all of them.
// Clones of m, and the results of passes on them, keep the identities; their text keeps the names.
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

// marker creates the identities of the ops and values of a module, one function after the other. p
// and fn are those of the current function.
type marker struct {
	p     *printer // has the names of the values
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
