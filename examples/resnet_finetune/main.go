// Resnet_finetune fine-tunes a ResNet50 on a directory of images: it freezes the
// network and trains a new classifier on top of it.
//
//	go run ./examples/resnet_finetune                                    # images that it draws itself, random weights, 4x2
//	go run ./examples/resnet_finetune -data DIR -weights imagenet        # your images, a directory for each class
//	go run ./examples/resnet_finetune -data DIR -weights FILE.h5 -mesh 8x1
//	go run ./examples/resnet_finetune -data DIR -generate 50             # draws 50 images of each class into DIR first
//	go run ./examples/resnet_finetune -unfreeze 2                        # then trains all layers for two epochs
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/applications"
	"github.com/gospmd/gospmd/keras/applications/resnet"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/images"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// devices is the number of virtual devices on the CPU.
const devices = 8

func main() { example.Main("resnet_finetune", run) }

// config holds the values of the program's flags.
type config struct {
	mesh, data, weights string
	generate            int
	size, batch, seed   int
	epochs, unfreeze    int
	rate                float64
	json                bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var c config
	flags := flag.NewFlagSet("resnet_finetune", flag.ContinueOnError)
	flags.StringVar(&c.mesh, "mesh", "4x2", "devices along the axes data and model, such as 8x1, 4x2 or 2x4; single for one device without distribution")
	flags.StringVar(&c.data, "data", "", "directory with a directory of images for each class; by default images are drawn into a temporary one")
	flags.IntVar(&c.generate, "generate", 0, "draw so many images of each class into -data first (40 without -data)")
	flags.StringVar(&c.weights, "weights", "none", "imagenet (downloaded once), none for random ones, or the path of a file")
	flags.IntVar(&c.size, "size", 96, "height and width that images are resized to")
	flags.IntVar(&c.batch, "batch", 16, "images in a batch")
	flags.IntVar(&c.epochs, "epochs", 6, "epochs with the network frozen")
	flags.IntVar(&c.unfreeze, "unfreeze", 0, "epochs after these with the network trained too, at a hundredth of -rate")
	flags.Float64Var(&c.rate, "rate", 1e-3, "learning rate of Adam")
	flags.IntVar(&c.seed, "seed", 1, "seed of images, weights and shuffling")
	flags.BoolVar(&c.json, "json", false, "print the results as one line of JSON at the end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	d, err := c.distribution(ctx)
	if err != nil {
		return err
	}
	if c.data == "" {
		dir, err := os.MkdirTemp("", "shapes")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.data = dir
		if c.generate == 0 {
			c.generate = 40
		}
	}
	if c.generate > 0 {
		if err := drawShapes(ctx, c.data, c.generate, c.seed); err != nil {
			return err
		}
	}
	return distribution.Scope(d, func() error { return c.train(ctx, out) })
}

// result holds what the program prints with -json, on one line: the mesh, the classes, losses and
// accuracies.
type result struct {
	Mesh        string    `json:"mesh"`
	Classes     []string  `json:"classes"`
	Loss        []float64 `json:"loss"`
	ValAccuracy []float64 `json:"val_accuracy"`
}

func (c config) train(ctx context.Context, out io.Writer) error {
	train, classes, err := c.subset("training", out)
	if err != nil {
		return err
	}
	validation, _, err := c.subset("validation", io.Discard)
	if err != nil {
		return err
	}
	random.SetRandomSeed(uint32(c.seed))
	base, model, err := c.model(ctx, len(classes))
	if err != nil {
		return err
	}
	r := result{Mesh: c.mesh, Classes: classes}
	for _, phase := range []struct {
		trainBase bool
		epochs    int
		rate      float64
	}{{false, c.epochs, c.rate}, {true, c.unfreeze, c.rate / 100}} {
		if phase.epochs == 0 {
			continue
		}
		base.SetTrainable(phase.trainBase)
		err := model.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(phase.rate))),
			keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
		if err != nil {
			return err
		}
		history, err := model.Fit(ctx, train, nil, keras.Epochs(phase.epochs), keras.ValidationData(validation, nil), keras.Output(out))
		if err != nil {
			return err
		}
		r.Loss = append(r.Loss, history.Logs["loss"]...)
		r.ValAccuracy = append(r.ValAccuracy, history.Logs["val_accuracy"]...)
	}
	if !c.json {
		return nil
	}
	return json.NewEncoder(out).Encode(r)
}

// subset returns the images of the directory c.data in batches, preprocessed for the network: for
// the name "training" three quarters of them, for "validation" the others. It also returns the
// names of the classes, and prints the number of images to out.
func (c config) subset(name string, out io.Writer) (data.Dataset, []string, error) {
	ds, err := images.FromDirectory(c.data, images.Size(c.size, c.size), images.BatchSize(c.batch), images.Seed(uint64(c.seed)),
		images.ValidationSplit(0.25), images.Subset(name), images.Output(out))
	if err != nil {
		return nil, nil, err
	}
	return ds.Map(func(b data.Batch) (data.Batch, error) {
		x, err := resnet.PreprocessInput(b.X[0])
		b.X = []*tensors.Tensor{x}
		return b, err
	}), ds.ClassNames, nil
}

// model returns the ResNet50 without its classifier, and the model of this network with a new
// classifier for that many classes. Both share the network's layers.
func (c config) model(ctx context.Context, classes int) (base, model *keras.Model, err error) {
	base, err = applications.ResNet50(ctx, applications.Weights(c.weights), applications.IncludeTop(false), applications.Pooling("avg"))
	if err != nil {
		return nil, nil, err
	}
	y := base.Outputs()[0].Apply(layers.BatchNormalization(layers.Name("features"), layers.Momentum(0.9)))
	y = y.Apply(layers.Dropout(0.2)).Apply(layers.Dense(classes, layers.Name("classes"), layers.Activation("softmax")))
	model, err = keras.NewModel(base.Inputs(), []*layers.Tensor{y})
	return base, model, err
}

// distribution returns the distribution of -mesh, nil for one device: batches are
// sharded over the axis data, the filters of convolutions over the axis model.
func (c config) distribution(ctx context.Context) (distribution.Distribution, error) {
	if err := example.Initialize(ctx, devices); err != nil {
		return nil, err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil || mesh == nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(mesh)
	if err := layouts.Set(".*_conv/kernel", distribution.None, distribution.None, distribution.None, "model"); err != nil {
		return nil, err
	}
	return distribution.NewModelParallel(layouts, "data")
}

// shape is a class of images: its name, and the color and the form of the drawing.
type shape struct {
	name  string
	color color.RGBA
	holds func(x, y float64) bool // whether a point of the square from -1 to 1 is inside of the shape
}

var shapes = []shape{
	{"blue_triangle", color.RGBA{50, 70, 220, 255}, func(x, y float64) bool { return y < 1 && y > 2*math.Abs(x)-1 }},
	{"green_square", color.RGBA{40, 190, 70, 255}, func(x, y float64) bool { return math.Abs(x) < 0.9 && math.Abs(y) < 0.9 }},
	{"red_circle", color.RGBA{220, 50, 40, 255}, func(x, y float64) bool { return x*x+y*y < 1 }},
}

// drawSize is the height and width of the images that the program draws, in pixels.
const drawSize = 80

// drawShapes writes n images of each class into dir, each class into a directory with its name. The
// seed determines the images.
func drawShapes(ctx context.Context, dir string, n, seed int) error {
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	for _, s := range shapes {
		class := filepath.Join(dir, s.name)
		if err := os.MkdirAll(class, 0o755); err != nil {
			return fmt.Errorf("cannot draw images: %w", err)
		}
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := save(filepath.Join(class, fmt.Sprintf("%04d.png", i)), s.draw(r)); err != nil {
				return fmt.Errorf("cannot draw images: %w", err)
			}
		}
	}
	return nil
}

func save(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}

// draw returns an image of the shape, at a random place and with a random size, on noisy grey.
func (s shape) draw(r *rand.Rand) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, drawSize, drawSize))
	radius := drawSize * (0.15 + 0.2*r.Float64())
	cx, cy := radius+r.Float64()*(drawSize-2*radius), radius+r.Float64()*(drawSize-2*radius)
	ground := 60 + r.IntN(120)
	for y := range drawSize {
		for x := range drawSize {
			g := uint8(ground + r.IntN(40))
			c := color.RGBA{g, g, g, 255}
			if s.holds((float64(x)-cx)/radius, (float64(y)-cy)/radius) {
				c = s.color
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}
