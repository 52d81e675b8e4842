package keras

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
)

// A step for which the engine needs more memory than its limit is a warning with both numbers; a
// step that keeps its limit, and one without a limit, are none. The Go engine does not say what it
// needs.
func TestCheckMemory(t *testing.T) {
	var log bytes.Buffer
	x := Input([]int{8})
	m, err := NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(layers.Dense(8))})
	require.NoError(t, err)
	require.NoError(t, m.Compile(Loss("mse"), Client(runtimetest.Open(t, 1)), Logger(slog.New(slog.NewTextHandler(&log, nil)))))
	_, err = m.Predict(t.Context(), [][]float32{make([]float32, 8)}, Verbose(0))
	require.NoError(t, err)
	var p *stepProgram
	for _, p = range m.compiled.programs {
	}
	_, unknown := p.exe.Memory()

	for _, limit := range []int{0, 1 << 20} {
		p.compiled.Fitting = &program.Fitting{Limit: limit, After: 90}
		m.checkMemory(p)
		require.Empty(t, log.String())
	}
	p.compiled.Fitting = &program.Fitting{Limit: 100, After: 90}
	m.checkMemory(p)
	if unknown != nil {
		require.Empty(t, log.String())
		return
	}
	require.Regexp(t, `a device needs \d+ bytes of memory, and the limit is 100: 90 were predicted; Memory\("\d+B"\) asks for a smaller program`, strings.ReplaceAll(log.String(), `\`, ""))
}
