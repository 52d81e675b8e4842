package applications

// This file holds the options of the models.

import (
	"fmt"
	"io"
	"slices"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers"
)

type config struct {
	name                 string
	weights              string
	includeTop           bool
	inputTensor          *layers.Tensor
	inputShape           []int
	pooling              string
	classes              int
	classifierActivation any
	output               io.Writer
}

// Option configures a model.
type Option = option.Option[config]

// Name names the model. The default is that of Keras, such as resnet50.
func Name(name string) Option { return option.New("Name", func(c *config) { c.name = name }) }

// Weights sets where the weights come from: "imagenet", the default, for those
// that were trained on ImageNet; "" (or "none") for random ones; or the path of
// a file that Keras or package saving wrote.
func Weights(from string) Option { return option.New("Weights", func(c *config) { c.weights = from }) }

// IncludeTop says whether the model ends in its classifier; by default it does.
func IncludeTop(top bool) Option {
	return option.New("IncludeTop", func(c *config) { c.includeTop = top })
}

// InputTensor applies the model to a tensor made by keras.Input, or to what
// other layers make of one.
func InputTensor(t *layers.Tensor) Option {
	return option.New("InputTensor", func(c *config) { c.inputTensor = t })
}

// InputShape sets height, width and channels of the images: 224, 224 and 3 by
// default, height and width open without the top. Only a model without the top
// takes others with Weights("imagenet").
func InputShape(height, width, channels int) Option {
	return option.New("InputShape", func(c *config) { c.inputShape = []int{height, width, channels} })
}

// Pooling says what a model without the top makes of the last features: "avg"
// and "max" give one number for each, "" (the default) leaves them as images.
func Pooling(kind string) Option {
	return Option{Name: "Pooling", Set: func(c *config) error {
		if kinds := []string{"", "avg", "max"}; !slices.Contains(kinds, kind) {
			return fmt.Errorf("got %q, want one of %q", kind, kinds)
		}
		c.pooling = kind
		return nil
	}}
}

// Classes sets the number of classes, 1000 by default; Weights("imagenet") has
// no other with the top.
func Classes(n int) Option {
	return Option{Name: "Classes", Set: func(c *config) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		c.classes = n
		return nil
	}}
}

// ClassifierActivation sets the activation of the top: "softmax" by default,
// "linear" for logits. Trained weights take these two only.
func ClassifierActivation(a any) Option {
	return option.New("ClassifierActivation", func(c *config) { c.classifierActivation = a })
}

// Output sets where the progress of downloads is shown, os.Stderr by default.
func Output(w io.Writer) Option { return option.New("Output", func(c *config) { c.output = w }) }

// configure applies the options to the defaults of a model.
func configure(kind, name string, opts []Option) (config, error) {
	c := config{name: name, weights: imagenet, includeTop: true, classes: imagenetClasses, classifierActivation: "softmax"}
	err := option.Apply(kind, &c, opts, "Name", "Weights", "IncludeTop", "InputTensor", "InputShape", "Pooling", "Classes",
		"ClassifierActivation", "Output")
	if err != nil {
		return c, err
	}
	if c.weights == "none" {
		c.weights = ""
	}
	if c.weights == imagenet && c.includeTop && c.classes != imagenetClasses {
		return c, fmt.Errorf("%s: got %d classes with the weights of ImageNet, which have %d: want IncludeTop(false) and a layer of your own, or other weights",
			kind, c.classes, imagenetClasses)
	}
	if a := c.classifierActivation; c.includeTop && c.weights == imagenet && a != any("softmax") && a != any("linear") {
		return c, fmt.Errorf("%s: got the classifier activation %v with the weights of ImageNet, want \"softmax\", or \"linear\" for logits", kind, a)
	}
	return c, nil
}
