package interp

// This file holds the table of kernels: what computes each kind of op.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// call is one execution of an op.
type call struct {
	op   *ir.Op
	in   []*Tensor
	out  []*Tensor
	step *Step
	f    *Frame
}

// kernel computes an op. It sets c.out, by c.new or c.set.
type kernel func(c *call) error

// row says how an op is computed.
type row struct {
	run kernel
	// wide: the kernel computes; elements of small types are widened before
	// and narrowed after. Other kernels move elements as they are.
	wide bool
}

// new makes result i: zeros of the type that arithmetic uses, which is
// narrowed afterwards where the result is of a smaller one.
func (c *call) new(i int) *Tensor {
	t := c.op.Results[i].Type
	return c.set(i, New(t.WithDType(wideType(t.DType))))
}

// raw makes result i with the element type it has.
func (c *call) raw(i int) *Tensor { return c.set(i, New(c.op.Results[i].Type)) }

// set makes t result i.
func (c *call) set(i int, t *Tensor) *Tensor {
	c.out[i] = t
	return t
}

func (c *call) unsupported(d dtypes.DType) error {
	return fmt.Errorf("the Go engine cannot compute it on elements of %s: convert to a type that it can, such as f32 or i32", ir.DTypeText(d))
}

// run is the Step.Run of the ops in the table.
func (k row) runStep(f *Frame, s *Step) error {
	c := &call{op: s.Op, in: f.pick(s.In), out: make([]*Tensor, len(s.Out)), step: s, f: f}
	if k.wide {
		for i, t := range c.in {
			c.in[i] = widened(t)
		}
	}
	if err := k.run(c); err != nil {
		return err
	}
	if k.wide {
		for i, t := range c.out {
			c.out[i] = narrowed(t, s.Op.Results[i].Type.DType)
		}
	}
	f.put(s.Out, c.out)
	return nil
}

// stepKernel is how a Step holds a row.
type stepKernel struct {
	run func(f *Frame, s *Step) error
}

// kernelOf returns the kernel of op, or says why there is none.
func kernelOf(op *ir.Op) (stepKernel, error) {
	if r, ok := rows[op.Kind]; ok {
		return stepKernel{r.runStep}, nil
	}
	switch op.Kind {
	case ir.OpCustomCall:
		if k := customKernel(op); k.run != nil {
			return stepKernel{k.runStep}, nil
		}
		return stepKernel{}, fmt.Errorf("the Go engine does not have the target %q: run the program on the PJRT engine, or compute the value by ordinary ops", op.Attrs.Get("call_target_name"))
	case ir.OpUnregistered:
		return stepKernel{}, errors.New("the op is not known: the Go engine runs StableHLO")
	}
	return stepKernel{}, errors.New("BUG: the Go engine has no kernel for it")
}

// handOn lists the targets of custom calls that say something of layouts or
// memories only.
var handOn = map[string]bool{
	"annotate_device_placement": true, "LayoutConstraint": true, "MoveToDevice": true, "MoveToHost": true, "Sharding": true,
}

// customKernel returns the row of a custom call, if there is one: of mhlo.erf
// and the like it is that of the chlo op of that name.
func customKernel(op *ir.Op) row {
	target := string(op.Attrs.Get("call_target_name").(ir.String))
	if handOn[target] {
		return row{run: runIdentity}
	}
	name, ok := strings.CutPrefix(target, "mhlo.")
	if !ok || len(op.Operands) == 0 || len(op.Results) != 1 {
		return row{}
	}
	kind := ir.KindByName("chlo." + name)
	if elementwise[wideType(op.Operands[0].Type.DType)][kind] == nil {
		return row{}
	}
	return row{wide: true, run: func(c *call) error {
		elementwise[c.in[0].Type.DType][kind](c.in, c.new(0))
		return nil
	}}
}

// rows is filled by init: kernels run regions, which look up kernels.
var rows map[ir.OpKind]row

func init() {
	rows = map[ir.OpKind]row{
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

		// Layouts say nothing to one device.
		ir.OpShardingConstraint: {run: runIdentity},
		ir.OpReshard:            {run: runIdentity},
		ir.OpPropagationBarrier: {run: runIdentity},
		ir.OpDataFlowEdge:       {run: runIdentity},
		ir.OpFuncDataFlowEdge:   {run: runIdentity},
		ir.OpShardingGroup:      {run: runNothing},
	}
	for _, byType := range elementwise {
		for kind := range byType {
			rows[kind] = row{run: runElementwise, wide: true}
		}
	}
	rows[ir.OpNextAfter] = row{run: runNextAfter}
}
