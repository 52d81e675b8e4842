package cost

// This file counts how often an op runs: a loop repeats its regions, and a branch runs one of them.

import (
	"math"

	"github.com/gospmd/gospmd/ir"
)

// times is the number of times that a block runs.
type times struct {
	n       int
	unknown bool // n counts one iteration for each loop whose trip count is not known
	// the number of runs if each loop with an unknown trip count runs AssumedTripCount iterations
	assumed int
}

// once is the number of runs of a function's body.
var once = times{n: 1, assumed: 1}

// region returns the number of runs of region i of op if op runs t times: t itself unless op is a
// loop. The condition of a loop, region 0, runs once more than the body.
func (t times) region(op *ir.Op, i int) times {
	if op.Kind != ir.OpWhile {
		return t
	}
	assumed := RunsInLoop(op, op.Regions[i], t.assumed)
	n, ok := TripCount(op)
	if !ok {
		return times{t.n, true, assumed}
	}
	if i == 0 {
		n++ // the condition is evaluated once more
	}
	return times{t.n * n, t.unknown, assumed}
}

// each calls visit for every op of b, and of the blocks within, with the number of times that a
// device runs it, if b runs t times. Of the regions of an if or a case, only the heaviest by w
// counts; the ops of the others are visited as run 0 times. It does not visit the bodies of
// reductions.
func each(b *ir.Block, t times, w *weights, visit func(*ir.Op, times)) {
	for op := range b.Ops() {
		visit(op, t)
		if op.Info().Is(ir.ScalarBody) {
			continue
		}
		worst := -1
		if isBranch(op) {
			worst, _ = w.heaviestRegion(op)
		}
		for i, r := range op.Regions {
			inside := t.region(op, i)
			if worst >= 0 && i != worst {
				inside = times{}
			}
			each(r, inside, w, visit)
		}
	}
}

func isBranch(op *ir.Op) bool { return op.Kind == ir.OpIf || op.Kind == ir.OpCase }

// weights computes the weights of blocks: the sum of the weights of their ops, times how often
// these run. It computes each once and remembers it, however deeply branches are nested. It does
// not visit the bodies of reductions.
type weights struct {
	of    func(*ir.Op) int // the weight of one run of an op
	known map[*ir.Block]int
	found int // number of blocks computed, for tests
}

func weigh(of func(*ir.Op) int) *weights { return &weights{of: of, known: map[*ir.Block]int{}} }

// block returns the weight of one run of a block. Of a branch in it, the heaviest region counts. A
// loop whose trip count is not known counts once.
func (w *weights) block(b *ir.Block) int {
	if n, ok := w.known[b]; ok {
		return n
	}
	n := 0
	for op := range b.Ops() {
		n += w.of(op)
		switch {
		case op.Info().Is(ir.ScalarBody):
		case isBranch(op):
			_, most := w.heaviestRegion(op)
			n += most
		default:
			for i, r := range op.Regions {
				n += once.region(op, i).n * w.block(r)
			}
		}
	}
	w.known[b] = n
	w.found++
	return n
}

// heaviestRegion returns the index of the region of op with the largest weight, and this weight. Of
// equal regions it takes the first.
func (w *weights) heaviestRegion(op *ir.Op) (best, most int) {
	for i, r := range op.Regions {
		if n := w.block(r); i == 0 || n > most {
			best, most = i, n
		}
	}
	return best, most
}

// AssumedTripCount is the number of iterations that decisions by cost assume for a loop whose trip
// count is not known. It is more than one, so that moving a value before the loop costs less than
// in each iteration. Reports count one iteration, and say so.
const AssumedTripCount = 10

// maxRuns is the largest number of runs that is assumed for a block, so that sums of costs stay far
// below the largest int.
const maxRuns = 1 << 16

// RunsInLoop returns how often a region of a loop runs, or is assumed to run, if the loop itself
// runs the given number of times. A loop whose trip count is not known is assumed to run
// AssumedTripCount iterations. The result is at most maxRuns.
func RunsInLoop(while *ir.Op, region *ir.Block, runs int) int {
	n, ok := TripCount(while)
	if !ok {
		n = AssumedTripCount
	}
	n = min(n, maxRuns)
	if region == while.Regions[0] {
		n++ // the condition is evaluated once more
	}
	return min(runs*n, maxRuns)
}

// TripCount returns how often the body of a while runs. ok is true only if the loop counts a
// carried integer by a positive constant step, from a constant, as long as it is less than another
// constant, at most that, or not equal to it, if it reaches it. A value that the loop carries
// without change counts as a constant.
func TripCount(while *ir.Op) (n int, ok bool) {
	cond, body := while.Regions[0], while.Regions[1]
	test := cond.Terminator().Operands[0].Def()
	if test == nil || test.Kind != ir.OpCompare {
		return 0, false
	}
	counter, limit := test.Operands[0], test.Operands[1]
	if !counter.IsArg() || counter.Block() != cond {
		return 0, false
	}
	i := counter.Index()
	next := body.Terminator().Operands[i].Def()
	if next == nil || next.Kind != ir.OpAdd || next.Operands[0] != body.Args[i] {
		return 0, false
	}
	start, ok1 := constantInt(while, while.Operands[i])
	end, ok2 := constantInt(while, limit)
	step, ok3 := constantInt(while, next.Operands[1])
	if !ok1 || !ok2 || !ok3 || step <= 0 {
		return 0, false
	}
	switch test.Enum("comparison_direction") {
	case "LT":
	case "LE":
		if end == math.MaxInt {
			return 0, false // it never ends
		}
		end++
	case "NE":
		if start > end || (uint64(end)-uint64(start))%uint64(step) != 0 {
			return 0, false
		}
	default:
		return 0, false
	}
	if start >= end {
		return 0, true
	}
	if distance := uint64(end) - uint64(start); distance <= math.MaxInt {
		return int((distance-1)/uint64(step)) + 1, true
	}
	return 0, false
}

// constantInt returns the value of an integer scalar that is a constant, or that the loop carries
// without change; false for any other.
func constantInt(while *ir.Op, v *ir.Value) (int, bool) {
	for _, r := range while.Regions {
		if v.IsArg() && v.Block() == r {
			i := v.Index()
			if while.Regions[1].Terminator().Operands[i] != while.Regions[1].Args[i] {
				return 0, false
			}
			v = while.Operands[i]
			break
		}
	}
	def := v.Def()
	if def == nil || def.Kind != ir.OpConstant || v.Type.Rank() != 0 || !v.Type.DType.IsInt() {
		return 0, false
	}
	return int(def.Literal().Int64s()[0]), true
}
