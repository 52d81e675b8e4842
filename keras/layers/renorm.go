package layers

// This file implements batch renormalization, an option of BatchNormalization.

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// Renorm makes BatchNormalization correct the numbers of a batch towards moving averages
// while training too (Ioffe, 2017), so that small batches normalize as in inference.
func Renorm() Option { return set("Renorm", true) }

// RenormMomentum sets the weight of the old value when the averages of Renorm are updated:
// 0.99 by default.
func RenormMomentum(m float64) Option { return set("RenormMomentum", m) }

// RenormClipping limits the corrections of Renorm: "rmax" and "rmin" the factor, "dmax" the
// offset. By default nothing does.
func RenormClipping(limits map[string]float64) Option { return set("RenormClipping", limits) }

// clipping are limits by name, nil for none.
type clipping map[string]float64

// Assign takes a map of Go or of JSON.
func (c *clipping) Assign(v any) error {
	*c = make(clipping)
	switch v := v.(type) {
	case nil:
		*c = nil
	case map[string]float64:
		maps.Copy(*c, v)
	case map[string]any:
		for key, x := range v {
			n, ok := x.(float64)
			if !ok && x != nil {
				return fmt.Errorf("got %v for %q, want a number", x, key)
			}
			if ok {
				(*c)[key] = n
			}
		}
	default:
		return fmt.Errorf("got %v, want numbers for rmax, rmin and dmax", v)
	}
	for _, key := range slices.Sorted(maps.Keys(*c)) {
		if !slices.Contains([]string{"rmax", "rmin", "dmax"}, key) || math.IsNaN((*c)[key]) {
			return fmt.Errorf("got %g for %q, want numbers for rmax, rmin and dmax", (*c)[key], key)
		}
	}
	if low, ok := (*c)["rmin"]; ok {
		if high, ok := (*c)["rmax"]; ok && high < low {
			return fmt.Errorf("got rmax %g below rmin %g", high, low)
		}
	}
	if d := (*c)["dmax"]; d < 0 {
		return fmt.Errorf("got dmax %g, want a number not below 0", d)
	}
	return nil
}

// Read returns the limits.
func (c *clipping) Read() any {
	if *c == nil {
		return nil
	}
	return map[string]float64(*c)
}

// renorm holds the averages that the corrections need: those that correct while training, and the
// average of the standard deviation, which determines moving_variance.
type renorm struct {
	movingStddev, mean, stddev *variable.Variable
}

func (r *renorm) weights(o *options) []weight {
	fixed := []variable.Option{variable.NonTrainable()}
	root := rootOf{initializers.Clone(o.varianceInitializer)}
	return []weight{
		{&r.movingStddev, o.renorm, "moving_stddev", root, fixed},
		{&r.mean, o.renorm, "renorm_mean", initializers.Clone(o.meanInitializer), fixed},
		{&r.stddev, o.renorm, "renorm_stddev", root, fixed},
	}
}

// compose returns gamma and beta with the corrections of a batch: (x·r + d)·gamma + beta.
func (r *renorm) compose(l *BatchNormalizationLayer, param func(*variable.Variable) *graph.Node, mean, variance, gamma, beta *graph.Node) (*graph.Node, *graph.Node) {
	old := param(r.stddev)
	least := like(old, math.Sqrt(l.opts.epsilon))
	old = graph.Where(graph.GreaterThan(old, least), old, least)
	factor := graph.Div(l.stddevOf(variance), old)
	offset := graph.Div(graph.Sub(mean, param(r.mean)), old)
	limits := l.opts.renormClipping
	if x, ok := limits["rmin"]; ok {
		factor = graph.MaxScalar(factor, x)
	}
	if x, ok := limits["rmax"]; ok {
		factor = graph.MinScalar(factor, x)
	}
	if x, ok := limits["dmax"]; ok {
		offset = graph.MinScalar(graph.MaxScalar(offset, -x), x)
	}
	factor, offset = graph.StopGradient(factor), graph.StopGradient(offset)
	if gamma != nil {
		factor, offset = graph.Mul(factor, gamma), graph.Mul(offset, gamma)
	}
	if beta != nil {
		offset = graph.Add(offset, beta)
	}
	return factor, offset
}

// update updates all averages.
func (r *renorm) update(l *BatchNormalizationLayer, c *Context, mean, variance *graph.Node) {
	stddev := l.stddevOf(variance)
	l.average(c, r.mean, mean, l.opts.renormMomentum)
	l.average(c, r.stddev, stddev, l.opts.renormMomentum)
	l.average(c, l.MovingMean, mean, l.opts.momentum)
	moving := l.average(c, r.movingStddev, stddev, l.opts.momentum)
	c.Assign(l.MovingVariance, graph.MaxScalar(graph.AddScalar(graph.Mul(moving, moving), -l.opts.epsilon), 0.0))
}

func (l *BatchNormalizationLayer) stddevOf(variance *graph.Node) *graph.Node {
	return graph.Sqrt(graph.AddScalar(variance, l.opts.epsilon))
}

// rootOf fills with the square roots of another initializer's values.
type rootOf struct{ of initializers.Initializer }

// Fill fills a shard.
func (r rootOf) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := r.of.Fill(dst, dtype, global, ranges); err != nil {
		return err
	}
	out := reflect.ValueOf(dst)
	for i := range out.Len() {
		x := out.Index(i)
		if !x.CanFloat() {
			return fmt.Errorf("got dtype %s for the standard deviations of Renorm, want float32 or float64", dtype)
		}
		x.SetFloat(math.Sqrt(x.Float()))
	}
	return nil
}
