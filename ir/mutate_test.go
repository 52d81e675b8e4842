package ir_test

// This file tests the changes of blocks and operands: each change alone, and thousands of random
// changes, compared with simple lists of ops.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// negations returns a module with a function main of one parameter x, of four float32, with a chain
// of n negations of it whose last one is the result; the function; and the negations.
func negations(n int) (*ir.Module, *ir.Func, []*ir.Op) {
	f := ir.NewFunc("main")
	v := f.AddParam("x", f32x4, nil)
	b := ir.NewBuilder(f.Body)
	ops := make([]*ir.Op, n)
	for i := range ops {
		ops[i] = b.OpWithTypes(ir.OpNegate, nil, []ir.Type{f32x4}, v)
		v = ops[i].Result()
	}
	f.Return(v)
	return &ir.Module{Funcs: []*ir.Func{f}}, f, ops
}

// uses returns the uses of v.
func uses(v *ir.Value) []ir.Use { return slices.Collect(v.Uses()) }

func TestUses(t *testing.T) {
	f := ir.NewFunc("main")
	x, y := f.AddParam("x", f32x4, nil), f.AddParam("y", f32x4, nil)
	add := ir.NewOp(ir.OpAdd, []*ir.Value{x, x}, nil, []ir.Type{f32x4})
	require.False(t, x.HasUses(), "an op outside of a block uses nothing")
	f.Body.Append(add)
	require.Equal(t, []ir.Use{{Op: add, Operand: 0}, {Op: add, Operand: 1}}, uses(x))
	require.False(t, x.HasOneUse())

	add.SetOperand(1, y)
	require.True(t, x.HasOneUse())
	require.Equal(t, []ir.Use{{Op: add, Operand: 1}}, uses(y))

	add.AddOperands(x)
	require.Equal(t, []*ir.Value{x, y, x}, add.Operands)
	require.Equal(t, 2, x.NumUses())
	x.ReplaceUsesIf(y, func(u ir.Use) bool { return u.Operand == 2 })
	require.Equal(t, []*ir.Value{x, y, y}, add.Operands)
	y.ReplaceAllUsesWith(x)
	require.Equal(t, []*ir.Value{x, x, x}, add.Operands)
	require.False(t, y.HasUses())
	x.ReplaceAllUsesWith(x)
	require.Equal(t, 3, x.NumUses())

	add.Remove()
	require.False(t, x.HasUses(), "a removed op uses nothing")
	f.Body.Append(add)
	require.Equal(t, 3, x.NumUses())
	for u := range x.Uses() { // the loop erases the op of several uses
		if u.Op.Block() != nil {
			u.Op.Erase()
		}
	}
	require.False(t, x.HasUses())
	require.Zero(t, f.Body.Len())
}

// An op is in its own block, and in each block around that.
func TestIn(t *testing.T) {
	m, err := ir.Parse(`func.func @main(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return %r : tensor<f32>
}`)
	require.NoError(t, err)
	body := m.Main().Body
	reduce := m.Main().Returned()[0].Def()
	add := reduce.Regions[0].Terminator().Operands[0].Def()
	require.Same(t, reduce, reduce.In(body))
	require.Same(t, reduce, add.In(body))
	require.Same(t, add, add.In(reduce.Regions[0]))
	require.Nil(t, reduce.In(reduce.Regions[0]))
}

// If an op is erased, the uses by ops in its regions are removed.
func TestEraseDropsUsesInRegions(t *testing.T) {
	f := ir.NewFunc("main")
	x, p := f.AddParam("x", f32x4, nil), f.AddParam("p", ir.Tensor(dtypes.Bool), nil)
	branch := func() *ir.Block {
		b := ir.NewBlock()
		negate := ir.NewBuilder(b).OpWithTypes(ir.OpNegate, nil, []ir.Type{f32x4}, x)
		b.Append(ir.NewOp(ir.OpReturn, negate.Results, nil, nil))
		return b
	}
	op := ir.NewBuilder(f.Body).Build(ir.OpIf, nil, nil, []*ir.Block{branch(), branch()}, p)
	require.Equal(t, f32x4, op.Result().Type)
	require.Equal(t, 2, x.NumUses())
	op.Erase()
	require.False(t, x.HasUses())
	require.False(t, p.HasUses())
}

func TestReplaceWith(t *testing.T) {
	m, f, ops := negations(3)
	ops[1].ReplaceWith(ops[0].Result())
	require.NoError(t, ir.Verify(m))
	require.Equal(t, []*ir.Op{ops[0], ops[2], f.Body.Terminator()}, slices.Collect(f.Body.Ops()))
	require.Equal(t, ops[0], ops[2].Operands[0].Def())
}

// A change that would make the function invalid panics with a message that begins with BUG and
// names the op: it is a bug of the pass.
func TestMutationPanics(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(f *ir.Func, ops []*ir.Op)
		want string
	}{
		{"erase a used op", func(f *ir.Func, ops []*ir.Op) { ops[0].Erase() },
			"BUG: stablehlo.negate is erased, but stablehlo.negate uses result 0 of it"},
		{"insert twice", func(f *ir.Func, ops []*ir.Op) { f.Body.Append(ops[0]) },
			"BUG: stablehlo.negate is inserted, but stands in a block: move it instead"},
		{"remove twice", func(f *ir.Func, ops []*ir.Op) { ops[2].Remove(); ops[2].Remove() },
			"BUG: stablehlo.negate stands in no block"},
		{"compare across blocks", func(f *ir.Func, ops []*ir.Op) { ops[2].Remove(); ops[2].IsBefore(ops[1]) },
			"BUG: stablehlo.negate and stablehlo.negate are compared, but do not stand in one block"},
		{"replace by too few", func(f *ir.Func, ops []*ir.Op) { ops[0].ReplaceWith() },
			"BUG: stablehlo.negate with 1 results is replaced by 0 values"},
		{"insertion point gone", func(f *ir.Func, ops []*ir.Op) {
			b := new(ir.Builder).Before(f.Body.Terminator())
			f.Body.Terminator().Erase()
			b.OpWithTypes(ir.OpNegate, nil, []ir.Type{f32x4}, f.Params()[0])
		}, "BUG: insertion point func.return does not stand in the block"},
		{"build what cannot be", func(f *ir.Func, ops []*ir.Op) { ir.NewBuilder(f.Body).Build(ir.OpAdd, nil, nil, nil, f.Params()[0]) },
			"BUG: stablehlo.add: has 1 operands, want 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, f, ops := negations(3)
			require.PanicsWithValue(t, tc.want, func() { tc.do(f, ops) })
		})
	}
}

func TestLoopsOverOps(t *testing.T) {
	visit := func(change func(f *ir.Func, op *ir.Op)) (visited, left string) {
		_, f, ops := negations(4)
		number := map[*ir.Op]int{f.Body.Terminator(): len(ops)}
		for i, op := range ops {
			op.SetOperand(0, f.Params()[0])
			number[op] = i
		}
		f.Body.Terminator().SetOperands()
		for op := range f.Body.Ops() {
			visited += fmt.Sprint(number[op])
			change(f, op)
		}
		for op := range f.Body.Ops() {
			left += fmt.Sprint(number[op])
		}
		return visited, left
	}
	for _, tc := range []struct {
		name          string
		change        func(f *ir.Func, op *ir.Op)
		visited, left string
	}{
		{"erase the current op", func(f *ir.Func, op *ir.Op) { op.Erase() }, "01234", ""},
		{"erase the next op", func(f *ir.Func, op *ir.Op) {
			if op.Next() != nil {
				op.Next().Erase()
			}
		}, "024", "024"},
		{"move the current op", func(f *ir.Func, op *ir.Op) { op.MoveBefore(f.Body.First()) }, "01234", "43210"},
		{"insert after", func(f *ir.Func, op *ir.Op) {
			if f.Body.Len() < 8 {
				ir.NewOp(ir.OpNegate, f.Params(), nil, []ir.Type{f32x4}).InsertAfter(op)
			}
		}, "01234", "00102034"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			visited, left := visit(tc.change)
			require.Equal(t, tc.visited, visited)
			require.Equal(t, tc.left, left)
		})
	}
	_, f, ops := negations(3)
	var body, backward []*ir.Op
	for op := range f.Body.Body() {
		body = append(body, op)
	}
	for op := range f.Body.Backward() {
		backward = append(backward, op)
	}
	require.Equal(t, ops, body)
	require.Equal(t, []*ir.Op{f.Body.Terminator(), ops[2], ops[1], ops[0]}, backward)
}

// model is a function together with its expected state, kept as simple lists.
type model struct {
	f   *ir.Func
	ops []*ir.Op
	rng *rand.Rand
}

// values returns the values that an op at position i may use: the function's parameters and the
// results of the ops before.
func (m *model) values(i int) []*ir.Value {
	out := slices.Clone(m.f.Params())
	for _, op := range m.ops[:i] {
		out = append(out, op.Results...)
	}
	return out
}

// users returns the number of operands in the function that are v.
func (m *model) users(v *ir.Value) (n int) {
	for op := range m.f.Body.Ops() {
		for _, o := range op.Operands {
			if o == v {
				n++
			}
		}
	}
	return n
}

// step makes one random change of the function by ir's methods, if it is possible at a random
// place: it inserts, erases or moves ops, or changes operands. It makes the same change in m's own
// lists.
func (m *model) step() {
	at := m.rng.IntN(len(m.ops) + 1)
	next := m.f.Body.Terminator()
	if at < len(m.ops) {
		next = m.ops[at]
	}
	visible := m.values(at)
	pick := func() *ir.Value { return visible[m.rng.IntN(len(visible))] }
	switch m.rng.IntN(6) {
	case 0: // insert an op
		op := ir.NewOp(ir.OpAdd, []*ir.Value{pick(), pick()}, nil, []ir.Type{f32x4})
		op.InsertBefore(next)
		m.ops = slices.Insert(m.ops, at, op)
	case 1: // insert an op with three operands by a Builder
		op := new(ir.Builder).Before(next).OpWithTypes(ir.OpOptimizationBarrier, nil, []ir.Type{f32x4, f32x4, f32x4}, pick(), pick(), pick())
		m.ops = slices.Insert(m.ops, at, op)
	case 2: // erase an op without uses
		if at < len(m.ops) && !m.ops[at].HasUses() {
			m.ops[at].Erase()
			m.ops = slices.Delete(m.ops, at, at+1)
		}
	case 3: // replace the uses of a value that come after its replacement
		if at < len(m.ops) {
			m.ops[at].Results[0].ReplaceAllUsesWith(pick())
		}
	case 4: // change one operand
		if at < len(m.ops) {
			m.ops[at].SetOperand(m.rng.IntN(len(m.ops[at].Operands)), pick())
		}
	case 5: // move an op up to right behind its operands, or an op without uses to the end
		if at == len(m.ops) {
			return
		}
		op := m.ops[at]
		to := 0
		for i, o := range m.ops[:at] {
			if slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return v.Def() == o }) {
				to = i + 1
			}
		}
		m.ops = slices.Delete(m.ops, at, at+1)
		if !op.HasUses() {
			to = len(m.ops)
			op.MoveBefore(m.f.Body.Terminator())
		} else if to == len(m.ops) {
			op.MoveBefore(m.f.Body.Terminator())
		} else {
			op.MoveBefore(m.ops[to])
		}
		m.ops = slices.Insert(m.ops, to, op)
	}
}

func TestRandomMutations(t *testing.T) {
	for seed := range uint64(8) {
		module, f, ops := negations(3)
		f.AddParam("y", f32x4, nil)
		m := &model{f: f, ops: ops, rng: rand.New(rand.NewPCG(seed, 1))}
		for step := range 2000 {
			m.step()
			if step%50 != 0 {
				continue
			}
			require.NoError(t, ir.Verify(module))
			require.Equal(t, len(m.ops)+1, f.Body.Len())
			i := 0
			for op := range f.Body.Body() {
				require.Same(t, m.ops[i], op)
				i++
			}
			a, b := m.rng.IntN(len(m.ops)), m.rng.IntN(len(m.ops))
			require.Equal(t, a < b, m.ops[a].IsBefore(m.ops[b]))
			for _, v := range m.values(len(m.ops)) {
				n := m.users(v)
				require.Equal(t, n, v.NumUses())
				require.Equal(t, n > 0, v.HasUses())
				require.Equal(t, n == 1, v.HasOneUse())
			}
		}
	}
}

// The order of ops stays known when many ops are inserted at one place.
func TestOrderOfManyInsertions(t *testing.T) {
	_, f, ops := negations(2)
	b := new(ir.Builder).After(ops[0])
	last := ops[0]
	for range 1000 {
		op := b.OpWithTypes(ir.OpNegate, nil, []ir.Type{f32x4}, f.Params()[0])
		require.True(t, last.IsBefore(op))
		require.True(t, op.IsBefore(ops[1]))
		last = op
	}
	for range 1000 {
		op := ir.NewOp(ir.OpNegate, f.Params(), nil, []ir.Type{f32x4})
		op.InsertAfter(ops[0])
		require.True(t, ops[0].IsBefore(op))
		require.True(t, op.IsBefore(last))
	}
}

// The verifier reports each case in which a value's list of uses differs from the ops' operands,
// and tells how it is repaired.
func TestVerifyUses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(f *ir.Func, add *ir.Op)
		want   string
	}{
		{"operand written", func(f *ir.Func, add *ir.Op) { add.Operands[1] = f.Params()[0] },
			"%0 = stablehlo.add: operand 1, %arg0, is not in the list of its uses: change operands with SetOperand"},
		{"operands written", func(f *ir.Func, add *ir.Op) { add.Operands = []*ir.Value{f.Params()[0], f.Params()[0]} },
			"a use of %arg1 is operand 1 of stablehlo.add, which is another value"},
		{"operand appended", func(f *ir.Func, add *ir.Op) {
			end := f.Body.Terminator()
			end.Operands = append(end.Operands, add.Result())
			f.Results = append(f.Results, f.Results[0])
		}, "func.return: has 2 operands, of which 1 are counted as uses: change operands with SetOperand"},
		{"use lost", func(f *ir.Func, add *ir.Op) { ir.ClearUses(f.Params()[0]) },
			"%0 = stablehlo.add: operand 0, %arg0, is not in the list of its uses: change operands with SetOperand"},
		{"list cut off", func(f *ir.Func, add *ir.Op) {
			add.SetOperand(1, f.Params()[0])
			ir.CutUses(f.Params()[0])
		}, "the list of the uses of %arg0 has two ends"},
		{"user outside of the function", func(f *ir.Func, add *ir.Op) {
			ir.NewBuilder(ir.NewBlock()).OpWithTypes(ir.OpNegate, nil, []ir.Type{f32x4}, f.Params()[0])
		}, "%arg0 is used by stablehlo.negate, which is not in the function: erase what is dropped"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f, add := sample()
			tc.change(f, add)
			var violations ir.Violations
			require.True(t, errors.As(ir.Verify(m), &violations))
			require.Equal(t, ir.RuleUse, violations[0].Rule, "%v", violations)
			require.Contains(t, violations.Error(), tc.want)
		})
	}
}

// BenchmarkMutate inserts, replaces and erases ops in a function of 100,000 ops. The time for one
// change should not depend on the size of the function; the benchmark does not check this.
func BenchmarkMutate(b *testing.B) {
	_, f, ops := negations(100_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at := ops[i%len(ops)]
		op := ir.NewOp(ir.OpNegate, at.Operands, nil, []ir.Type{f32x4})
		op.InsertBefore(at)
		at.SetOperand(0, op.Result())
		if !op.IsBefore(at) {
			b.Fatal("the order is lost")
		}
		op.ReplaceWith(op.Operands[0])
	}
	_ = f
}
