package fit_test

// This file tests programs that fit a limit by the compiler's figures, with a compiler that needs
// more than was predicted.

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

func TestWithin(t *testing.T) {
	refused, broken := errors.New("it does not fit"), errors.New("the compiler fails")
	for _, tc := range []struct {
		name  string
		limit int
		least int                     // under which partition refuses
		peak  func(predicted int) int // the compiler's; 0: it fails
		tries int
		check func(t *testing.T, peak int, err error)
	}{
		{"as predicted", 1000, 0, func(n int) int { return n }, 1, func(t *testing.T, peak int, err error) {
			require.NoError(t, err)
			require.Equal(t, 970, peak)
		}},
		{"a fifth more", 1000, 0, func(n int) int { return n * 6 / 5 }, 2, func(t *testing.T, peak int, err error) {
			require.NoError(t, err)
			require.LessOrEqual(t, peak, 1000)
		}},
		{"it cannot be lower", 1000, 900, func(n int) int { return n * 6 / 5 }, 1, func(t *testing.T, _ int, err error) {
			var over *fit.OverLimitError
			require.ErrorAs(t, err, &over)
			require.Equal(t, &fit.OverLimitError{Limit: 1000, Least: 1164, Refused: refused}, over)
			require.ErrorIs(t, err, refused)
			require.ErrorContains(t, err, "needs 1,164 bytes on a device, and the limit is 1,000 bytes")
		}},
		{"the compiler keeps all", 1000, 0, func(int) int { return 1500 }, 4, func(t *testing.T, _ int, err error) {
			var over *fit.OverLimitError
			require.ErrorAs(t, err, &over)
			require.Equal(t, 1500, over.Least)
		}},
		{"our prediction refuses", 1000, 1001, nil, 0, func(t *testing.T, _ int, err error) { require.Equal(t, refused, err) }},
		{"the compiler fails", 1000, 0, func(int) int { return 0 }, 1, func(t *testing.T, _ int, err error) { require.Equal(t, broken, err) }},
		{"no limit", 0, 0, func(int) int { return 1 << 40 }, 1, func(t *testing.T, _ int, err error) { require.NoError(t, err) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tries := 0
			partition := func(limit int) (*program.Program, error) {
				if limit < tc.least {
					return nil, refused
				}
				return &program.Program{Fitting: &program.Fitting{Limit: limit, After: limit * 97 / 100}}, nil
			}
			compile := func(p *program.Program) (*aot.Executable, error) {
				tries++
				peak := tc.peak(p.Fitting.After)
				if peak == 0 && tc.limit > 0 {
					return nil, broken
				}
				return &aot.Executable{Memory: aot.Memory{Peak: peak}}, nil
			}
			p, e, err := fit.Within(tc.limit, partition, compile)
			peak := 0
			if err == nil {
				require.NotNil(t, p)
				peak = e.Memory.Peak
			}
			tc.check(t, peak, err)
			require.Equal(t, tc.tries, tries)
		})
	}
}
