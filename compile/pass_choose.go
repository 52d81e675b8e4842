package compile

// This file implements pass choose. If the times of the machine can be predicted, it tries several
// strategies, and takes the one whose program is predicted to be the best.

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// strategy is a choice of machines whose costs decide how the program is sharded and partitioned.
// Pass choose compares the programs of several strategies.
type strategy struct {
	// Pass autoshard searches once for each machine in searches, starting from the shardings that
	// the previous search found. If searches is empty, the shardings of propagation stay.
	searches []*cost.Machine
	machine  *cost.Machine // the machine that the later passes decide for
}

// strategies returns the strategies to try: the first searches and decides for the machine of the
// options. It is the only one if times on that machine cannot be predicted, with KeepLayouts, and
// with XLA's partitioner.
//
// Otherwise four others follow. The search and the passes after it weigh costs op by op: they do
// not know which ops run at the same time, nor which collectives become one. So decisions for other
// figures may give a better program. The second strategy searches for the default machine, which
// sends less where the target has fast links, and then again for the machine of the options. The
// third decides everything for the default machine. The last two keep the shardings of propagation.
func (o Options) strategies() []strategy {
	m := o.machine()
	own := strategy{[]*cost.Machine{m}, m}
	if m.MemoryBandwidth == 0 || o.KeepLayouts || o.Partitioner != SPMD {
		return []strategy{own}
	}
	d := cost.Default()
	d.Platform = m.Platform
	return []strategy{own, {[]*cost.Machine{d, m}, m}, {[]*cost.Machine{d}, d}, {nil, m}, {nil, d}}
}

// outcome is the predicted cost of a run, per device.
type outcome struct {
	unfit       bool // the program needs more memory than a device has
	seconds     float64
	bytes       int // bytes that a device sends
	collectives int // number of collectives that run
	memory      int
}

// compare returns less than 0 if the outcome o is better than p, more than 0 if it is worse, and
// else 0. A program that fits is better than one that does not; of two that do not, the one with
// less memory is better. Then seconds, bytes, collectives and memory decide, in this order; less is
// better.
func (o outcome) compare(p outcome) int {
	fits := func(o outcome) int {
		if o.unfit {
			return o.memory
		}
		return 0
	}
	return cmp.Or(cmp.Compare(fits(o), fits(p)), cmp.Compare(o.seconds, p.seconds), cmp.Compare(o.bytes, p.bytes),
		cmp.Compare(o.collectives, p.collectives), cmp.Compare(o.memory, p.memory))
}

// choose compiles a copy of the program with each of the strategies, up to the last pass. It keeps
// the strategy whose copy is predicted to be the best. The module of that copy is the result, and
// the later passes do not run again. But if a caller observes these passes, they run again, on the
// module of c, so that the caller sees them. If there is one strategy or one device, it compiles no
// copy. If the batch may be divided, it also sets c.propagated. A strategy whose program cannot be
// divided into micro-batches is left out if that of another one can.
func choose(c *compilation) error {
	if c.options.mayDivideBatch() {
		c.propagated = shardingsOf(c.main())
	}
	all := c.options.strategies()
	c.strategy = all[0]
	if len(all) == 1 || c.hasOneDevice() {
		return nil
	}
	c.evaluators, c.searches = map[*cost.Machine]*partition.Evaluator{}, new([]searched)
	search := c.passAt("autoshard")
	var best outcome
	var chosen *compilation
	var cannot error // that of the first program that cannot be divided
	var seen []decided
	for _, s := range all {
		f := c.copyFor(s)
		global := f.module // partitioning replaces the module
		if err := f.run(c.passes[search : search+1]); err != nil {
			return err
		}
		now := decided{s.machine, shardingsOf(global.Main())}
		if slices.ContainsFunc(seen, now.equal) {
			continue
		}
		seen = append(seen, now)
		err := f.run(c.passes[search+1:])
		var odd *microbatch.Error
		if errors.As(err, &odd) {
			cannot = cmp.Or(cannot, err)
			continue
		}
		if err != nil {
			return err
		}
		if o := f.outcome(); chosen == nil || o.compare(best) < 0 {
			best, chosen = o, f
		}
	}
	if chosen == nil {
		return cannot
	}
	c.strategy = chosen.strategy
	if !c.observed() {
		c.module, c.diagnostics, c.finished = chosen.module, chosen.diagnostics, true
		c.whole = chosen.whole
	}
	return nil
}

// searched holds the shardings that a sequence of searches has found: one search for each machine
// in the list.
type searched struct {
	machines  []*cost.Machine
	shardings []*layout.Sharding // of all values, in program order
}

// reuseSearches finds the searches at the start of c's list that another copy of the program has
// made already, and gives all values the shardings that they found. It returns the searches that
// are left.
func (c *compilation) reuseSearches() (left []*cost.Machine) {
	done := 0
	var best []*layout.Sharding
	for _, s := range *c.searches {
		if n := len(s.machines); n > done && n <= len(c.strategy.searches) && slices.Equal(s.machines, c.strategy.searches[:n]) {
			done, best = n, s.shardings
		}
	}
	if done > 0 {
		setShardings(c.main(), best)
	}
	return c.strategy.searches[done:]
}

// noteSearches records, for other copies, the shardings that this copy's searches have found so
// far. left is the number of its searches that have not run yet.
func (c *compilation) noteSearches(left int) {
	done := c.strategy.searches[:len(c.strategy.searches)-left]
	*c.searches = append(*c.searches, searched{done, shardingsOf(c.main())})
}

// decided has everything that determines the program of a strategy: two strategies with equal
// fields give equal programs.
type decided struct {
	machine   *cost.Machine
	shardings []*layout.Sharding // of all values, in program order
}

func (d decided) equal(o decided) bool {
	return d.machine == o.machine && slices.EqualFunc(d.shardings, o.shardings, (*layout.Sharding).Equal)
}

// copyFor returns a copy of c, with a clone of its module, for strategy s.
func (c *compilation) copyFor(s strategy) *compilation {
	f := c.copyOf(c.module)
	f.strategy, f.copied = s, true
	return f
}

// copyOf returns a copy of c with a copy of the module m. It keeps only debug options that change
// what passes do, and records no explanation.
func (c *compilation) copyOf(m *ir.Module) *compilation {
	f := *c
	f.module, f.trail, f.diagnostics = m.Clone(), nil, slices.Clone(c.diagnostics)
	f.options.Debug = pass.Debug{Off: c.options.Debug.Off, VerifyEach: c.options.Debug.VerifyEach}
	return &f
}

// passAt returns the index of the pass of that name in the list; -1 if it is not there.
func (c *compilation) passAt(name string) int {
	return slices.IndexFunc(c.passes, func(p pipelinePass) bool { return p.name == name })
}

// outcome returns the predicted cost of the partitioned program on the machine of the options, and
// whether it is too large for the machine's memory.
func (c *compilation) outcome() outcome {
	m := c.options.machine()
	r := report.NewFor(&program.Program{Form: program.PerDevice, Mesh: c.mesh, Module: c.module, Inputs: c.inputs, Outputs: c.outputs}, m)
	o := outcome{seconds: r.Prediction.Seconds, bytes: r.Bytes, memory: r.Memory.Peak}
	o.unfit = m.Memory > 0 && o.memory > m.Memory
	for _, x := range r.Collectives {
		o.collectives += x.Runs
	}
	return o
}

// shardingsOf returns the shardings of all values of f, in program order.
func shardingsOf(f *ir.Func) (list []*layout.Sharding) {
	f.EachValue(func(v *ir.Value) { list = append(list, v.Sharding) })
	return list
}

// setShardings gives all values of f their shardings: list has one for each value, in program
// order.
func setShardings(f *ir.Func, list []*layout.Sharding) {
	i := 0
	f.EachValue(func(v *ir.Value) { v.Sharding, i = list[i], i+1 })
}
