//go:build cgo

package difftest_test

// This file runs a sample of the random programs through XLA's own partitioner (compile.XLA). If
// two partitioners agree, both are right, or wrong in the same way. Programs that XLA is known to
// compute wrongly are left out.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

// xlaFaults lists the ops that the plugin's partitioner, that of OpenXLA's CPU plugin 0.0.1, aborts
// on or computes wrongly. Uneven shards are no fault: compile.XLA replicates dimensions that do not
// divide.
var xlaFaults = []struct {
	kind ir.OpKind
	why  string
	has  func(op *ir.Op) bool // nil: every op of the kind
}{
	{ir.OpSelectAndScatter, "wrong numbers where windows slide along a split dimension", nil},
	{ir.OpConvolution, "sums that are split are added twice if there are batch groups", func(op *ir.Op) bool { return op.Int("batch_group_count") > 1 }},
	{ir.OpPad, "aborts on negative and interior padding together", func(op *ir.Op) bool {
		negative := func(n int) bool { return n < 0 }
		return slices.Max(op.Ints("interior_padding")) > 0 &&
			(slices.ContainsFunc(op.Ints("edge_padding_low"), negative) || slices.ContainsFunc(op.Ints("edge_padding_high"), negative))
	}},
	{ir.OpRngBitGenerator, "does not compile to signed integers: takes them for unsigned ones", func(op *ir.Op) bool { return !op.Results[1].Type.DType.IsUnsigned() }},
}

// xlaFault returns the reason why p is not run through XLA; "" if there is none.
func xlaFault(p *randprog.Program) (why string) {
	p.Module.Main().Walk(func(op *ir.Op) {
		for _, f := range xlaFaults {
			if op.Kind == f.kind && (f.has == nil || f.has(op)) {
				why = op.FullName() + ": " + f.why
			}
		}
	})
	return why
}

// TestSampleByXLA compares programs that XLA has partitioned with the same programs on one device.
// More than half of the seeds must have a program that XLA is not known to compute wrongly.
// TestSampleOnXLA does so for our own partitioner.
func TestSampleByXLA(t *testing.T) {
	h := open(t, "pjrt")
	h.partitioner = compile.XLA
	n := longtest.Pick[uint64](10, 30)
	done := 0
	for seed := range n {
		p := randprog.New(seed, randprog.Options{AnyOrder: true})
		if why := xlaFault(p); why != "" {
			t.Logf("seed %d is left out: %s", seed, why)
			continue
		}
		require.NoError(t, h.check(p), "seed %d\n%s", seed, p.Module)
		done++
	}
	t.Logf("%d of %d programs", done, n)
	require.Greater(t, done, int(n)/2)
}

func TestXLAFaultsNameOps(t *testing.T) {
	for _, f := range xlaFaults {
		require.Contains(t, randprog.Kinds(), f.kind)
		require.NotEmpty(t, f.why)
	}
}
