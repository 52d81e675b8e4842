package utils

// This file makes datasets of text files.

import (
	"fmt"
	"io"
	"os"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/internal/classdir"
)

// LabelMode sets the form of TextDatasetFromDirectory's labels: "int", the default, for int32
// numbers of classes, "categorical" for one-hot vectors, "binary" for 0 and 1 of two classes, both
// float32, and "none" for no labels. Then all files below the directory count, and there are no
// classes. Other modes are errors, and so is "binary" for other than two classes.
func LabelMode(mode string) Option {
	return Option{option.NewChecked("LabelMode", mode, option.OneOf(classdir.LabelModes...), func(c *config, mode string) { c.files.Labels = mode })}
}

// ClassNames sets the classes of TextDatasetFromDirectory, which are names of directories, and
// their order. By default all directories are classes, in alphabetical order. A name without a
// directory, or one given twice, is an error, and so are names beside LabelMode("none").
func ClassNames(names ...string) Option {
	return Option{option.New("ClassNames", func(c *config) { c.files.ClassNames = names })}
}

// MaxLength sets the largest number of bytes of a text of TextDatasetFromDirectory; those after
// them are cut off. By default, and with a negative number, nothing is cut off.
func MaxLength(n int) Option {
	return Option{option.New("MaxLength", func(c *config) { c.maxLength = n })}
}

// Unshuffled makes TextDatasetFromDirectory leave the files in order, those of the first class
// first. By default each epoch has another order.
func Unshuffled() Option {
	return Option{option.New("Unshuffled", func(c *config) { c.unshuffled = true })}
}

// ValidationSplit reserves a fraction of the files of TextDatasetFromDirectory, above 0 and below
// 1, for validation; other numbers are errors. Subset says which part the dataset has, and one
// option without the other is an error.
func ValidationSplit(fraction float64) Option {
	return Option{option.NewChecked("ValidationSplit", fraction, option.Share, func(c *config, fraction float64) { c.files.Split = fraction })}
}

// Subset says which part of a ValidationSplit the dataset has: "training" or "validation". Other
// names are errors.
func Subset(name string) Option {
	return Option{option.NewChecked("Subset", name, option.OneOf(classdir.Subsets...), func(c *config, name string) { c.files.Subset = name })}
}

// Output sets where TextDatasetFromDirectory prints the number of files found, os.Stdout by
// default.
func Output(w io.Writer) Option {
	return Option{option.New("Output", func(c *config) { c.files.Output = w })}
}

// TextDirectory is a dataset of the text files in a directory. It yields batches of texts, as
// data.FromTexts makes them, and labels; more stages can be added to it.
type TextDirectory struct {
	*data.Pipeline
	ClassNames []string // by number
	FilePaths  []string // paths of the texts' files, in the order of an epoch with Unshuffled
}

// TextDatasetFromDirectory returns the dataset of the .txt files in a directory with a subdirectory
// for each class: keras.utils.text_dataset_from_directory. Files are read when needed, in each
// epoch. It prints the number of files to Output. A model takes the texts at an Input of
// layers.DType(layers.String). A directory without texts is an error, and so is a shuffled
// ValidationSplit without a Seed.
//
// With the same seed, the training and the validation subset share no text. The subsets and the
// orders differ from Keras'.
//
// Options: BatchSize (32 by default), LabelMode, ClassNames, MaxLength, Unshuffled, Seed,
// ValidationSplit, Subset, Output.
func TextDatasetFromDirectory(dir string, opts ...Option) (*TextDirectory, error) {
	c := config{batchSize: 32, maxLength: -1, files: classdir.Config{Noun: "text", Endings: []string{".txt"}, Labels: "int", Output: os.Stdout}}
	err := option.Apply("TextDatasetFromDirectory", &c, opts, "BatchSize", "LabelMode", "ClassNames", "MaxLength", "Unshuffled", "Seed", "ValidationSplit", "Subset", "Output")
	if err != nil {
		return nil, fmt.Errorf("utils: %w", err)
	}
	c.files.Shuffle, c.files.Seed = !c.unshuffled, c.seed
	files, names, err := c.files.Files(dir)
	if err != nil {
		return nil, fmt.Errorf("utils: TextDatasetFromDirectory: %w", err)
	}
	d := &TextDirectory{Pipeline: c.texts(files, len(names)), ClassNames: names}
	for _, f := range files {
		d.FilePaths = append(d.FilePaths, f.Path)
	}
	return d, d.Err()
}

// texts returns a pipeline of batches of the files' texts and their labels, of that many classes.
// The checksum in Cache's files contains the name of this function: do not rename it.
func (c *config) texts(files []classdir.File, classes int) *data.Pipeline {
	return c.files.Order(len(files)).Map(func(b data.Batch) (data.Batch, error) {
		f := files[tensors.ToScalar[int32](b.X[0])]
		text, err := os.ReadFile(f.Path)
		if err != nil {
			return data.Batch{}, err
		}
		if c.maxLength >= 0 {
			text = text[:min(c.maxLength, len(text))]
		}
		x, err := data.FromTexts([]string{string(text)})
		if err == nil {
			x, err = data.Reshape(x) // a single text
		}
		if err != nil {
			return data.Batch{}, fmt.Errorf("%s: %w", f.Path, err)
		}
		return data.Batch{X: []*tensors.Tensor{x}, Y: c.files.Label(f.Class, classes)}, nil
	}).Batch(c.batchSize).Prefetch(1)
}
