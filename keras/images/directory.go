package images

// This file makes datasets of directories, and holds the options of images
// and datasets.

import (
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
)

type config struct {
	height, width int // 0: the size of the file's image
	colors        string
	method        method
	antialias     bool
	crop, pad     bool
	fill          float32
	memory        int64 // 0: what the file can honestly hold

	batchSize  int
	labels     string
	classNames []string
	shuffle    bool
	seed       *uint64
	split      float64
	subset     string
	output     io.Writer
}

// Option configures Load, Resize and FromDirectory. Each documents the options that
// it takes; any other is an error.
type Option struct{ setting }

// setting is what an option sets.
type setting = option.Option[config]

// Size resizes to height and width.
func Size(height, width int) Option {
	return Option{setting{Name: "Size", Set: func(c *config) error {
		if height < 1 || width < 1 {
			return fmt.Errorf("got %dx%d, want positive numbers", height, width)
		}
		c.height, c.width = height, width
		return nil
	}}}
}

// ColorMode sets the channels: "rgb", the default, "rgba" or "grayscale".
func ColorMode(mode string) Option {
	return oneOf("ColorMode", mode, func(c *config) *string { return &c.colors }, "rgb", "rgba", "grayscale")
}

// Interpolation sets the method of resizing: "bilinear" by default, "nearest",
// "bicubic", "lanczos3" or "lanczos5".
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

// CropToAspectRatio keeps the ratio of height and width: it resizes the largest
// area in the middle that has the new ratio. By default images are stretched.
func CropToAspectRatio() Option {
	return Option{option.New("CropToAspectRatio", func(c *config) { c.crop = true })}
}

// PadToAspectRatio keeps the ratio of height and width: it pads the image with
// FillValue, black by default, equally on opposite sides to the new ratio, and
// resizes the result. By default images are stretched.
func PadToAspectRatio() Option {
	return Option{option.New("PadToAspectRatio", func(c *config) { c.pad = true })}
}

// FillValue sets the number that PadToAspectRatio pads with: 0 by default.
func FillValue(v float64) Option {
	return Option{option.New("FillValue", func(c *config) { c.fill = float32(v) })}
}

// MaxMemory sets how many bytes decoding one file may take. The default is about 64 MB
// and eight times the file, which photographs that are resized do not reach. More
// makes it possible that a small file fills the memory.
func MaxMemory(bytes int64) Option {
	return Option{setting{Name: "MaxMemory", Set: func(c *config) error {
		if bytes < 1 {
			return fmt.Errorf("got %d, want a positive number of bytes", bytes)
		}
		c.memory = bytes
		return nil
	}}}
}

// loading are the options of Load.
var loading = []string{"ColorMode", "Size", "Interpolation", "Antialias", "CropToAspectRatio", "PadToAspectRatio", "FillValue", "MaxMemory"}

// BatchSize sets the number of images of a batch, 32 by default.
func BatchSize(n int) Option {
	return Option{setting{Name: "BatchSize", Set: func(c *config) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		c.batchSize = n
		return nil
	}}}
}

// LabelMode sets the form of labels: "int", the default, for int32 numbers of
// classes, "categorical" for one-hot vectors, "binary" for 0 and 1 of two classes,
// and "none" for no labels.
func LabelMode(mode string) Option {
	return oneOf("LabelMode", mode, func(c *config) *string { return &c.labels }, "int", "categorical", "binary", "none")
}

// ClassNames sets the classes, which are names of directories, and their order. By
// default all directories are classes, in alphabetical order.
func ClassNames(names ...string) Option {
	return Option{option.New("ClassNames", func(c *config) { c.classNames = names })}
}

// Shuffle says whether each epoch has another order, which is the default.
func Shuffle(shuffle bool) Option {
	return Option{option.New("Shuffle", func(c *config) { c.shuffle = shuffle })}
}

// Seed sets the seed of the orders and of the split into subsets.
func Seed(seed uint64) Option { return Option{option.New("Seed", func(c *config) { c.seed = &seed })} }

// ValidationSplit reserves a fraction of the images for validation; Subset selects
// a subset.
func ValidationSplit(fraction float64) Option {
	return Option{setting{Name: "ValidationSplit", Set: func(c *config) error {
		if !(fraction > 0 && fraction < 1) {
			return fmt.Errorf("got %g, want a fraction between 0 and 1", fraction)
		}
		c.split = fraction
		return nil
	}}}
}

// Subset selects a subset of a ValidationSplit: "training" or "validation".
func Subset(name string) Option {
	return oneOf("Subset", name, func(c *config) *string { return &c.subset }, "training", "validation")
}

// Output sets where the number of images found is printed, os.Stdout by default.
func Output(w io.Writer) Option {
	return Option{option.New("Output", func(c *config) { c.output = w })}
}

func oneOf(name, got string, field func(*config) *string, names ...string) Option {
	return Option{setting{Name: name, Set: func(c *config) error {
		if !slices.Contains(names, got) {
			return fmt.Errorf("got %q%s, want one of %q", got, suggest.DidYouMean(got, names), names)
		}
		*field(c) = got
		return nil
	}}}
}

// configure applies opts for the function kind, which takes the options named in
// accepts.
func configure(kind string, opts []Option, accepts ...string) (config, error) {
	c := config{colors: "rgb", method: methods[0], batchSize: 32, labels: "int", shuffle: true, output: os.Stdout}
	if err := option.Apply(kind, &c, opts, accepts...); err != nil {
		return c, fmt.Errorf("images: %w", err)
	}
	if c.crop && c.pad {
		return c, fmt.Errorf("images: %s: got both CropToAspectRatio and PadToAspectRatio: want one of them", kind)
	}
	return c, nil
}

// formats are the endings of the files that are images.
var formats = []string{".gif", ".jpeg", ".jpg", ".png"}

// Directory is a dataset of the images in a directory. It yields batches of images
// and labels; more stages can be added to it.
type Directory struct {
	*data.Pipeline
	ClassNames []string // by number
	FilePaths  []string // of the images, in the order of an epoch without Shuffle
}

// FromDirectory returns the dataset of the images in a directory with a
// subdirectory for each class: keras.utils.image_dataset_from_directory. Images
// are 256x256 by default. Files are decoded when needed, in each epoch.
//
// With the same seed, the training and the validation subset share no image. The
// subsets and the orders differ from Keras'.
//
// Options: Size, ColorMode, Interpolation, Antialias, CropToAspectRatio,
// PadToAspectRatio, FillValue, MaxMemory, BatchSize, LabelMode, ClassNames, Shuffle, Seed,
// ValidationSplit, Subset, Output.
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

// file is an image of a class.
type file struct {
	path  string
	class int
}

func (c *config) directory(dir string) (*Directory, error) {
	if (c.split > 0) != (c.subset != "") {
		return nil, fmt.Errorf("got ValidationSplit %g and Subset %q: want both or none", c.split, c.subset)
	}
	if c.split > 0 && c.shuffle && c.seed == nil {
		return nil, fmt.Errorf("got a ValidationSplit without a Seed: want the same one for both subsets, so that they share no image, or Shuffle(false)")
	}
	names, err := c.classes(dir)
	if err != nil {
		return nil, err
	}
	subdirs := names
	if c.labels == "none" {
		subdirs = []string{""}
	}
	var files []file
	for i, name := range subdirs {
		paths, err := imagesIn(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			files = append(files, file{p, i})
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("found no images in %s: want files that end in %s, in a directory for each class (LabelMode(\"none\") needs no classes)", dir, strings.Join(formats, ", "))
	}
	belonging := fmt.Sprintf(" belonging to %d classes", len(names))
	if c.labels == "none" {
		belonging = ""
	}
	fmt.Fprintf(c.output, "Found %d files%s.\n", len(files), belonging)
	if files, err = c.subsetOf(files); err != nil {
		return nil, err
	}
	d := &Directory{ClassNames: names}
	for _, f := range files {
		d.FilePaths = append(d.FilePaths, f.path)
	}
	d.Pipeline = c.pipeline(files, len(names))
	return d, d.Err()
}

// classes returns the names of the directories that are classes, none without
// labels.
func (c *config) classes(dir string) (names []string, err error) {
	if c.labels == "none" {
		if c.classNames != nil {
			return nil, fmt.Errorf("got ClassNames beside LabelMode(\"none\"): want one of them")
		}
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	for i, name := range c.classNames {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("class %q: %s has no directory of that name%s, only %q", name, dir, suggest.DidYouMean(name, names), names)
		}
		if slices.Contains(c.classNames[:i], name) {
			return nil, fmt.Errorf("class %q is listed twice", name)
		}
	}
	if c.classNames != nil {
		names = c.classNames
	}
	if c.labels == "binary" && len(names) != 2 {
		return nil, fmt.Errorf("got LabelMode(\"binary\") for the %d classes %q, want two", len(names), names)
	}
	return names, nil
}

// imagesIn returns the images in a directory, or a link to one, and below it,
// sorted by path.
func imagesIn(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		switch ending := strings.ToLower(filepath.Ext(path)); {
		case err != nil || e.IsDir():
		case ending == ".bmp":
			err = fmt.Errorf("%s is a BMP file, which cannot be read here: convert it to PNG", path)
		case slices.Contains(formats, ending):
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}

// subsetOf shuffles the files, if Shuffle and a Seed are set, and returns those of
// the subset.
func (c *config) subsetOf(files []file) ([]file, error) {
	if c.shuffle && c.seed != nil {
		rand.New(rand.NewPCG(*c.seed, 0)).Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	}
	if c.split == 0 {
		return files, nil
	}
	first := len(files) - int(c.split*float64(len(files))) // of validation
	subset := files[:first]
	if c.subset == "validation" {
		subset = files[first:]
	}
	if len(subset) == 0 {
		return nil, fmt.Errorf("no image of the %d is in the %s subset with ValidationSplit %g: want more images or another fraction", len(files), c.subset, c.split)
	}
	return subset, nil
}

// pipeline returns a pipeline of batches of the files' images. Cache's files depend
// on the name of this function.
func (c *config) pipeline(files []file, classes int) *data.Pipeline {
	numbers := make([]int32, len(files))
	for i := range numbers {
		numbers[i] = int32(i)
	}
	p := data.FromTensorSlices(numbers, nil)
	if c.shuffle {
		var opts []data.Option
		if c.seed != nil {
			opts = append(opts, data.Seed(*c.seed))
		}
		p = p.Shuffle(data.Full, opts...)
	}
	return p.Map(func(b data.Batch) (data.Batch, error) {
		f := files[tensors.ToScalar[int32](b.X[0])]
		x, err := c.load(f.path)
		if err != nil {
			return data.Batch{}, err
		}
		out := data.Batch{X: []*tensors.Tensor{x}}
		if y := c.label(f.class, classes); y != nil {
			out.Y = []*tensors.Tensor{y}
		}
		return out, nil
	}).Batch(c.batchSize).Prefetch(1)
}

// label returns the label of a class, nil without labels.
func (c *config) label(class, classes int) *tensors.Tensor {
	switch c.labels {
	case "int":
		return tensors.FromScalar(int32(class))
	case "binary":
		return tensors.FromFlatDataAndDimensions([]float32{float32(class)}, 1)
	case "categorical":
		oneHot := make([]float32, classes)
		oneHot[class] = 1
		return tensors.FromFlatDataAndDimensions(oneHot, classes)
	}
	return nil
}
