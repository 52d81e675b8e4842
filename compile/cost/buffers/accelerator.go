package buffers

// This file says what XLA does otherwise for TPUs and GPUs. Numbers of 16 bits are
// computed as they are; products take in what makes their operands, and what is made of
// their result; layouts take the place of transposes; elements that a few cheap ops make
// are made again where they are read; each value has a collective of its own; and what
// frees memory runs as soon as it can.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

func (m Model) accelerator() bool { return m == GPU || m == TPU }

// native holds the ops that are lowered otherwise.
var native map[ir.OpKind]func(*lowering, *ir.Op) []*node

func init() { // lowering refers to native
	native = map[ir.OpKind]func(*lowering, *ir.Op) []*node{
		ir.OpDotGeneral: (*lowering).product, ir.OpConvolution: (*lowering).product,
		ir.OpSPMDAllReduce: (*lowering).eachAlone, ir.OpSPMDAllGather: (*lowering).eachAlone,
		ir.OpSPMDReduceScatter: (*lowering).eachAlone, ir.OpSPMDAllToAll: (*lowering).eachAlone,
		ir.OpGather: (*lowering).gatherRows, ir.OpScatter: (*lowering).scatterRows,
	}
}

// product multiplies operands in whatever layout they are. On GPUs libraries do, which
// read and write memory.
func (l *lowering) product(op *ir.Op) []*node {
	as := product
	if l.model == GPU {
		as = kernel
	}
	n := l.g.one(as, op, op.Results[0].Type, l.operands(op.Operands)...)
	n.expensive = true
	return []*node{n}
}

// eachAlone makes an instruction for each operand.
func (l *lowering) eachAlone(op *ir.Op) []*node {
	out := make([]*node, len(op.Results))
	for i, v := range op.Operands {
		t := op.Results[i].Type
		if l.model == TPU && op.Kind == ir.OpSPMDAllGather && readAsBF16(op.Results[i]) {
			t = t.WithDType(dtypes.BFloat16)
		}
		out[i] = l.g.one(kernel, op, t, l.value(v))
	}
	return out
}

// readAsBF16 reports whether all that reads v of f32 multiplies it at the default
// precision, which TPUs do in bf16: what is gathered for it is gathered as bf16.
func readAsBF16(v *ir.Value) bool {
	if v.Type.DType != dtypes.Float32 || !v.HasUses() {
		return false
	}
	for u := range v.Uses() {
		switch u.Op.Kind {
		case ir.OpDotGeneral, ir.OpConvolution:
			precisions, _ := u.Op.Attrs.Get("precision_config").(ir.Array)
			if slices.ContainsFunc(precisions, func(p ir.Attr) bool { return p != ir.Enum("DEFAULT") }) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// barrier is a list of nodes for all of which users wait.
type barrier struct {
	left  int // nodes that have not run
	users []*node
}

// frugal returns the nodes in the order of the program, but for those that free at least
// as much memory as they take: these run as soon as they can. What is returned takes
// none: most of it has an argument's memory. A node that reads one of the collectives of a
// list in together runs after all of that list.
func (g *graph) frugal(together [][]*node) []*node {
	g.link()
	returned := map[*node]bool{}
	for _, o := range g.root.operands {
		returned[o.origin()] = true
	}
	waits := make([]int, len(g.nodes)) // operands that have not run
	reads := make([]int, len(g.nodes)) // users that have not run
	for _, n := range g.nodes {
		reads[n.index] = len(n.users)
		for _, u := range n.users {
			waits[u.index]++
		}
	}
	barriers := map[*node]*barrier{}
	for _, list := range together {
		b, seen := &barrier{left: len(list)}, map[*node]bool{}
		for _, n := range list {
			barriers[n] = b
			for _, u := range n.users {
				if !seen[u] {
					seen[u] = true
					b.users = append(b.users, u)
					waits[u.index]++
				}
			}
		}
	}
	late := make([]bool, len(g.nodes)) // waited when it was its turn
	frees := func(n *node) bool {
		if n.role == loop || n.role == branch || n.role == result {
			return false
		}
		freed := 0
		if !returned[n] {
			for _, t := range n.types {
				freed -= t.MemoryBytes()
			}
		}
		for i, o := range n.operands {
			if o.graph == g && o.role != param && o.role != constant && reads[o.index] == 1 && !slices.Contains(n.operands[:i], o) {
				freed += o.typ().MemoryBytes()
			}
		}
		return freed >= 0
	}
	done := make([]bool, len(g.nodes))
	var out []*node
	for _, n := range g.nodes {
		for todo := []*node{n}; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			if done[at.index] || waits[at.index] > 0 {
				late[at.index] = true
				continue
			}
			done[at.index] = true
			out = append(out, at)
			for i, o := range at.operands {
				if o.graph == g && !slices.Contains(at.operands[:i], o) {
					reads[o.index]--
				}
			}
			ready := at.users
			if b := barriers[at]; b != nil {
				if b.left--; b.left == 0 {
					ready = slices.Concat(ready, b.users)
				}
			}
			for _, u := range ready {
				if waits[u.index]--; waits[u.index] == 0 && (late[u.index] || frees(u)) {
					todo = append(todo, u)
				}
			}
		}
	}
	if len(out) != len(g.nodes) {
		panic(fmt.Sprintf("BUG: %d of %d instructions wait for each other: collectives are combined that must not be", len(g.nodes)-len(out), len(g.nodes)))
	}
	return out
}
