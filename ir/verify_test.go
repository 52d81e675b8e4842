package ir_test

// This file checks that Verify finds violations of its rules and names the rule. Those of RuleUse
// are in mutate_test.go, those of RuleShardy in verify_sharding_test.go.

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

var f32x4 = ir.Tensor(dtypes.Float32, 4)

// sample returns a valid module without meshes, its function main, which has the parameters x and y
// of type f32x4 and returns x + y, and the add. Neither has a sharding.
func sample() (m *ir.Module, f *ir.Func, add *ir.Op) {
	f = ir.NewFunc("main")
	x, y := f.AddParam("x", f32x4, nil), f.AddParam("y", f32x4, nil)
	add = ir.NewOp(ir.OpAdd, []*ir.Value{x, y}, nil, []ir.Type{f32x4})
	f.Body.Append(add)
	f.Return(add.Result())
	m = &ir.Module{Funcs: []*ir.Func{f}}
	return m, f, add
}

func TestVerify(t *testing.T) {
	dm := mesh.MustParse("x=2,y=2")
	x := mesh.FullAxes("x")
	shardedBy := func(axes ...mesh.AxisRef) *layout.Sharding {
		return &layout.Sharding{Mesh: dm, Dims: []layout.DimSharding{{Axes: axes}}}
	}
	insert := func(f *ir.Func, at int, ops ...*ir.Op) {
		next := slices.Collect(f.Body.Ops())[at]
		for _, op := range ops {
			op.InsertBefore(next)
		}
	}
	reduce := func(f *ir.Func, body *ir.Block) *ir.Op {
		init := ir.NewOp(ir.OpConstant, nil, ir.Attrs{{Name: "value", Value: ir.Scalar(dtypes.Float32, 0)}}, []ir.Type{ir.Tensor(dtypes.Float32)})
		op := ir.NewOp(ir.OpReduce, []*ir.Value{f.Params()[0], init.Result()}, ir.Attrs{{Name: "dimensions", Value: ir.Ints{0}}},
			[]ir.Type{ir.Tensor(dtypes.Float32)}, body)
		insert(f, 0, init, op)
		return op
	}
	for _, tc := range []struct {
		name   string
		change func(m *ir.Module, f *ir.Func, add *ir.Op)
		rule   ir.Rule
		want   string // a part of the first violation's text; empty: the module is valid
	}{
		{name: "valid", change: func(m *ir.Module, f *ir.Func, add *ir.Op) {}},
		{"mesh name", func(m *ir.Module, f *ir.Func, add *ir.Op) { m.Meshes = []ir.NamedMesh{{Name: "", Mesh: dm}} },
			ir.RuleMesh, "mesh 0 has no name"},
		{"mesh nil", func(m *ir.Module, f *ir.Func, add *ir.Op) { m.Meshes = []ir.NamedMesh{{Name: "mesh"}} },
			ir.RuleMesh, "mesh @mesh has no value (nil)"},
		{"mesh twice", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.Meshes = []ir.NamedMesh{{Name: "mesh", Mesh: dm}, {Name: "mesh", Mesh: dm}}
		}, ir.RuleMesh, "two meshes have the name @mesh"},
		{"func name", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Name = "" },
			ir.RuleFunc, "a function has no name"},
		{"func twice", func(m *ir.Module, f *ir.Func, add *ir.Op) { m.Funcs = append(m.Funcs, m.Clone().Funcs[0]) },
			ir.RuleFunc, "two functions have the name @main"},
		{"func empty", func(m *ir.Module, f *ir.Func, add *ir.Op) { clearBody(f) },
			ir.RuleFunc, "@main: the function has no ops: end it with Return, or make a declaration private"},
		{name: "declaration", change: func(m *ir.Module, f *ir.Func, add *ir.Op) { clearBody(f); f.Private = true }},
		{"param twice", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Params()[1].Name = "x" },
			ir.RuleParam, `@main: two parameters have the name "x"`},
		{"param attributes", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.ArgAttrs = f.ArgAttrs[:1] },
			ir.RuleParam, "@main: has 2 parameters and attributes for 1: want the same number"},
		{name: "alias", change: func(m *ir.Module, f *ir.Func, add *ir.Op) { donate(f, 1, ir.Int32(0)) }},
		{"alias kind", func(m *ir.Module, f *ir.Func, add *ir.Op) { donate(f, 1, ir.Int(0)) },
			ir.RuleAlias, `@main: tf.aliasing_output of parameter "y" is a ir.Int, want an i32`},
		{"alias range", func(m *ir.Module, f *ir.Func, add *ir.Op) { donate(f, 1, ir.Int32(1)) },
			ir.RuleAlias, `@main: tf.aliasing_output of parameter "y" is 1, want one of the 1 results`},
		{"alias type", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			f.AddParam("z", ir.Tensor(dtypes.Float32, 5), nil)
			donate(f, 2, ir.Int32(0))
		}, ir.RuleAlias, `@main: parameter "z" of type tensor<5xf32> is donated to result 0 of type tensor<4xf32>: want the same type`},
		{"alias twice", func(m *ir.Module, f *ir.Func, add *ir.Op) { donate(f, 0, ir.Int32(0)); donate(f, 1, ir.Int32(0)) },
			ir.RuleAlias, `@main: parameters "x" and "y" are both donated to result 0`},
		{"result count", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Results = nil },
			ir.RuleResult, "@main: func.return: returns 1 values, the function says 0"},
		{"result type", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Results[0].Type.Dims = []int{5} },
			ir.RuleResult, "@main: func.return: returns tensor<4xf32> as result 0, the function says tensor<5xf32>"},
		{"callee", func(m *ir.Module, f *ir.Func, add *ir.Op) { insert(f, 0, call("g", f32x4, f.Params()[0])) },
			ir.RuleCall, "@main: %0 = func.call: calls @g, which the module does not have"},
		{name: "call", change: func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.Funcs = append(m.Funcs, callee("g"))
			insert(f, 0, call("g", f32x4, f.Params()[0]))
		}},
		{"call signature", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.Funcs = append(m.Funcs, callee("g"))
			insert(f, 0, call("g", f32x4, f.Params()...))
		}, ir.RuleCall, "@main: %0 = func.call: calls @g with operands of types (tensor<4xf32>, tensor<4xf32>), want (tensor<4xf32>)"},
		{"recursion", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			g := callee("g")
			g.Body.Prepend(call("h", f32x4, g.Params()[0]))
			h := callee("h")
			h.Body.Prepend(call("g", f32x4, h.Params()[0]))
			m.Funcs = append(m.Funcs, g, h)
		}, ir.RuleCall, "@h: func.call: calls @g, which calls @h: recursion is not possible"},
		{"block link", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			negate := ir.NewOp(ir.OpNegate, f.Params()[:1], nil, []ir.Type{f32x4})
			f.Body.Prepend(negate)
			ir.SetBlock(negate, &ir.Block{})
		}, ir.RuleLink, "@main: %0 = stablehlo.negate: the op stands in a block that it does not belong to"},
		{"list of ops too short", func(m *ir.Module, f *ir.Func, add *ir.Op) { ir.SetNext(add, nil) },
			ir.RuleLink, "@main: the block has 1 ops, of which stablehlo.add is the last one, but it says 2 and func.return"},
		{"list of ops backward", func(m *ir.Module, f *ir.Func, add *ir.Op) { ir.SetPrev(add.Next(), nil) },
			ir.RuleLink, "@main: func.return: the op before it in the block is stablehlo.add, but it says nothing"},
		{"op twice", func(m *ir.Module, f *ir.Func, add *ir.Op) { ir.SetNext(add.Next(), add) },
			ir.RuleLink, "@main: %? = stablehlo.add: the op stands in the function twice"},
		{"operand nil", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.SetOperand(1, nil) },
			ir.RuleLink, "@main: %0 = stablehlo.add: operand 1 is missing (nil)"},
		{"result of another op", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			insert(f, 0, ir.NewOp(ir.OpNegate, f.Params()[:1], nil, nil))
			f.Body.First().Results = add.Results
		}, ir.RuleLink, "@main: %1 = stablehlo.negate: result 0 belongs to another op"},
		{"argument of another block", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Body.Args[1] = f.Body.Args[0] },
			ir.RuleLink, "@main: argument 1 of the block belongs elsewhere"},
		{"no terminator", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.Body.Terminator().Erase() },
			ir.RuleTerminator, "@main: the block ends in stablehlo.add, want func.return"},
		{"terminator within", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			insert(f, 0, ir.NewOp(ir.OpFuncReturn, f.Params()[:1], nil, nil))
		},
			ir.RuleTerminator, "@main: func.return: the op ends a block, but 2 ops follow"},
		{"region terminator", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			b := ir.ReductionBody(ir.OpAdd, dtypes.Float32)
			b.Terminator().Erase()
			reduce(f, b)
		}, ir.RuleTerminator, "@main: %1 = stablehlo.reduce: the block ends in stablehlo.add, want stablehlo.return"},
		{"defined later", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			insert(f, 0, ir.NewOp(ir.OpNegate, add.Results, nil, []ir.Type{f32x4}))
		}, ir.RuleDominance, "@main: %0 = stablehlo.negate: operand 0, %1, is defined later, or is no longer in its block"},
		{"itself", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.SetOperand(0, add.Result()) },
			ir.RuleDominance, "@main: %0 = stablehlo.add: operand 0, %0, is defined later, or is no longer in its block"},
		{"of another function", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			_, g, _ := sample()
			add.SetOperand(1, g.Params()[1])
		}, ir.RuleDominance, "@main: %0 = stablehlo.add: operand 1, %?, belongs to another function or to an op that was removed"},
		{"body sees outside", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			b := ir.ReductionBody(ir.OpAdd, dtypes.Float32)
			op := reduce(f, b)
			b.First().SetOperand(1, op.Operands[1])
		}, ir.RuleDominance, "@main: %2 = stablehlo.add: operand 1, %0, is defined outside of the region, which sees only its own arguments: pass it to stablehlo.reduce as an operand"},
		{"operand count", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.SetOperands(add.Operands[0]) },
			ir.RuleForm, "@main: %0 = stablehlo.add: has 1 operands, want 2"},
		{"result count of an op", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.AddResult(f32x4) },
			ir.RuleForm, "@main: %0:2 = stablehlo.add: has 2 results, want 1"},
		{"region count", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.AddRegion(ir.ReductionBody(ir.OpAdd, dtypes.Float32)) },
			ir.RuleForm, "@main: %0 = stablehlo.add: has 1 regions, want 0"},
		{"attribute missing", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Kind = ir.OpCompare },
			ir.RuleForm, `@main: %0 = stablehlo.compare: attribute "comparison_direction" is missing, want an enumeration's case`},
		{"attribute kind", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			add.Kind, add.Attrs = ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.String("LT")}}
		}, ir.RuleForm, `@main: %0 = stablehlo.compare: attribute "comparison_direction" is a ir.String, want an enumeration's case`},
		{"attribute case", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			add.Kind, add.Attrs = ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("LESS")}}
		}, ir.RuleForm, `@main: %0 = stablehlo.compare: attribute "comparison_direction" is LESS, want one of EQ, NE, GE, GT, LE, LT`},
		{"attribute unknown", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Attrs = ir.Attrs{{Name: "axis", Value: ir.Int(1)}} },
			ir.RuleForm, `@main: %0 = stablehlo.add: attribute "axis" is not known: want none, or a name with a dialect such as mhlo.axis`},
		{"attribute twice", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			add.Attrs = ir.Attrs{{Name: "mhlo.a", Value: ir.Int(1)}, {Name: "mhlo.a", Value: ir.Int(1)}}
		}, ir.RuleForm, `@main: %0 = stablehlo.add: attribute "mhlo.a" is given twice`},
		{name: "attributes with a dialect", change: func(m *ir.Module, f *ir.Func, add *ir.Op) {
			add.Attrs = ir.Attrs{{Name: "mhlo.a", Value: ir.Int(1)}, {Name: "jax.b", Value: ir.Int(1)}, {Name: "xla_shape", Value: ir.String("f32[4]")}}
		}},
		{"unregistered name", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Kind, add.Name = ir.OpUnregistered, "stablehlo.add" },
			ir.RuleType, "@main: %0 = stablehlo.add: stablehlo.add is in the op table, want its kind and not OpUnregistered"},
		{"element type", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Result().Type.DType = dtypes.DType(99) },
			ir.RuleType, "@main: %0 = stablehlo.add: result 0 has type tensor<4xinvalid<DType(99)>>, want an element type that MLIR spells"},
		{"negative size", func(m *ir.Module, f *ir.Func, add *ir.Op) { f.AddParam("z", ir.Tensor(dtypes.Float32, -1), nil) },
			ir.RuleType, "@main: argument 2 has type tensor<-1xf32>, want sizes of 0 or more"},
		{"shape rule", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Operands[1].Type.Dims = []int{5} },
			ir.RuleType, "@main: %0 = stablehlo.add: operand 1 has type tensor<5xf32>, operand 0 has type tensor<4xf32>: want the same type"},
		{"result type of an op", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Result().Type.Dims = []int{5} },
			ir.RuleType, "@main: %0 = stablehlo.add: result 0 has type tensor<5xf32>, want tensor<4xf32>"},
		{name: "sharding", change: func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.AddMesh("mesh", dm)
			add.Result().Sharding = shardedBy(x...)
		}},
		{"sharding without a mesh", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Result().Sharding = &layout.Sharding{} },
			ir.RuleSharding, "@main: %0 = stablehlo.add: result 0: the sharding has no mesh"},
		{"sharding mesh", func(m *ir.Module, f *ir.Func, add *ir.Op) { add.Result().Sharding = shardedBy(x...) },
			ir.RuleListed, `@main: %0 = stablehlo.add: result 0: the sharding [{"x"}] is on the mesh x=2,y=2, which the module does not list: add it with AddMesh`},
		{"sharding rank", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.AddMesh("mesh", dm)
			f.Params()[0].Sharding = layout.Replicated(dm, 2)
		}, ir.RuleSharding, "@main: argument 0: sharding [{}, {}] on the mesh x=2,y=2: it is for 2 dimensions, the tensor has 1: give one dimension sharding for each"},
		{"sharding axis", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.AddMesh("mesh", dm)
			f.Results[0].Sharding = shardedBy(mesh.FullAxis("z"))
		}, ir.RuleSharding, `@main: result 0: sharding [{"z"}] on the mesh x=2,y=2: dim 0: unknown axis "z"`},
		{"sharding axis twice", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.AddMesh("mesh", dm)
			s := shardedBy(x...)
			s.Replicated = x
			add.Result().Sharding = s
		}, ir.RuleSharding, `@main: %0 = stablehlo.add: result 0: sharding [{"x"}], replicated={"x"} on the mesh x=2,y=2: replicated: axis "x" is used already by dim 0: an axis may be used once`},
		{"sharding attribute", func(m *ir.Module, f *ir.Func, add *ir.Op) {
			m.AddMesh("mesh", dm)
			insert(f, 0, ir.NewOp(ir.OpShardingConstraint, f.Params()[:1], ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: layout.Replicated(dm, 0)}}}, []ir.Type{f32x4}))
		}, ir.RuleSharding, "@main: %0 = sdy.sharding_constraint: sharding, operand 0: sharding [] on the mesh x=2,y=2: it is for 0 dimensions, the tensor has 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f, add := sample()
			tc.change(m, f, add)
			err := ir.Verify(m)
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			var violations ir.Violations
			require.True(t, errors.As(err, &violations), "%v", err)
			require.Equal(t, tc.rule, violations[0].Rule, "%v", err)
			require.Contains(t, violations[0].String(), tc.want)
			require.Contains(t, err.Error(), tc.want)
		})
	}
}

func donate(f *ir.Func, param int, a ir.Attr) {
	f.ArgAttrs[param] = ir.Attrs{{Name: "tf.aliasing_output", Value: a}}
}

func call(name string, result ir.Type, operands ...*ir.Value) *ir.Op {
	return ir.NewOp(ir.OpCall, operands, ir.Attrs{{Name: "callee", Value: ir.Symbol(name)}}, []ir.Type{result})
}

// clearBody erases all ops of f.
func clearBody(f *ir.Func) {
	for op := range f.Body.Backward() {
		op.Erase()
	}
}

// callee returns a private function of that name that returns its parameter v, of four float32.
func callee(name string) *ir.Func {
	f := ir.NewFunc(name)
	f.Private = true
	f.Return(f.AddParam("v", f32x4, nil))
	return f
}

func TestVerifyReportsAllFaults(t *testing.T) {
	m, f, _ := sample()
	for i := range 30 {
		b := new(ir.Builder).AtStart(f.Body)
		op := b.OpWithTypes(ir.OpReshape, nil, []ir.Type{ir.Tensor(dtypes.Float32, i+5)}, f.Params()[0])
		op.Loc = ir.Location{Path: fmt.Sprintf("d%d", i)}
	}
	var violations ir.Violations
	require.True(t, errors.As(ir.Verify(m), &violations))
	require.Len(t, violations, 30)
	require.Equal(t, "ir: 30 violations:\n\t@main: %0 = stablehlo.reshape at d29: operand tensor<4xf32> has 4 elements, result tensor<34xf32> has 34: want the same number (and 29 more like this)", violations.Error())
	for i := range violations {
		violations[i].Text = fmt.Sprintf("cause %c", 'A'+i)
	}
	require.Contains(t, violations.Error(), "ir: 30 violations:\n\t")
	require.Contains(t, violations.Error(), "cause T\n\tand 10 more")
}

// Violations name values as the printed module does, also where values keep the names of a marked
// module.
func TestVerifyNames(t *testing.T) {
	m, f, add := sample()
	ir.MarkOrigins(m)
	ir.NewOp(ir.OpAbs, []*ir.Value{f.Params()[0]}, nil, []ir.Type{f32x4}).InsertBefore(add)
	require.Contains(t, m.String(), "%1 = stablehlo.abs %arg0")
	require.Contains(t, m.String(), "%0 = stablehlo.add %arg0, %arg1")
	add.Result().Type = ir.Tensor(dtypes.Float32, 5)
	require.ErrorContains(t, ir.Verify(m), "@main: %0 = stablehlo.add:")
}

// A violation is reported, without a panic, in a function with several results that are nil.
func TestVerifyNilResults(t *testing.T) {
	m, f, add := sample()
	for range 2 {
		op := ir.NewOp(ir.OpAbs, []*ir.Value{f.Params()[0]}, nil, []ir.Type{f32x4})
		op.InsertBefore(add)
		op.Results[0] = nil
	}
	add.Result().Type = ir.Tensor(dtypes.Float32, 5)
	require.ErrorContains(t, ir.Verify(m), "stablehlo.abs")
}

// chain returns a module on a 2x2 mesh whose main has n ops: in turn products of matrices, sums,
// maxima and products of elements. Each op reads the result of the one before and the parameter.
// All results have the sharding of the parameter.
func chain(n int) *ir.Module {
	dm := mesh.MustParse("x=2,y=2")
	f := ir.NewFunc("main")
	s := &layout.Sharding{Mesh: dm, Dims: []layout.DimSharding{{Axes: mesh.FullAxes("x")}, {Axes: mesh.FullAxes("y")}}}
	x := f.AddParam("x", ir.Tensor(dtypes.Float32, 64, 64), s)
	b := ir.NewBuilder(f.Body)
	dot := ir.Attrs{{Name: "dot_dimension_numbers", Value: &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}}}}
	y := x
	for i := range n {
		kind, attrs := []ir.OpKind{ir.OpDotGeneral, ir.OpAdd, ir.OpMaximum, ir.OpMultiply}[i%4], ir.Attrs(nil)
		if kind == ir.OpDotGeneral {
			attrs = dot
		}
		op, err := b.Op(kind, attrs, y, x)
		if err != nil {
			panic(err)
		}
		y = op.Result()
		y.Sharding = s
	}
	f.Return(y)
	m := &ir.Module{Funcs: []*ir.Func{f}}
	m.AddMesh("mesh", dm)
	return m
}

// BenchmarkVerify verifies 10 000 ops with shardings. It should take at most 10 ms, so that the
// verifier can run after every pass; the benchmark does not check this.
func BenchmarkVerify(b *testing.B) {
	m := chain(10_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := ir.Verify(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClone(b *testing.B) {
	m := chain(10_000)
	b.ReportAllocs()
	for b.Loop() {
		m.Clone()
	}
}
