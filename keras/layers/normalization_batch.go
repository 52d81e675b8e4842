package layers

// This file defines BatchNormalization, and batch renormalization, which is an option of it.

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// batchNormOptions holds the options of BatchNormalization: those of LayerNormalization, Momentum,
// the initializers of the moving averages, Renorm with its momentum and limits, and Synchronized.
// The last only stands in configs: the mean is always that of the global batch.
type batchNormOptions struct {
	layerNormOptions
	Momentum                  float64     `option:"momentum" default:"0.99" want:"fraction"`
	MovingMeanInitializer     initializer `option:"moving_mean_initializer" default:"zeros"`
	MovingVarianceInitializer initializer `option:"moving_variance_initializer" default:"ones"`
	Renorm                    bool        `option:"renorm"`
	RenormMomentum            float64     `option:"renorm_momentum" default:"0.99" want:"fraction"`
	RenormClipping            clipping    `option:"renorm_clipping"`
	Synchronized              bool        `option:"synchronized"`
}

// Momentum sets the weight of the old value when BatchNormalization updates a moving average: 0.99
// by default. A number outside [0, 1] is an error.
func Momentum(m float64) Option { return set("Momentum", m) }

// MovingMeanInitializer sets the initializer of BatchNormalization's moving_mean, a name or an
// initializer: "zeros" by default.
func MovingMeanInitializer(init any) Option { return set("MovingMeanInitializer", init) }

// MovingVarianceInitializer sets the initializer of BatchNormalization's moving_variance, a name or
// an initializer: "ones" by default.
func MovingVarianceInitializer(init any) Option { return set("MovingVarianceInitializer", init) }

// BatchNormalizationLayer normalizes each channel to mean 0 and variance 1:
// keras.layers.BatchNormalization (Ioffe and Szegedy, 2015). While training,
// mean and variance are those of the global batch, whatever the mesh, and update
// the moving averages. Otherwise, and if the layer is frozen, mean and variance
// are the moving averages.
type BatchNormalizationLayer struct {
	declared
	keepsMask
	opts                       *batchNormOptions
	Gamma, Beta                *variable.Variable // nil without Scale, Center
	MovingMean, MovingVariance *variable.Variable
	renorm                     renorm // with Renorm
	axis                       int
}

// BatchNormalization returns a layer that normalizes each channel over all other dimensions; Axis
// is the axis of the channels, the last by default. Options: Name, Axis (one), Momentum, Epsilon,
// Center, Scale, BetaInitializer, GammaInitializer, MovingMeanInitializer,
// MovingVarianceInitializer, BetaRegularizer, GammaRegularizer, BetaConstraint, GammaConstraint,
// Renorm, RenormMomentum, RenormClipping, DType.
func BatchNormalization(opts ...Option) *BatchNormalizationLayer {
	return declare[*BatchNormalizationLayer]("BatchNormalization", opts)
}

func newBatchNormalization(d declared, o *batchNormOptions) Layer {
	if len(o.Axis) != 1 {
		d.fail("BatchNormalization: got axes %v, want one", []int(o.Axis))
	}
	return &BatchNormalizationLayer{declared: d, opts: o}
}

// Build makes gamma and beta, the moving mean and variance, and with Renorm the averages of the
// correction, all of the size of the input's axis. An axis that is the batch or does not exist is
// an error.
func (l *BatchNormalizationLayer) Build(b *Builder, inputs []Spec) error {
	axes, shape, err := l.opts.resolve(inputs)
	if err != nil {
		return err
	}
	l.axis = axes[0]
	o := l.opts
	fixed := []variable.Option{variable.NonTrainable()}
	weights := append(o.weights(&l.Gamma, &l.Beta),
		weight{&l.MovingMean, true, "moving_mean", o.MovingMeanInitializer.Initializer, fixed},
		weight{&l.MovingVariance, true, "moving_variance", o.MovingVarianceInitializer.Initializer, fixed})
	return b.addAll(append(weights, l.renorm.weights(o)...), shape, l.DType())
}

// Call returns the input normalized, times gamma and plus beta where the layer has them. While
// training, unless the layer is frozen, it takes the statistics of the batch, of the elements that
// the mask keeps, corrected with Renorm, and updates the moving averages by them. Otherwise it
// takes the moving averages.
func (l *BatchNormalizationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := nodes.Precise(graph.ConvertDType(inputs[0], l.ComputeDType()))
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[l.axis] = x.Shape().Dimensions[l.axis]
	param := func(v *variable.Variable) *graph.Node {
		return graph.Reshape(graph.ConvertDType(c.StatelessScope.Value(v), x.DType()), dims...)
	}
	var gamma, beta *graph.Node
	if l.Gamma != nil {
		gamma = param(l.Gamma)
	}
	if l.Beta != nil {
		beta = param(l.Beta)
	}
	mean, variance := param(l.MovingMean), param(l.MovingVariance)
	if c.Training && !l.frozen {
		mean, variance = l.batchMoments(x, c.Mask(inputs[0]))
		if l.opts.Renorm {
			gamma, beta = l.renorm.compose(l, param, mean, variance, gamma, beta)
			l.renorm.update(l, c, mean, variance)
		} else {
			l.average(c, l.MovingMean, mean, l.opts.Momentum)
			l.average(c, l.MovingVariance, variance, l.opts.Momentum)
		}
	}
	factor := graph.Rsqrt(graph.AddScalar(variance, l.opts.Epsilon))
	if gamma != nil {
		factor = graph.Mul(factor, gamma)
	}
	y := graph.Mul(graph.Sub(x, mean), factor)
	if beta != nil {
		y = graph.Add(y, beta)
	}
	return []*graph.Node{graph.ConvertDType(y, l.ComputeDType())}
}

// batchMoments returns the mean and the variance of each channel over the elements of the batch
// that the mask keeps; a nil mask keeps all. It panics unless the mask has one dimension less than
// x.
func (l *BatchNormalizationLayer) batchMoments(x, mask *graph.Node) (mean, variance *graph.Node) {
	var others []int
	for i := range x.Rank() {
		if i != l.axis {
			others = append(others, i)
		}
	}
	if mask == nil {
		return nodes.Moments(x, others)
	}
	if mask.Rank() != x.Rank()-1 {
		panic(fmt.Errorf("its input of %d dimensions has a mask of %d, want one less", x.Rank(), mask.Rank()))
	}
	mask = graph.BroadcastToShape(graph.InsertAxes(mask, -1), shapeOf(dtypes.Bool, x.Shape().Dimensions...))
	count := graph.ReduceAndKeep(graph.ConvertDType(mask, x.DType()), graph.ReduceSum, others...)
	meanOf := func(x *graph.Node) *graph.Node {
		sum := graph.ReduceAndKeep(graph.Where(mask, x, graph.ZerosLike(x)), graph.ReduceSum, others...)
		return graph.Div(sum, graph.AddScalar(count, 1e-7))
	}
	mean = meanOf(x)
	d := graph.Sub(x, mean)
	return mean, meanOf(graph.Mul(d, d))
}

// average stores the next value of the moving average of, and returns it: momentum·old +
// (1-momentum)·batch, where batch is the value of the current batch.
func (l *BatchNormalizationLayer) average(c *Context, of *variable.Variable, batch *graph.Node, momentum float64) *graph.Node {
	batch = graph.ConvertDType(graph.Reshape(graph.StopGradient(batch), of.Shape()...), of.DType())
	next := graph.Add(graph.MulScalar(c.StatelessScope.Value(of), momentum), graph.MulScalar(batch, 1-momentum))
	c.Assign(of, next)
	return next
}

// Renorm makes BatchNormalization correct the mean and variance of a batch by moving averages also
// during training (Ioffe, 2017), so that small batches are normalized as in inference. By default
// it does not.
func Renorm() Option { return set("Renorm", true) }

// RenormMomentum sets the weight of the old value when the averages of Renorm are updated: 0.99 by
// default. A number outside [0, 1] is an error.
func RenormMomentum(m float64) Option { return set("RenormMomentum", m) }

// RenormClipping limits the corrections of Renorm by the keys "rmax" and "rmin", which limit the
// factor, and "dmax", which limits the offset. By default there are no limits. Other keys, an rmax
// below rmin, and a negative dmax are errors.
func RenormClipping(limits map[string]float64) Option { return set("RenormClipping", limits) }

// clipping is the option RenormClipping: limits by the names rmax, rmin and dmax; nil for none.
type clipping map[string]float64

// Assign sets the limits rmax, rmin and dmax to those of v, a map of Go or of JSON; nil removes
// them, and a null entry is left out. Other keys, values and impossible limits are errors.
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

// Read returns the limits by their names, for the config, or nil if there are none.
func (c *clipping) Read() any {
	if *c == nil {
		return nil
	}
	return map[string]float64(*c)
}

// renorm holds the moving averages of mean and standard deviation for the corrections of Renorm. It
// also holds movingStddev; moving_variance is computed from it.
type renorm struct {
	movingStddev, mean, stddev *variable.Variable
}

// weights describes the three averages for addAll, which makes them if the option Renorm is set.
// They are never trained.
func (r *renorm) weights(o *batchNormOptions) []weight {
	fixed := []variable.Option{variable.NonTrainable()}
	root := rootOf{initializers.Clone(o.MovingVarianceInitializer.Initializer)}
	return []weight{
		{&r.movingStddev, o.Renorm, "moving_stddev", root, fixed},
		{&r.mean, o.Renorm, "renorm_mean", initializers.Clone(o.MovingMeanInitializer.Initializer), fixed},
		{&r.stddev, o.Renorm, "renorm_stddev", root, fixed},
	}
}

// compose returns the gamma and beta to use after the normalization by mean and variance, those of
// the batch. They correct it towards the moving averages, within RenormClipping: (x·r + d)·gamma +
// beta. gamma and beta may be nil; the results are not. param returns the value of a variable, in a
// shape that can be broadcast.
func (r *renorm) compose(l *BatchNormalizationLayer, param func(*variable.Variable) *graph.Node, mean, variance, gamma, beta *graph.Node) (*graph.Node, *graph.Node) {
	old := param(r.stddev)
	least := nodes.Like(old, math.Sqrt(l.opts.Epsilon))
	old = graph.Where(graph.GreaterThan(old, least), old, least)
	factor := graph.Div(l.stddevOf(variance), old)
	offset := graph.Div(graph.Sub(mean, param(r.mean)), old)
	limits := l.opts.RenormClipping
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

// update updates all moving averages of l, for renormalization and for inference, with the mean and
// the variance of a batch.
func (r *renorm) update(l *BatchNormalizationLayer, c *Context, mean, variance *graph.Node) {
	stddev := l.stddevOf(variance)
	l.average(c, r.mean, mean, l.opts.RenormMomentum)
	l.average(c, r.stddev, stddev, l.opts.RenormMomentum)
	l.average(c, l.MovingMean, mean, l.opts.Momentum)
	moving := l.average(c, r.movingStddev, stddev, l.opts.Momentum)
	c.Assign(l.MovingVariance, graph.MaxScalar(graph.AddScalar(graph.Mul(moving, moving), -l.opts.Epsilon), 0.0))
}

func (l *BatchNormalizationLayer) stddevOf(variance *graph.Node) *graph.Node {
	return graph.Sqrt(graph.AddScalar(variance, l.opts.Epsilon))
}

// rootOf is an initializer that makes the square roots of another initializer's values.
type rootOf struct{ of initializers.Initializer }

// Fill writes to dst the square roots of the values that the initializer of writes there. It
// returns the errors of that, and an error for types other than float32 and float64.
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
