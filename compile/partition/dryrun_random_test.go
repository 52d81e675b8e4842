package partition_test

// This file tests random programs, most of them with loops. After changes of shardings, the costs
// of an evaluator must be equal to those of a new evaluator, and its bytes to the bytes that the
// partitioned program sends.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// counted are the op kinds of the random programs, each as many times as it should be likely: an
// evaluator counts all bytes that these ops send.
var counted = []ir.OpKind{
	ir.OpWhile, ir.OpWhile, ir.OpWhile, ir.OpWhile, ir.OpTranspose, ir.OpAdd, ir.OpDotGeneral, ir.OpDotGeneral,
	ir.OpConvolution, ir.OpConvolution, ir.OpBroadcastInDim, ir.OpConcatenate, ir.OpDynamicSlice, ir.OpDynamicUpdateSlice, ir.OpTanh,
}

// revision is a random walk through the shardings of a program.
type revision struct {
	rng  *rand.Rand
	e    *partition.Evaluator
	sets [][]*ir.Value // the values that must have the same sharding, set by set
}

// newRevision returns a walk over m, on its first mesh and the default machine, with the random
// numbers of seed. It may revise the results of ops with a rule, each alone, and the values that
// loops carry, each together with the arguments for it.
func newRevision(seed uint64, m *ir.Module) *revision {
	r := &revision{rng: rand.New(rand.NewPCG(seed, 0xd27)), e: partition.NewEvaluator(m, m.Meshes[0].Mesh, cost.Default())}
	m.Main().Walk(func(op *ir.Op) {
		switch {
		case op.Kind == ir.OpWhile:
			for i, v := range op.Results {
				r.sets = append(r.sets, []*ir.Value{v, op.Regions[0].Args[i], op.Regions[1].Args[i]})
			}
		case r.e.Rule(op) != nil:
			for _, v := range op.Results {
				r.sets = append(r.sets, []*ir.Value{v})
			}
		}
	})
	return r
}

// revise gives one to three random sets of values another sharding, a random one for all values of
// a set.
func (r *revision) revise() {
	for range 1 + r.rng.IntN(3) {
		set := r.sets[r.rng.IntN(len(r.sets))]
		rank := set[0].Type.Rank()
		axes := make([][]mesh.AxisRef, rank)
		for _, a := range r.e.Mesh().Axes() {
			if rank > 0 && a.Size > 1 && r.rng.IntN(3) > 0 {
				d := r.rng.IntN(rank)
				axes[d] = append(axes[d], mesh.FullAxis(a.Name))
			}
		}
		for _, v := range set {
			r.e.SetSharding(v, r.e.Intern(axes))
		}
	}
}

// A dry run after random changes of shardings has the costs that a new evaluator finds, and after a
// rollback those of before. The bytes are those that the partitioned program sends.
func TestRevisedCosts(t *testing.T) {
	inside, outside := 0, 0
	for seed := range longtest.Pick[uint64](40, 600) {
		p := randprog.New(seed, randprog.Options{Kinds: counted, Ops: 5, OwnRules: true})
		m := p.Module
		_, err := sharding.Propagate(m, sharding.Options{})
		require.NoError(t, err)
		require.NoError(t, sharding.Complete(m))
		r := newRevision(seed, m)
		total, _ := r.e.DryRun(math.MaxInt)
		r.e.Commit()
		for range 6 {
			if len(r.sets) == 0 {
				break
			}
			r.revise()
			revised, _ := r.e.DryRun(math.MaxInt)
			fresh := partition.NewEvaluator(m, p.Mesh, cost.Default())
			want, _ := fresh.DryRun(math.MaxInt)
			require.Equal(t, want, revised, "seed %d\n%s", seed, m)
			require.Equal(t, fresh.Spent(), r.e.Spent(), "seed %d", seed)
			in, out := sends(t, m, r.e, fmt.Sprintf("seed %d", seed))
			inside, outside = inside+in, outside+out
			if r.rng.IntN(2) == 0 {
				r.e.Rollback()
				back, _ := r.e.DryRun(math.MaxInt)
				require.Equal(t, total, back, "seed %d", seed)
			} else {
				r.e.Commit()
				total = revised
			}
		}
	}
	require.Positive(t, inside)
	require.Positive(t, outside)
}

// sends requires that the program that e partitions m into sends the number of bytes that e has
// counted; a loop of unknown length counts as cost.AssumedTripCount runs. what names the case in
// messages. It returns the number of the program's collectives inside of loops, and outside.
func sends(t *testing.T, m *ir.Module, e *partition.Evaluator, what string) (inside, outside int) {
	local, err := e.Module(m)
	require.NoError(t, err, what)
	bytes := 0
	for _, c := range cost.Collectives(e.Mesh(), local.Main()) {
		runs := c.Runs
		if c.Unknown {
			runs *= cost.AssumedTripCount
		}
		bytes += runs * c.Bytes
		if c.Op.Block() == local.Main().Body {
			outside++
		} else {
			inside++
		}
	}
	require.Equal(t, bytes, e.Spent().Bytes, "%s\n%s\n%s", what, m, local)
	return inside, outside
}
