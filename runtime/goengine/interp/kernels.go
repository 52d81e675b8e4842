package interp

// This file holds the table of kernels, which has the function that computes each kind of op. It
// also holds the kernels of control flow and of calls.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/customcall"
	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/ir"
)

// call is one execution of an op, with its operands and results. step is the compiled op, with the
// code of its regions, and f the frame that it runs in.
type call struct {
	op   *ir.Op
	in   []*Tensor
	out  []*Tensor
	step *Step
	f    *Frame
}

// kernel is the implementation of an op.
type kernel struct {
	// run sets c.out, by c.newResult, c.newRaw or c.set.
	run func(c *call) error
	// wide says that elements of small types are widened before run and narrowed after it. It is
	// for run functions that do arithmetic. Others only move elements.
	wide bool
}

// newResult makes result i, with all elements zero. Its elements have the type that arithmetic
// uses, which may be larger than the type of the op's result. They are narrowed afterwards.
func (c *call) newResult(i int) *Tensor {
	t := c.op.Results[i].Type
	return c.set(i, New(t.WithDType(wideType(t.DType))))
}

// newRaw makes result i of the op, with all elements zero, in the type of the op's result and not
// in the wider type of arithmetic.
func (c *call) newRaw(i int) *Tensor { return c.set(i, New(c.op.Results[i].Type)) }

// set sets result i to t.
func (c *call) set(i int, t *Tensor) *Tensor {
	c.out[i] = t
	return t
}

func (c *call) unsupportedError(d dtypes.DType) error {
	return fmt.Errorf("the Go engine cannot compute it on elements of %s: convert to a type that it can, such as f32 or i32", ir.DTypeText(d))
}

// step computes op s.Op by kernel k: it is the Step.Run of such steps. It takes operands from the
// frame f and puts the results there. A wide kernel gets and returns wider elements, converted by
// step.
func (k kernel) step(f *Frame, s *Step) error {
	c := &call{op: s.Op, in: f.pick(s.In), out: make([]*Tensor, len(s.Out)), step: s, f: f}
	if k.wide {
		for i, t := range c.in {
			c.in[i] = widen(t)
		}
	}
	if err := k.run(c); err != nil {
		return err
	}
	if k.wide {
		for i, t := range c.out {
			c.out[i] = narrow(t, s.Op.Results[i].Type.DType)
		}
	}
	f.put(s.Out, c.out)
	return nil
}

// kernelOf returns the kernel of op, or an error that says why there is none.
func kernelOf(op *ir.Op) (kernel, error) {
	if k, ok := kernels[op.Kind]; ok {
		return k, nil
	}
	switch op.Kind {
	case ir.OpCustomCall:
		if lapack.Is(op.CustomCall().CallTargetName()) {
			return kernel{run: runLapack}, lapack.Check(op)
		}
		if k := customKernel(op); k.run != nil {
			return k, nil
		}
		return kernel{}, customcall.Refuse(op, "the Go engine")
	case ir.OpUnregistered:
		return kernel{}, errors.New("the op is not known: the Go engine runs StableHLO")
	}
	return kernel{}, errors.New("BUG: the Go engine has no kernel for it")
}

// identities are targets of custom calls that return their operand: they only concern layouts or
// memory spaces.
var identities = map[string]bool{
	"annotate_device_placement": true, "LayoutConstraint": true, "MoveToDevice": true, "MoveToHost": true, "Sharding": true,
}

// customKernel returns the kernel of a custom call; one without a run function if there is none.
// mhlo.erf and similar calls have the kernel of the chlo op of the same name.
func customKernel(op *ir.Op) kernel {
	target := op.CustomCall().CallTargetName()
	if identities[target] {
		return kernel{run: runIdentity}
	}
	name, ok := strings.CutPrefix(target, "mhlo.")
	if !ok || len(op.Operands) == 0 || len(op.Results) != 1 {
		return kernel{}
	}
	kind := ir.KindByName("chlo." + name)
	if elementwise[wideType(op.Operands[0].Type.DType)][kind] == nil {
		return kernel{}
	}
	return kernel{wide: true, run: func(c *call) error {
		elementwise[c.in[0].Type.DType][kind](c.in, c.newResult(0))
		return nil
	}}
}

// kernels is the table of kernels. init fills it, because kernels that run regions refer to the
// table.
var kernels map[ir.OpKind]kernel

func init() {
	kernels = map[ir.OpKind]kernel{
		ir.OpConvert:         {run: runConvert},
		ir.OpReducePrecision: {run: runReducePrecision},
		ir.OpBitcastConvert:  {run: runBitcast},
		ir.OpCompare:         {run: runCompare, wide: true},
		ir.OpClamp:           {run: runClamp, wide: true},
		ir.OpSelect:          {run: runSelect},
		ir.OpMap:             {run: runMap},

		ir.OpIota:               {run: runIota, wide: true},
		ir.OpBroadcastInDim:     {run: runBroadcast},
		ir.OpReshape:            {run: runReshape},
		ir.OpTranspose:          {run: runTranspose},
		ir.OpSlice:              {run: runSlice},
		ir.OpPad:                {run: runPad},
		ir.OpConcatenate:        {run: runConcatenate},
		ir.OpReverse:            {run: runReverse},
		ir.OpDynamicSlice:       {run: runDynamicSlice},
		ir.OpDynamicUpdateSlice: {run: runDynamicUpdateSlice},
		ir.OpGather:             {run: runGather},
		ir.OpScatter:            {run: runScatter},

		ir.OpDotGeneral:       {run: runDotGeneral, wide: true},
		ir.OpDot:              {run: runDot, wide: true},
		ir.OpConvolution:      {run: runConvolution, wide: true},
		ir.OpReduce:           {run: runReduce},
		ir.OpReduceWindow:     {run: runReduceWindow},
		ir.OpSelectAndScatter: {run: runSelectAndScatter},
		ir.OpSort:             {run: runSort},
		ir.OpTopK:             {run: runTopK},

		ir.OpRngBitGenerator:    {run: runRngBitGenerator},
		ir.OpRng:                {run: runRng},
		ir.OpCholesky:           {run: runCholesky, wide: true},
		ir.OpTriangularSolve:    {run: runTriangularSolve, wide: true},
		ir.OpFFT:                {run: runFFT},
		ir.OpBatchNormInference: {run: runBatchNormInference, wide: true},
		ir.OpBatchNormTraining:  {run: runBatchNormTraining, wide: true},
		ir.OpBatchNormGrad:      {run: runBatchNormGrad, wide: true},

		ir.OpWhile:               {run: runWhile},
		ir.OpIf:                  {run: runIf},
		ir.OpCase:                {run: runCase},
		ir.OpCall:                {run: runCall},
		ir.OpComposite:           {run: runCall},
		ir.OpNamedComputation:    {run: runInline},
		ir.OpOptimizationBarrier: {run: runIdentity},
		ir.OpAfterAll:            {run: runToken},
		ir.OpCreateToken:         {run: runToken},

		// Shardings mean nothing to one device.
		ir.OpShardingConstraint: {run: runIdentity},
		ir.OpReshard:            {run: runIdentity},
		ir.OpPropagationBarrier: {run: runIdentity},
		ir.OpDataFlowEdge:       {run: runIdentity},
		ir.OpFuncDataFlowEdge:   {run: runIdentity},
		ir.OpShardingGroup:      {run: runNothing},
	}
	for _, byType := range elementwise {
		for kind := range byType {
			kernels[kind] = kernel{run: runElementwise, wide: true}
		}
	}
	kernels[ir.OpNextAfter] = kernel{run: runNextAfter}
}

// Truth returns the value of a boolean scalar.
func Truth(t *Tensor) bool { return t.Data[0] != 0 }

// Branch returns the number of the branch that a case with index t takes. There are n branches; if
// t is out of range it is the last one.
func Branch(t *Tensor, n int) int {
	i := int(int32(binary.NativeEndian.Uint32(t.Data)))
	if i < 0 || i >= n {
		return n - 1
	}
	return i
}

func runWhile(c *call) error {
	cond, body := c.step.Regions[0], c.step.Regions[1]
	values := c.in
	for {
		c.f.put(cond.Args, values)
		if err := cond.Exec(c.f); err != nil {
			return err
		}
		if !Truth(c.f.Values[cond.Returns[0]]) {
			break
		}
		c.f.put(body.Args, values)
		if err := body.Exec(c.f); err != nil {
			return err
		}
		values = c.f.pick(body.Returns)
	}
	copy(c.out, values)
	return nil
}

func runIf(c *call) error {
	branch := 0
	if !Truth(c.in[0]) {
		branch = 1
	}
	return c.region(branch)
}

func runCase(c *call) error { return c.region(Branch(c.in[0], len(c.step.Regions))) }

// region runs a region that has no arguments, and makes its results those of the op.
func (c *call) region(i int) error {
	code := c.step.Regions[i]
	if err := code.Exec(c.f); err != nil {
		return err
	}
	copy(c.out, c.f.pick(code.Returns))
	return nil
}

func runCall(c *call) error { return c.runIsolated(c.step.Callee) }

func runInline(c *call) error { return c.runIsolated(c.step.Regions[0]) }

// runIsolated runs code, which sees no values of c's frame, on the operands of c, and sets c's
// results.
func (c *call) runIsolated(code *Code) error {
	out, err := code.call(c.f.state, c.in)
	copy(c.out, out)
	return err
}

// call runs code on args in a new frame, and returns the results.
func (c *Code) call(state *State, args []*Tensor) ([]*Tensor, error) {
	f := c.NewFrame(state, args)
	if err := c.Exec(f); err != nil {
		return nil, err
	}
	return c.Results(f), nil
}

func runIdentity(c *call) error {
	copy(c.out, c.in)
	return nil
}

func runToken(c *call) error {
	c.set(0, &Tensor{Type: ir.Token})
	return nil
}

func runNothing(*call) error { return nil }

// body returns a function that runs region i, whose arguments and results are scalars. All calls
// share one frame.
func (c *call) body(i int) func(args ...*Tensor) ([]*Tensor, error) {
	code := c.step.Regions[i]
	f := code.NewFrame(c.f.state, make([]*Tensor, len(code.Args)))
	return func(args ...*Tensor) ([]*Tensor, error) {
		f.put(code.Args, args)
		if err := code.Exec(f); err != nil {
			return nil, err
		}
		return f.pick(code.Returns), nil
	}
}
