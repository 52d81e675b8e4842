package ir

// This file saves the origins of the ops and values of a module (MarkOrigins), which the text of
// the module does not hold, and restores them after the text is parsed. It also writes and reads
// lists of shardings as text.

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Remembered holds the origins of the ops and values of a module. OfValues and OfOps are in the
// order of the module's text; Values and Ops have only those that they name. JSON omits Shardings,
// which ShardingsText can write.
type Remembered struct {
	Values   []RememberedValue `json:"values"`    // the values of the marked module
	Ops      []RememberedOp    `json:"ops"`       // the ops of the marked module
	OfValues [][]int           `json:"of_values"` // the origins of each value: for each an index into Values, then an index into Shardings or -1
	OfOps    [][]int           `json:"of_ops"`    // for each op, indices into Ops: the ops that it was made for

	Shardings []*layout.Sharding `json:"-"` // the shardings of origins
}

// RememberedValue holds a ValueID in JSON.
type RememberedValue struct {
	Func   string `json:"func,omitempty"`
	Number int    `json:"number"`
	Arg    bool   `json:"arg,omitempty"` // the name is %arg3, not %3
	Name   int    `json:"name"`
	Result int    `json:"result"` // -1: it is the only result
}

// RememberedOp holds an OpID without parts in JSON.
type RememberedOp struct {
	Func    string `json:"func,omitempty"`
	Number  int    `json:"number"`
	Results []int  `json:"results,omitempty"` // indices into Values
}

// Remember returns the origins of all ops and values of m in a form that can be stored: lists with
// indexes instead of pointers. Restore is its counterpart.
func Remember(m *Module) *Remembered {
	r := &Remembered{}
	values, ops, shardings := map[*ValueID]int{}, map[*OpID]int{}, map[*layout.Sharding]int{}
	value := func(id *ValueID) int {
		at, ok := values[id]
		if !ok {
			at = len(r.Values)
			values[id] = at
			r.Values = append(r.Values, RememberedValue{id.Func, id.Number, id.name.arg, id.name.number, id.name.result})
		}
		return at
	}
	sharding := func(s *layout.Sharding) int {
		if s == nil {
			return -1
		}
		at, ok := shardings[s]
		if !ok {
			at = len(r.Shardings)
			shardings[s] = at
			r.Shardings = append(r.Shardings, s)
		}
		return at
	}
	eachValueAndOp(m, func(v *Value) error {
		of := []int{}
		for _, o := range v.Origins {
			of = append(of, value(o.Of), sharding(o.Sharding))
		}
		r.OfValues = append(r.OfValues, of)
		return nil
	}, func(op *Op) error {
		of := []int{}
		for _, id := range op.Loc.Op.All() {
			at, ok := ops[id]
			if !ok {
				at = len(r.Ops)
				ops[id] = at
				o := RememberedOp{Func: id.Func, Number: id.Number}
				for _, v := range id.Results {
					o.Results = append(o.Results, value(v))
				}
				r.Ops = append(r.Ops, o)
			}
			of = append(of, at)
		}
		r.OfOps = append(r.OfOps, of)
		return nil
	})
	return r
}

// Restore gives the ops and values of m their origins again. r must come from Remember, called with
// a module that has the same text. Restore returns an error if r does not fit m; m cannot be used
// then.
func (r *Remembered) Restore(m *Module) error {
	values := make([]*ValueID, len(r.Values))
	for i, v := range r.Values {
		values[i] = &ValueID{Func: v.Func, Number: v.Number, name: valueName{v.Arg, v.Name, v.Result}}
	}
	ops := make([]*OpID, len(r.Ops))
	for i, o := range r.Ops {
		ops[i] = &OpID{Func: o.Func, Number: o.Number}
		for _, at := range o.Results {
			if at < 0 || at >= len(values) {
				return fmt.Errorf("op %d has the result %d of %d", i, at, len(values))
			}
			ops[i].Results = append(ops[i].Results, values[at])
		}
	}
	ofValues, ofOps := r.OfValues, r.OfOps
	err := eachValueAndOp(m, func(v *Value) error {
		if len(ofValues) == 0 {
			return errors.New("it remembers fewer values than the module has")
		}
		of := ofValues[0]
		ofValues = ofValues[1:]
		if len(of)%2 != 0 {
			return fmt.Errorf("%d numbers for the origins of a value, want pairs", len(of))
		}
		v.Origins = nil
		for i := 0; i < len(of); i += 2 {
			value, sharding := of[i], of[i+1]
			if value < 0 || value >= len(values) || sharding < -1 || sharding >= len(r.Shardings) {
				return fmt.Errorf("an origin is value %d of %d, with sharding %d of %d", value, len(values), sharding, len(r.Shardings))
			}
			o := Origin{Of: values[value]}
			if sharding >= 0 {
				o.Sharding = r.Shardings[sharding]
			}
			v.Origins = append(v.Origins, o)
		}
		return nil
	}, func(op *Op) error {
		if len(ofOps) == 0 {
			return errors.New("it remembers fewer ops than the module has")
		}
		of := ofOps[0]
		ofOps = ofOps[1:]
		ids := make([]*OpID, len(of))
		for i, at := range of {
			if at < 0 || at >= len(ops) {
				return fmt.Errorf("an op was made for op %d of %d", at, len(ops))
			}
			ids[i] = ops[at]
		}
		if op.Loc.Op = JoinOps(ids...); len(ids) == 1 {
			op.Loc.Op = ids[0]
		}
		return nil
	})
	if err == nil && len(ofValues)+len(ofOps) > 0 {
		err = errors.New("it remembers more values or ops than the module has")
	}
	return err
}

// eachValueAndOp calls value and op for all values and ops of m in the order of its text. It stops
// at the first error and returns it.
func eachValueAndOp(m *Module, value func(*Value) error, op func(*Op) error) error {
	var block func(b *Block) error
	block = func(b *Block) error {
		for _, v := range b.Args {
			if err := value(v); err != nil {
				return err
			}
		}
		for o := range b.Ops() {
			if err := op(o); err != nil {
				return err
			}
			for _, v := range o.Results {
				if err := value(v); err != nil {
					return err
				}
			}
			for _, r := range o.Regions {
				if err := block(r); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, f := range m.Funcs {
		if err := block(f.Body); err != nil {
			return err
		}
	}
	return nil
}

// TypedSharding is the type of a tensor with its sharding.
type TypedSharding struct {
	Type     Type
	Sharding *layout.Sharding // may be nil
}

// listFunc is the name of the function whose parameters stand for a list of shardings.
const listFunc = "shardings"

// ShardingsText returns the list as the text of a module with one function: each parameter has the
// type and the sharding of one element. A program file holds this text, and ParseShardings reads
// it.
func ShardingsText(list []TypedSharding) []byte {
	m, f := &Module{}, NewFunc(listFunc)
	for _, t := range list {
		if t.Sharding != nil {
			m.AddMesh(fmt.Sprint("mesh", len(m.Meshes)), t.Sharding.Mesh)
		}
		f.AddParam("", t.Type, t.Sharding)
	}
	m.Funcs = []*Func{f}
	f.Return()
	return m.Text(PrintOptions{})
}

// ParseShardings is the inverse of ShardingsText. A sharding whose mesh is equal to dm gets dm
// itself. A text that cannot be parsed, one of another form, and an invalid sharding are errors.
func ParseShardings(text string, dm *mesh.DeviceMesh) ([]TypedSharding, error) {
	m, err := Parse(text)
	if err != nil {
		return nil, err
	}
	f := m.Func(listFunc)
	if f == nil {
		return nil, fmt.Errorf("it has no function %s", listFunc)
	}
	var out []TypedSharding
	for i, v := range f.Params() {
		if s := v.Sharding; s != nil {
			if s.Mesh != nil && s.Mesh.Equal(dm) {
				s.Mesh = dm
			}
			if err := s.Validate(v.Type.Rank()); err != nil {
				return nil, fmt.Errorf("sharding %d: %w", i, err)
			}
		}
		out = append(out, TypedSharding{v.Type, v.Sharding})
	}
	return out, nil
}

// TypeOfRank returns some type of the given rank, to write a sharding whose tensor type is not
// known.
func TypeOfRank(rank int) Type {
	t := Type{DType: dtypes.Bool}
	for range rank {
		t.Dims = append(t.Dims, 1)
	}
	return t
}
