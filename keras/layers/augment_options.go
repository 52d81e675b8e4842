package layers

// This file defines the options of augmentation layers, and factors: the ranges that random
// numbers are drawn from.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// augmentOptions are the options of augmentation layers.
type augmentOptions struct {
	mode                      string
	valueRange                []float64
	probability               float64
	factor                    factor
	heightFactor, widthFactor factor
	xFactor, yFactor          factor
	addition, thresholds      factor
	erased, sigma             factor
	brightness, contrast      factor
	saturation, hue           factor
	distortion                factor
	corners, mixAlpha         float64
	bins, numOps              int
	numChains, chainDepth     int
	allOps                    bool
	clipLimit                 float64
	tiles                     []int
	maxNumber, boxFill        int
	boxFormat                 string
	blurSize                  []int
	eraseWith                 erasure
}

// FillMode sets what is beyond the edge of an image, here of four pixels abcd: "reflect", the
// default (dcba|abcd|dcba), "nearest" (aaaa|abcd|dddd), "wrap" (abcd|abcd|abcd), or
// "constant", FillValue.
func FillMode(mode string) Option { return set("FillMode", mode) }

// ValueRange sets the numbers of black and of white: 0 and 255 by default.
func ValueRange(black, white float64) Option { return set("ValueRange", []float64{black, white}) }

// factor is a range that numbers are drawn from.
type factor struct {
	low, high float64
	given     any // a number or two, as the program gave it; nil for none
}

// factorField is a factor in options. A number f stands for the range from -f to f, as far as
// it is within least and most.
type factorField struct {
	*factor
	least, most float64
	asGiven     bool // in configs, instead of the range
}

// Assign takes a number, two, or none.
func (f factorField) Assign(v any) error {
	if v == nil {
		*f.factor = factor{}
		return nil
	}
	n := floats(v)
	if len(n) != 1 && len(n) != 2 {
		return fmt.Errorf("got %s, want a number, or two: []float64{low, high}", brief.Value(v))
	}
	if slices.ContainsFunc(n, func(x float64) bool { return !(x >= f.least && x <= f.most) }) {
		return fmt.Errorf("got %s, want numbers between %g and %g", brief.Value(v), f.least, f.most)
	}
	if len(n) == 1 {
		size := math.Abs(n[0])
		*f.factor = factor{max(-size, f.least), size, n[0]}
	} else {
		*f.factor = factor{min(n[0], n[1]), max(n[0], n[1]), n}
	}
	return nil
}

// Read returns the range.
func (f factorField) Read() any {
	if f.given == nil || f.asGiven {
		return f.given
	}
	return []float64{f.low, f.high}
}

// floats returns the number that v is, or those that it holds; nil if it is something else.
func floats(v any) (out []float64) {
	switch x := v.(type) {
	case float64:
		return []float64{x}
	case int:
		return []float64{float64(x)}
	case [2]float64:
		return x[:]
	case []float64:
		return x
	case []any:
		for _, n := range x {
			if _, ok := n.(float64); !ok {
				return nil
			}
			out = append(out, n.(float64))
		}
	}
	return out
}

// factorSetting is the row of a factor.
func factorSetting(name, key string, least, most float64, asGiven bool, at func(o *options) *factor) option.Setting[options] {
	return option.Setting[options]{Option: name, Key: key, Field: func(o *options) any { return factorField{at(o), least, most, asGiven} }}
}

// augmentSettings are the rows of options of augmentation layers. A name of Keras stands for
// other ranges in other layers.
var augmentSettings = option.Table[options]{
	{Option: "Mode", Key: "mode", Field: func(o *options) any { return &o.mode }, Check: option.OneOf(flips...)},
	{Option: "FillMode", Key: "fill_mode", Field: func(o *options) any { return &o.fillMode }, Check: option.OneOf(pixels.FillModes...)},
	{Option: "ValueRange", Key: "value_range", Field: func(o *options) any { return &o.valueRange }, Check: valueRange},
	{Option: "Probability", Key: "factor", Field: func(o *options) any { return &o.probability }, Check: option.Fraction},
	factorSetting("SignedFactor", "factor", -1, 1, false, func(o *options) *factor { return &o.factor }),
	factorSetting("Factor", "factor", 0, 1, false, func(o *options) *factor { return &o.factor }),
	factorSetting("Bits", "factor", 1, 8, false, func(o *options) *factor { return &o.factor }),
	factorSetting("HeightFactor", "height_factor", -1, 1, true, func(o *options) *factor { return &o.heightFactor }),
	factorSetting("WidthFactor", "width_factor", -1, 1, true, func(o *options) *factor { return &o.widthFactor }),
	{Option: "BlurSize", Key: "kernel_size", Field: func(o *options) any { return &o.blurSize }, Check: checkBlurSize},
	{Option: "EraseWith", Key: "fill_value", Field: func(o *options) any { return &o.eraseWith }},
	factorSetting("XFactor", "x_factor", -1, 1, false, func(o *options) *factor { return &o.xFactor }),
	factorSetting("YFactor", "y_factor", -1, 1, false, func(o *options) *factor { return &o.yFactor }),
	factorSetting("AdditionFactor", "addition_factor", 0, 1, false, func(o *options) *factor { return &o.addition }),
	factorSetting("ThresholdFactor", "threshold_factor", 0, 1, false, func(o *options) *factor { return &o.thresholds }),
	factorSetting("ErasedArea", "scale", 0, 1, false, func(o *options) *factor { return &o.erased }),
	factorSetting("Distortion", "scale", 0, 1, false, func(o *options) *factor { return &o.distortion }),
	factorSetting("BrightnessFactor", "brightness_factor", -1, 1, true, func(o *options) *factor { return &o.brightness }),
	factorSetting("ContrastFactor", "contrast_factor", 0, 1, true, func(o *options) *factor { return &o.contrast }),
	factorSetting("SaturationFactor", "saturation_factor", -1, 1, true, func(o *options) *factor { return &o.saturation }),
	factorSetting("HueFactor", "hue_factor", 0, 1, true, func(o *options) *factor { return &o.hue }),
	{Option: "CornerScale", Key: "scale", Field: func(o *options) any { return &o.corners }, Check: option.Fraction},
	{Option: "Bins", Key: "bins", Field: func(o *options) any { return &o.bins }, Check: upTo(1 << 16)},
	{Option: "MixAlpha", Key: "alpha", Field: func(o *options) any { return &o.mixAlpha }, Check: option.Positive},
	{Option: "NumOps", Key: "num_ops", Field: func(o *options) any { return &o.numOps }, Check: upTo(64)},
	{Option: "ElasticFillMode", Key: "fill_mode", Field: func(o *options) any { return &o.fillMode }, Check: option.OneOf(append([]string{"mirror"}, pixels.FillModes...)...)},
	{Option: "NumChains", Key: "num_chains", Field: func(o *options) any { return &o.numChains }, Check: upTo(64)},
	{Option: "ChainDepth", Key: "chain_depth", Field: func(o *options) any { return &o.chainDepth }, Check: upTo(64)},
	{Option: "AllOps", Key: "all_ops", Field: func(o *options) any { return &o.allOps }},
	{Option: "ClipLimit", Key: "clip_limit", Field: func(o *options) any { return &o.clipLimit }, Check: option.NotNegative},
	{Option: "TileGridSize", Key: "tile_grid_size", Field: func(o *options) any { return &o.tiles }, Check: checkTiles},
	{Option: "MaxNumber", Key: "max_number", Field: func(o *options) any { return &o.maxNumber }, Check: size},
	{Option: "BoxFill", Key: "fill_value", Field: func(o *options) any { return &o.boxFill }},
	{Option: "BoundingBoxFormat", Key: "bounding_box_format", Field: func(o *options) any { return (*optional)(&o.boxFormat) }},
	factorSetting("Sigma", "sigma", 0, 1, false, func(o *options) *factor { return &o.sigma }),
}

// upTo is the Check of a positive number of things that are each computed.
func upTo(most int) func(v any) error {
	return func(v any) error {
		if n := v.(int); n < 1 || n > most {
			return fmt.Errorf("got %d, want a number between 1 and %d", n, most)
		}
		return nil
	}
}

// valueRange is the Check of the numbers of black and white.
func valueRange(v any) error {
	if r := v.([]float64); len(r) != 2 || !(r[0] < r[1]) {
		return fmt.Errorf("got %v, want two numbers, black below white", r)
	}
	return nil
}

// erasure is what RandomErasing erases with: a number, or one for each channel; nil is None.
type erasure []float64

// Assign takes a number, several, or none.
func (e *erasure) Assign(v any) error {
	*e = floats(v)
	if n := len(*e); v != nil && n != 1 && n != 3 {
		return fmt.Errorf("got %s, want a number, or three", brief.Value(v))
	}
	return nil
}

// Read returns what Assign was given.
func (e *erasure) Read() any {
	switch len(*e) {
	case 0:
		return nil
	case 1:
		return (*e)[0]
	}
	return []float64(*e)
}
