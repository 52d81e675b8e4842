package fit_test

// This file tests programs that fit a limit by the compiler's figures, with a compiler that needs
// more than was predicted.

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
)

func TestWithin(t *testing.T) {
	refused, broken := fmt.Errorf("compile: %w", new(report.OverBudgetError)), errors.New("the compiler fails")
	fifth := func(n int) int { return n * 6 / 5 }
	always := func(int) int { return 1500 }
	for _, tc := range []struct {
		name    string
		limit   int
		known   fit.Answer
		least   int                     // under which no program is found
		peak    func(predicted int) int // the compiler's; -1: it fails
		asked   []int
		want    fit.Answer // zero: an error without a program
		wantErr error
	}{
		{"as predicted", 1000, fit.Answer{}, 0, func(n int) int { return n }, []int{1000}, fit.Answer{1000, 970}, nil},
		{"a fifth more", 1000, fit.Answer{}, 0, fifth, []int{1000, 833}, fit.Answer{833, 969}, nil},
		{"a fifth more, known", 1000, fit.Answer{833, 969}, 0, fifth, []int{833}, fit.Answer{833, 969}, nil},
		{"another compiler", 1000, fit.Answer{833, 980}, 0, fifth, []int{833, 1000, 833}, fit.Answer{833, 969}, nil},
		{"from a higher limit", 1000, fit.Answer{Ask: 1100}, 0, func(n int) int { return n }, []int{1100, 1000}, fit.Answer{1000, 970}, nil},
		{"it cannot be lower", 1000, fit.Answer{}, 900, fifth, []int{1000, 833, 916, 874, 895}, fit.Answer{916, 1065}, &fit.OverLimitError{1000, 1065, refused}},
		{"not as low", 1000, fit.Answer{}, 880, func(n int) int {
			if n < 920 {
				return 990
			}
			return 1300
		}, []int{1000, 746, 873, 936}, fit.Answer{936, 990}, nil},
		{"the compiler keeps all", 1000, fit.Answer{}, 0, always, []int{1000, 646, 417, 269, 173}, fit.Answer{1000, 1500}, &fit.OverLimitError{1000, 1500, nil}},
		{"it keeps all, known", 1000, fit.Answer{1000, 1500}, 0, always, []int{1000}, fit.Answer{1000, 1500}, &fit.OverLimitError{1000, 1500, nil}},
		{"our prediction refuses", 1000, fit.Answer{}, 1100, fifth, []int{1000, 1030}, fit.Answer{}, refused},
		{"without the margin", 1000, fit.Answer{}, 1001, func(n int) int { return n }, []int{1000, 1030}, fit.Answer{1030, 999}, nil},
		{"nor without the margin", 1000, fit.Answer{}, 1001, fifth, []int{1000, 1030}, fit.Answer{}, refused},
		{"it fails without the margin", 1000, fit.Answer{}, 1001, func(int) int { return -1 }, []int{1000, 1030}, fit.Answer{}, broken},
		{"no figures without the margin", 1000, fit.Answer{}, 1001, func(int) int { return 0 }, []int{1000, 1030}, fit.Answer{}, refused},
		{"the compiler fails", 1000, fit.Answer{}, 0, func(int) int { return -1 }, []int{1000}, fit.Answer{}, broken},
		{"it fails later", 1000, fit.Answer{}, 0, func(n int) int {
			if n < 900 {
				return -1
			}
			return 1500
		}, []int{1000, 646}, fit.Answer{}, broken},
		{"no figures", 1000, fit.Answer{}, 0, func(int) int { return 0 }, []int{1000}, fit.Answer{1000, 0}, nil},
		{"a limit whose square is no int", 1 << 40, fit.Answer{}, 1<<40 + 1, func(n int) int { return n }, []int{1 << 40, 1133517142036}, fit.Answer{1133517142036, 1099511627774}, nil},
		{"over another budget", 0, fit.Answer{}, 1, nil, []int{0}, fit.Answer{}, refused},
		{"no limit", 0, fit.Answer{}, 0, func(int) int { return 1 << 40 }, []int{0}, fit.Answer{0, 1 << 40}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var asked []int
			open := map[int]bool{} // what was made and not dropped, by its number
			tried, err := fit.Within(tc.limit, tc.known, func(ask int) (int, int, int, error) {
				asked = append(asked, ask)
				if ask < tc.least {
					return 0, 0, 0, refused
				}
				predicted := ask * 97 / 100
				peak := tc.peak(predicted)
				if peak < 0 {
					return 0, 0, 0, broken
				}
				open[len(asked)] = true
				return len(asked), predicted, peak, nil
			}, func(made int) {
				require.True(t, open[made])
				delete(open, made)
			})
			require.Equal(t, tc.wantErr, err)
			require.Equal(t, tc.asked, asked)
			require.Equal(t, tc.want, tried.Answer)
			want := map[int]bool{}
			if tc.want != (fit.Answer{}) {
				want[tried.Made] = true
				require.Equal(t, tried.Ask*97/100, tried.Predicted)
			}
			require.Equal(t, want, open)
		})
	}
	err := &fit.OverLimitError{Limit: 1000, Least: 1164, Refused: refused}
	require.ErrorIs(t, err, refused)
	require.ErrorContains(t, err, "needs 1,164 bytes on a device, and the limit is 1,000 bytes")
}
