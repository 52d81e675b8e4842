package applications

// This file holds the options of the models, and what follows from them: the
// input's shape, as Keras' imagenet_utils.obtain_input_shape finds it, and the
// files of trained weights.

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
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

// Option configures a model. Each function takes the options that its comment names; any other is
// an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a config.
type setting = option.Option[config]

// Name sets the model's name. The default is Keras', such as resnet50.
func Name(name string) Option { return Option{option.New("Name", func(c *config) { c.name = name })} }

// Weights sets where the weights come from: "imagenet", the default, for weights
// trained on ImageNet; "" (or "none") for random ones; or the path of a file that
// Keras or package saving wrote.
func Weights(from string) Option {
	return Option{option.New("Weights", func(c *config) { c.weights = from })}
}

// IncludeTop says whether the model ends with its classifier; by default it does. Without it the
// model returns features.
func IncludeTop(top bool) Option {
	return Option{option.New("IncludeTop", func(c *config) { c.includeTop = top })}
}

// InputTensor applies the model to a tensor made by keras.Input, or to an output of other layers.
// The model then has the inputs that the tensor depends on. An InputShape beside it must be its
// shape.
func InputTensor(t *layers.Tensor) Option {
	return Option{option.New("InputTensor", func(c *config) { c.inputTensor = t })}
}

// InputShape sets height, width and channels of the images. The default is the shape of the
// InputTensor; without one it is 224, 224 and 3, and without the top height and width are open.
// Height and width must be at least 32. Without the top they may be layers.None, which is open.
// With Weights("imagenet") there must be 3 channels, and with the top 224 rows and columns.
func InputShape(height, width, channels int) Option {
	return Option{option.New("InputShape", func(c *config) { c.inputShape = []int{height, width, channels} })}
}

// Pooling sets the pooling of the last features of a model without the top: "avg" and "max" give
// one number for each feature, "" (the default) leaves them as images. Other kinds are errors. A
// model with the top ignores it.
func Pooling(kind string) Option {
	return Option{option.NewChecked("Pooling", kind, option.OneOf("", "avg", "max"), func(c *config, kind string) { c.pooling = kind })}
}

// Classes sets the number of classes of the top; 1000 by default. A number below 1 is an error, and
// so is another number beside Weights("imagenet") with the top. A model without the top ignores it.
func Classes(n int) Option {
	return Option{option.NewChecked("Classes", n, option.Positive, func(c *config, n int) { c.classes = n })}
}

// ClassifierActivation sets the activation of the top, by name or as a function: "softmax" by
// default, "linear" for logits. Weights("imagenet") takes only these two names. A model without the
// top ignores it.
func ClassifierActivation(a any) Option {
	return Option{option.New("ClassifierActivation", func(c *config) { c.classifierActivation = a })}
}

// Output sets where the progress of downloads is shown, os.Stderr by default.
func Output(w io.Writer) Option {
	return Option{option.New("Output", func(c *config) { c.output = w })}
}

// configure returns the configuration of a model: the defaults, with name as its name, changed by
// the options. Options that do not go together are errors; kind is the name of the constructor in
// them.
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

const (
	defaultSize = 224 // of images, with the top
	minSize     = 32  // smaller images have no features left at the end
	colors      = 3
)

// shape returns the shape of an image, without the batch: that of the options, of the input tensor,
// or the default, whose height and width are open without the top. A shape that the weights, the
// top or the network cannot take is an error.
func (c *config) shape() ([]int, error) {
	shape, full := c.inputShape, []int{defaultSize, defaultSize, colors}
	if c.inputTensor != nil && shape == nil {
		if err := c.inputTensor.Err(); err != nil {
			return nil, err
		}
		shape = c.inputTensor.Shape()[1:]
	}
	text := layers.ShapeText(shape)
	switch {
	case shape == nil && c.includeTop:
		return full, nil
	case shape == nil:
		return []int{layers.None, layers.None, colors}, nil
	case len(shape) != 3:
		return nil, fmt.Errorf("got an input of shape %s, want height, width and channels", text)
	case c.weights == imagenet && c.includeTop && !slices.Equal(shape, full):
		return nil, fmt.Errorf("got the input shape %s, the weights of ImageNet with the top want %s: resize the images, or use IncludeTop(false)", text, layers.ShapeText(full))
	case c.weights == imagenet && shape[2] != colors:
		return nil, fmt.Errorf("got the input shape %s, the weights of ImageNet want %d channels", text, colors)
	case shape[2] < 1:
		return nil, fmt.Errorf("got the input shape %s: the number of channels cannot be open, because the first kernel depends on it", text)
	}
	for _, size := range shape[:2] {
		if size != layers.None && size < minSize {
			return nil, fmt.Errorf("got the input shape %s, want images of at least %dx%d", text, minSize, minSize)
		}
		if size == layers.None && c.includeTop {
			return nil, fmt.Errorf("got the input shape %s: with the top height and width cannot be open; give InputShape numbers, or use IncludeTop(false)", text)
		}
	}
	return shape, nil
}

// inputs returns the model's inputs, and the tensor that its first layer is applied to: a new
// input, or the InputTensor. An InputTensor of another shape than InputShape is an error.
func (c *config) inputs() (inputs []*layers.Tensor, x *layers.Tensor, err error) {
	shape, err := c.shape()
	if err != nil {
		return nil, nil, err
	}
	if c.inputTensor == nil {
		x = keras.Input(shape)
		return []*layers.Tensor{x}, x, nil
	}
	if got := c.inputTensor.Shape()[1:]; !slices.Equal(got, shape) {
		return nil, nil, fmt.Errorf("got an input tensor of shape %s beside the input shape %s: give one of them", layers.ShapeText(got), layers.ShapeText(shape))
	}
	return sources(c.inputTensor), c.inputTensor, nil
}

// sources returns the inputs of models that t depends on, each once, in the order in which they are
// found.
func sources(t *layers.Tensor) (inputs []*layers.Tensor) {
	seen := make(map[*layers.Node]bool)
	var walk func(n *layers.Node)
	walk = func(n *layers.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.IsInput() {
			inputs = append(inputs, n.Outputs...)
		}
		for _, in := range n.Inputs {
			walk(in.Producer())
		}
	}
	walk(t.Producer())
	return inputs
}

// imagenet is the name of the weights that were trained on ImageNet.
const (
	imagenet        = "imagenet"
	imagenetClasses = 1000
)

// release describes the two files of trained weights that Keras publishes of a model: with and
// without the top.
type release struct {
	url           string // below which the files are
	topMD5, notop string // the checksums
}

const resnetURL = "https://storage.googleapis.com/tensorflow/keras-applications/resnet/"

// releases has the published files of weights by the name of the model: address, and checksums with
// and without the top.
var releases = map[string]release{
	"resnet50":  {resnetURL, "2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"},
	"resnet101": {resnetURL, "f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"},
	"resnet152": {resnetURL, "100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"},
}

// load loads the weights of the configuration into the model: none for "", those of ImageNet, which
// it downloads if needed, or those of a file. name is the name of the network, which says which
// file of ImageNet's. A file that is not there, or does not fit, is an error.
func (c *config) load(ctx context.Context, m *keras.Model, name string) error {
	path := c.weights
	switch path {
	case "":
		return nil
	case imagenet:
		file, err := c.file(name)
		if err != nil {
			return err
		}
		if path, err = file.Get(ctx, c.output); err != nil {
			return fmt.Errorf("the weights of ImageNet: %w", err)
		}
	default:
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("got the weights %q: want %q, \"\" for random ones, or the path of a file: %w", path, imagenet, err)
		}
	}
	return saving.LoadWeights(ctx, m, path)
}

// file returns the file, with its address and checksum, of the weights that Keras publishes for the
// model with this name, with or without the top.
func (c *config) file(name string) (download.File, error) {
	home, err := download.KerasHome()
	r := releases[name]
	f := download.File{Dir: filepath.Join(home, "models"), Name: name + "_weights_tf_dim_ordering_tf_kernels", Hash: r.topMD5}
	if !c.includeTop {
		f.Name, f.Hash = f.Name+"_notop", r.notop
	}
	f.Name += ".h5"
	f.URL = r.url + f.Name
	return f, err
}
