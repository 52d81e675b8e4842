package page_test

// This file tests the data of pages, without a browser: their size, and the order of the ops.

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// limit is the largest size of a page for 32 layers.
const limit = 3_000_000

// writePage returns the page of the training step of a transformer with that number of blocks, on a
// mesh of 2 x 4 devices.
func writePage(t *testing.T, blocks int) []byte {
	t.Helper()
	return pageOf(t, transformer(t, mesh.MustParse("data=2,model=4"), blocks))
}

// pageOf returns the HTML of the page of a module, for the default machine.
func pageOf(t *testing.T, m *ir.Module) []byte {
	t.Helper()
	return pageOn(t, m, nil)
}

// pageOn returns the HTML of the page of a module, compiled for a machine; nil is the default one.
func pageOn(t *testing.T, m *ir.Module, machine *cost.Machine) []byte {
	t.Helper()
	e, err := compile.Explain(t.Context(), m, compile.Options{Machine: machine})
	require.NoError(t, err)
	p, err := page.New(e, machine)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

func TestSize(t *testing.T) {
	html := writePage(t, 32)
	require.Less(t, len(html), limit)
	for _, outside := range []string{"http://", "https://", "src=", "@import", "url("} {
		require.NotContains(t, string(bytes.ReplaceAll(html, []byte("http://www.w3.org/2000/svg"), nil)), outside, "the page needs no other file")
	}
	t.Logf("%d bytes", len(html))
}

// On a page, each op comes behind the ops whose results it reads, and every op of the program is
// there once.
func TestOrder(t *testing.T) {
	for _, blocks := range []int{1, 4, 12} {
		e, err := compile.Explain(t.Context(), transformer(t, mesh.MustParse("data=2,model=4"), blocks), compile.Options{})
		require.NoError(t, err)
		p, err := page.New(e, nil)
		require.NoError(t, err)
		operand := 0
		for op := range p.Ops.Kind {
			for ; operand < p.Ops.Operands.Ends[op]; operand++ {
				require.Less(t, p.Values.Def[p.Ops.Operands.Items[operand]], op)
			}
		}
		ops := 0
		e.Program().Module.Main().Walk(func(op *ir.Op) {
			if parent := op.Block().Parent(); parent == nil || !parent.Info().Is(ir.ScalarBody) {
				ops++
			}
		})
		require.Len(t, p.Ops.Kind, ops)
	}
}
