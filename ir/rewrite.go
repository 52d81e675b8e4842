package ir

// This file defines the greedy rewrite driver. It applies patterns to the ops of a function until
// no pattern applies, as MLIR's applyPatternsGreedily does.

import "fmt"

// A Pattern replaces or changes ops of some kinds.
type Pattern struct {
	Name  string // says what becomes what, for messages
	Kinds []OpKind
	// Apply changes op, or replaces it by Rewriter.Replace, and returns true. If the pattern does
	// not apply to op, it changes nothing and returns false. Ops that it builds are inserted before
	// op and get its location.
	Apply func(r *Rewriter, op *Op) bool
}

// Patterns is a set of patterns, ready to be applied.
type Patterns struct {
	of [NumOps][]Pattern
}

// NewPatterns returns a set of all patterns in the lists. If several patterns are for the same kind
// of op, the first one that applies is used.
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
	// Skip, if not nil, reports whether op is to be left as it is.
	Skip func(op *Op) bool
	// IsDead reports whether an op may be erased if its results have no uses. The driver calls it
	// for an op that was replaced, and for an op that lost its last use. If IsDead is nil, replaced
	// ops stay in their block, for a later pass to remove.
	IsDead func(op *Op) bool
	// Applied, if not nil, is called for every pattern that was applied.
	Applied func(p *Pattern)
}

// maxSweeps is the largest number of walks over a function. One walk follows chains of uses from
// definitions to uses; another walk is needed only for patterns that new ops make possible. The
// limit matters only if patterns undo each other.
const maxSweeps = 8

// ApplyPatterns applies the patterns to the ops of f in program order, with the options o. It
// visits the ops of a region before the op that has the region. Of the patterns for an op, the
// first that applies is used. It repeats the walk until no pattern applies, but makes at most
// maxSweeps walks. It reports whether a pattern was applied.
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

// Rewriter is what a pattern changes the function with: a Builder that inserts before the op that
// the pattern is applied to.
type Rewriter struct {
	Builder
	patterns *Patterns
	o        RewriteOptions
	replaced map[*Op]bool // replaced ops that are still in their block
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

// op applies to op the first pattern that applies, and records that something changed. It does
// nothing for an op that was replaced, or that Skip excludes.
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

// Replace makes all uses of op's results uses of the values: one for each result, with the same
// type; otherwise it panics. op is erased if RewriteOptions.IsDead allows it, and then the ops that
// only op used.
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

// eraseIfDead erases op if it has no uses and IsDead allows it, and then the ops that only op used.
// It reports whether it has erased op.
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
