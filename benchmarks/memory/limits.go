package main

// This file makes programs fit limits of memory. The programs that fit compute values again or cut
// the batch: they have other lifetimes than the programs of users, so XLA's figures check the
// prediction for them too.

import (
	"context"
	"errors"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/runtime"
)

// limitParts are the limits, as parts of XLA's peak without a limit.
var limitParts = []float64{0.9, 0.8, 0.7, 0.6, 0.5, 0.4}

// fitted returns a function for compare. It makes the program of s fit each of parts of XLA's peak,
// as long as it can, and returns our prediction of the memory of each and what XLA reports.
func fitted(parts ...float64) measureFunc {
	return func(ctx context.Context, client *runtime.Client, s source) ([]result, error) {
		free, err := measure(ctx, client, s, 0)
		if err != nil {
			return nil, err
		}
		var out []result
		for _, part := range parts {
			r, err := measure(ctx, client, s, int(part*float64(free.XLAPeak)))
			var none *report.OverBudgetError
			if errors.As(err, &none) {
				break
			}
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return out, nil
	}
}
