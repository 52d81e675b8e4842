package ir

// This file defines the greedy rewrite driver: patterns are applied to the ops
// of a function until none fits, as MLIR's applyPatternsGreedily does.

import "fmt"

// A Pattern replaces or changes ops of some kinds.
type Pattern struct {
	Name  string // what becomes what, for messages
	Kinds []OpKind
	// Apply changes op, or replaces it by Rewriter.Replace, and reports whether
	// it did; where the pattern does not fit, it changes nothing. What it
	// builds stands before op and takes over op's location.
	Apply func(r *Rewriter, op *Op) bool
}

// Patterns is a set of patterns, ready to be applied.
type Patterns struct {
	of [NumOps][]Pattern
}

// NewPatterns returns the set of the patterns in the lists. Of those for one
// kind of op the first that fits is applied.
func NewPatterns(lists ...[]Pattern) *Patterns {
	set := &Patterns{}
	for _, list := range lists {
		for _, p := range list {
			for _, k := range p.Kinds {
				set.of[k] = append(set.of[k], p)
			}
		}
	}
	return set
}

// RewriteOptions are the options of ApplyPatterns.
type RewriteOptions struct {
	// Skip reports whether no pattern is to look at op.
	Skip func(op *Op) bool
	// IsDead reports whether an op without uses can go. Such an op is erased
	// when it is replaced, or when its last user is; nil leaves replaced ops in
	// their place, for a later pass to remove.
	IsDead func(op *Op) bool
	// Applied is called for every pattern that was applied.
	Applied func(p *Pattern)
}

// maxSweeps bounds the walks over a function. One walk follows chains of uses downwards: another
// one is needed only for patterns that new ops make possible. The bound matters only where
// patterns undo each other.
const maxSweeps = 8

// ApplyPatterns applies the patterns to the ops of f, in program order, those
// in regions before the op around them, and walks over f again until no pattern
// fits. It reports whether f has changed.
func ApplyPatterns(f *Func, patterns *Patterns, o RewriteOptions) bool {
	r := &Rewriter{patterns: patterns, o: o, replaced: make(map[*Op]bool)}
	changed := false
	for range maxSweeps {
		r.changed = false
		r.block(f.Body)
		if !r.changed {
			break
		}
		changed = true
	}
	return changed
}

// Rewriter is what a pattern changes the function by: a Builder that inserts
// before the op that the pattern looks at.
type Rewriter struct {
	Builder
	patterns *Patterns
	o        RewriteOptions
	replaced map[*Op]bool // replaced ops that are still in their place
	changed  bool
}

func (r *Rewriter) block(b *Block) {
	for op := range b.Ops() {
		for _, region := range op.Regions {
			r.block(region)
		}
		r.op(op)
	}
}

// op applies the first pattern that fits op.
func (r *Rewriter) op(op *Op) {
	list := r.patterns.of[op.Kind]
	if len(list) == 0 || r.replaced[op] || r.o.Skip != nil && r.o.Skip(op) {
		return
	}
	r.Before(op).Loc = op.Loc
	for i := range list {
		if !list[i].Apply(r, op) {
			continue
		}
		r.changed = true
		if r.o.Applied != nil {
			r.o.Applied(&list[i])
		}
		return
	}
}

// Replace makes the uses of op's results uses of the values, one for each
// result and of its type. op is dead then: it is erased if the options say so.
func (r *Rewriter) Replace(op *Op, values ...*Value) {
	if len(values) != len(op.Results) {
		panic(fmt.Sprintf("BUG: %s with %d results is replaced by %d values", op.FullName(), len(op.Results), len(values)))
	}
	for i, v := range op.Results {
		if !v.Type.Equal(values[i].Type) {
			panic(fmt.Sprintf("BUG: result %d of %s of type %s is replaced by a value of type %s", i, op.FullName(), v.Type, values[i].Type))
		}
		v.ReplaceAllUsesWith(values[i])
	}
	if !r.eraseIfDead(op) {
		r.replaced[op] = true
	}
}

// eraseIfDead erases op if it can go, and what only op used.
func (r *Rewriter) eraseIfDead(op *Op) bool {
	if r.o.IsDead == nil || op.block == nil || op.HasUses() || !r.o.IsDead(op) {
		return false
	}
	operands := op.Operands
	op.Erase()
	delete(r.replaced, op)
	for _, v := range operands {
		if v.def != nil {
			r.eraseIfDead(v.def)
		}
	}
	return true
}
