package images

// This file makes datasets of directories, and holds the options of images
// and datasets.

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/internal/classdir"
)

type config struct {
	height, width int // 0 means the size of the file's image
	colors        string
	method        method
	antialias     bool
	crop, pad     bool
	fill          float32
	memory        int64 // 0 means the limit by the size of the file

	batchSize int
	files     classdir.Config
}

// Option configures Load, Resize and FromDirectory. Each documents the options that
// it takes; any other is an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a config.
type setting = option.Option[config]

// Size makes images be resized to height and width, in pixels; numbers below 1 are errors. Without
// it, Load keeps the size of the file, and FromDirectory makes images of 256x256.
func Size(height, width int) Option {
	return Option{setting{Name: "Size", Set: func(c *config) error {
		if height < 1 || width < 1 {
			return fmt.Errorf("got %dx%d, want positive numbers", height, width)
		}
		c.height, c.width = height, width
		return nil
	}}}
}

// ColorMode sets the channels: "rgb", the default, has 3, "rgba" 4 and "grayscale" 1. Other modes
// are errors.
func ColorMode(mode string) Option {
	return Option{option.NewChecked("ColorMode", mode, option.OneOf("rgb", "rgba", "grayscale"), func(c *config, mode string) { c.colors = mode })}
}

// Interpolation sets the method of resizing: "bilinear" by default, "nearest", "bicubic",
// "lanczos3" or "lanczos5". Other names are errors.
func Interpolation(name string) Option {
	return Option{setting{Name: "Interpolation", Set: func(c *config) error {
		names := make([]string, len(methods))
		for i, m := range methods {
			names[i] = m.name
			if m.name == name {
				c.method = m
				return nil
			}
		}
		return fmt.Errorf("got %q%s, want one of %q", name, suggest.DidYouMean(name, names), names)
	}}}
}

// Antialias weights all pixels when an image is made smaller, not only those around
// the centers of the new ones. By default it is off, as in Keras.
func Antialias() Option {
	return Option{option.New("Antialias", func(c *config) { c.antialias = true })}
}

// CropToAspectRatio keeps the ratio of height and width: it resizes the largest area in the middle
// that has the new ratio. By default images are stretched. It is an error beside PadToAspectRatio.
func CropToAspectRatio() Option {
	return Option{option.New("CropToAspectRatio", func(c *config) { c.crop = true })}
}

// PadToAspectRatio keeps the ratio of height and width: it pads the image with FillValue, black by
// default, equally on opposite sides to the new ratio, and resizes the result. By default images
// are stretched. It is an error beside CropToAspectRatio.
func PadToAspectRatio() Option {
	return Option{option.New("PadToAspectRatio", func(c *config) { c.pad = true })}
}

// FillValue sets the number that PadToAspectRatio pads all channels with: 0 by default. Without
// PadToAspectRatio it has no effect.
func FillValue(v float64) Option {
	return Option{option.New("FillValue", func(c *config) { c.fill = float32(v) })}
}

// MaxMemory sets the largest number of bytes for decoding one file; a number below 1 is an error.
// The default is about 64 MB plus eight times the file, which is enough for photographs that are
// resized. With a larger limit, a small malicious file may fill the memory.
func MaxMemory(bytes int64) Option {
	return Option{setting{Name: "MaxMemory", Set: func(c *config) error {
		if bytes < 1 {
			return fmt.Errorf("got %d, want a positive number of bytes", bytes)
		}
		c.memory = bytes
		return nil
	}}}
}

// loading are the names of the options of Load.
var loading = []string{"ColorMode", "Size", "Interpolation", "Antialias", "CropToAspectRatio", "PadToAspectRatio", "FillValue", "MaxMemory"}

// BatchSize sets the number of images of a batch, 32 by default. The last batch may be smaller. A
// number below 1 is an error.
func BatchSize(n int) Option {
	return Option{option.NewChecked("BatchSize", n, option.Positive, func(c *config, n int) { c.batchSize = n })}
}

// LabelMode sets the form of labels: "int", the default, for int32 numbers of classes,
// "categorical" for one-hot vectors, "binary" for 0 and 1 of two classes, both float32, and "none"
// for no labels. Then all files below the directory count, and there are no classes. Other modes
// are errors, and so is "binary" for other than two classes.
func LabelMode(mode string) Option {
	return Option{option.NewChecked("LabelMode", mode, option.OneOf(classdir.LabelModes...), func(c *config, mode string) { c.files.Labels = mode })}
}

// ClassNames sets the classes, which are names of directories, and their order. By default all
// directories are classes, in alphabetical order. A name without a directory, or one given twice,
// is an error, and so are names beside LabelMode("none").
func ClassNames(names ...string) Option {
	return Option{option.New("ClassNames", func(c *config) { c.files.ClassNames = names })}
}

// Shuffle says whether each epoch has another order. By default it has. With false, the files of
// the first class come first, each class in the order of its paths.
func Shuffle(shuffle bool) Option {
	return Option{option.New("Shuffle", func(c *config) { c.files.Shuffle = shuffle })}
}

// Seed sets the seed of the orders and of the split into subsets. Without it a seed is drawn, but a
// shuffled ValidationSplit needs a given one.
func Seed(seed uint64) Option {
	return Option{option.New("Seed", func(c *config) { c.files.Seed = &seed })}
}

// ValidationSplit reserves a fraction of the images, above 0 and below 1, for validation; other
// numbers are errors. Subset says which part the dataset has, and one option without the other is
// an error.
func ValidationSplit(fraction float64) Option {
	return Option{option.NewChecked("ValidationSplit", fraction, option.Share, func(c *config, fraction float64) { c.files.Split = fraction })}
}

// Subset says which part of a ValidationSplit the dataset has: "training" or "validation". Other
// names are errors.
func Subset(name string) Option {
	return Option{option.NewChecked("Subset", name, option.OneOf(classdir.Subsets...), func(c *config, name string) { c.files.Subset = name })}
}

// Output sets where the number of images found is printed, os.Stdout by default.
func Output(w io.Writer) Option {
	return Option{option.New("Output", func(c *config) { c.files.Output = w })}
}

// configure returns the defaults with opts applied, for the function kind, which takes the options
// named in accepts. Any other is an error.
func configure(kind string, opts []Option, accepts ...string) (config, error) {
	c := config{colors: "rgb", method: methods[0], batchSize: 32,
		files: classdir.Config{Noun: "image", Endings: formats, Refuse: refuse, Labels: "int", Shuffle: true, Output: os.Stdout}}
	if err := option.Apply(kind, &c, opts, accepts...); err != nil {
		return c, fmt.Errorf("images: %w", err)
	}
	if c.crop && c.pad {
		return c, fmt.Errorf("images: %s: got both CropToAspectRatio and PadToAspectRatio: want one of them", kind)
	}
	return c, nil
}

// formats are the endings of the names of files that are read as images, in lower case.
var formats = []string{".gif", ".jpeg", ".jpg", ".png"}

// refuse returns an error if files with this ending are images that cannot be read here: BMP files.
// For other endings it returns nil.
func refuse(ending string) error {
	if ending == ".bmp" {
		return fmt.Errorf("is a BMP file, which cannot be read here: convert it to PNG")
	}
	return nil
}

// Directory is a dataset of the images in a directory. It yields batches of images
// and labels; more stages can be added to it.
type Directory struct {
	*data.Pipeline
	ClassNames []string // by class number
	FilePaths  []string // paths of the images, in the order of an epoch without Shuffle
}

// FromDirectory returns the dataset of the images in a directory with a subdirectory for each
// class: keras.utils.image_dataset_from_directory. Images are 256x256 by default. Files are decoded
// when needed, in each epoch; a file that cannot be decoded is an error then. It prints the number
// of images to Output. A directory without images, and a BMP file in it, are errors.
//
// With the same seed, the training and the validation subset share no image. The subsets and the
// orders differ from Keras'.
//
// Options: Size, ColorMode, Interpolation, Antialias, CropToAspectRatio, PadToAspectRatio,
// FillValue, MaxMemory, BatchSize, LabelMode, ClassNames, Shuffle, Seed, ValidationSplit, Subset,
// Output.
func FromDirectory(dir string, opts ...Option) (*Directory, error) {
	opts = append([]Option{Size(256, 256)}, opts...)
	c, err := configure("FromDirectory", opts, slices.Concat(loading, []string{"BatchSize", "LabelMode", "ClassNames", "Shuffle", "Seed", "ValidationSplit", "Subset", "Output"})...)
	if err != nil {
		return nil, err
	}
	d, err := c.directory(dir)
	if err != nil {
		return nil, fmt.Errorf("images: FromDirectory: %w", err)
	}
	return d, nil
}

func (c *config) directory(dir string) (*Directory, error) {
	files, names, err := c.files.Files(dir)
	if err != nil {
		return nil, err
	}
	d := &Directory{ClassNames: names}
	for _, f := range files {
		d.FilePaths = append(d.FilePaths, f.Path)
	}
	d.Pipeline = c.pipeline(files, len(names))
	return d, d.Err()
}

// pipeline returns a pipeline of batches of the files' images and their labels, of that many
// classes. The checksum in Cache's files contains the name of this function: do not rename it.
func (c *config) pipeline(files []classdir.File, classes int) *data.Pipeline {
	return c.files.Order(len(files)).Map(func(b data.Batch) (data.Batch, error) {
		f := files[tensors.ToScalar[int32](b.X[0])]
		x, err := c.load(f.Path)
		if err != nil {
			return data.Batch{}, err
		}
		return data.Batch{X: []*tensors.Tensor{x}, Y: c.files.Label(f.Class, classes)}, nil
	}).Batch(c.batchSize).Prefetch(1)
}
