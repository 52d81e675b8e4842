package suggest

// This file reads the conflicts that propagation has recorded.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding"
)

// conflicts are what propagation has recorded of inputs.
type conflicts struct {
	text  map[id]string // what keeps an axis of a neighbour from it
	count map[id]int    // of conflicts at it, and of those whose axis it is annotated with
}

// id names an input or output.
type id struct {
	output bool
	index  int
}

func (t *tensor) id() id { return id{t.role == "", t.index} }

// conflictsOf returns the conflicts at the inputs of f, as propagation has left it,
// and at slots that are sharded otherwise than their weight.
func conflictsOf(r *sharding.Result, f *ir.Func) *conflicts {
	out := &conflicts{text: map[id]string{}, count: map[id]int{}}
	for i, p := range f.Params() {
		e := r.Explanation(p)
		if e == nil || len(e.Lost) == 0 {
			continue
		}
		at := id{index: i}
		l := e.Lost[0]
		out.text[at] = fmt.Sprintf("dimension %d is not sharded by %s as %s: %s", l.Dim, layout.AxesText(l.Axes), l.From, l.Why)
		out.count[at]++
		for _, l := range e.Lost {
			if s := l.Source; s != nil && s != p && s.IsArg() && s.Block() == f.Body {
				out.count[id{index: s.Index()}]++
			}
		}
	}
	for _, t := range tensorsOf(f) {
		if t.weight >= 0 {
			out.text[t.id()] = fmt.Sprintf("it is sharded otherwise than %s, of which it is a slot", inputName(f, t.weight))
			out.count[t.id()]++
		}
	}
	return out
}
