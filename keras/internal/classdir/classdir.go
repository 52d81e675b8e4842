package classdir

// This file finds files and their classes.

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

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
)

// Config describes a dataset of files that lie in a directory for each class: which files it has,
// their order, the classes and the form of the labels. With Labels "none" there are no classes.
type Config struct {
	Noun    string   // what a file is, such as "image"
	Endings []string // of files that count, in small letters
	// returns the error for a file with an ending that is not accepted; nil: such files are skipped
	Refuse func(ending string) error

	Labels     string   // int, categorical, binary or none
	ClassNames []string // nil: all directories, in alphabetical order
	Shuffle    bool
	Seed       *uint64
	Split      float64 // the fraction for validation; 0 for none
	Subset     string  // training or validation
	Output     io.Writer
}

// LabelModes and Subsets are the values that Labels and Subset of a Config may have.
var (
	LabelModes = []string{"int", "categorical", "binary", "none"}
	Subsets    = []string{"training", "validation"}
)

// File is a file of a class: its path and the number of the class.
type File struct {
	Path  string
	Class int
}

// Files returns the files of the subset in the directory dir, each with the number of its class,
// and the names of the classes, which are the subdirectories. Only files with one of the endings
// count. With Labels "none" these are all files below dir, with class 0, and names is nil. It
// prints to Output how many files it has found, of all subsets. A split without a subset, one that
// shuffles without a seed, and a directory without files are errors.
func (c *Config) Files(dir string) (files []File, names []string, err error) {
	if (c.Split > 0) != (c.Subset != "") {
		return nil, nil, fmt.Errorf("got ValidationSplit %g and Subset %q: want both or none", c.Split, c.Subset)
	}
	if c.Split > 0 && c.Shuffle && c.Seed == nil {
		return nil, nil, fmt.Errorf("got a ValidationSplit without a Seed: want the same one for both subsets, so that they share no %s, or Shuffle(false)", c.Noun)
	}
	if names, err = c.classes(dir); err != nil {
		return nil, nil, err
	}
	subdirs := names
	if c.Labels == "none" {
		subdirs = []string{""}
	}
	for i, name := range subdirs {
		paths, err := c.filesIn(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, err
		}
		for _, p := range paths {
			files = append(files, File{p, i})
		}
	}
	if len(files) == 0 {
		return nil, nil, fmt.Errorf("found no %ss in %s: want files that end in %s, in a directory for each class (LabelMode(\"none\") needs no classes)", c.Noun, dir, strings.Join(c.Endings, ", "))
	}
	belonging := fmt.Sprintf(" belonging to %d classes", len(names))
	if c.Labels == "none" {
		belonging = ""
	}
	fmt.Fprintf(c.Output, "Found %d files%s.\n", len(files), belonging)
	files, err = c.subsetOf(files)
	return files, names, err
}

// classes returns the names of the classes: ClassNames, or all directories in dir whose names do
// not begin with a point, in alphabetical order. It returns none for Labels "none". Errors are
// ClassNames beside that, a name that is no directory or is there twice, and for "binary" another
// number than two.
func (c *Config) classes(dir string) (names []string, err error) {
	if c.Labels == "none" {
		if c.ClassNames != nil {
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
	for i, name := range c.ClassNames {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("class %q: %s has no directory of that name%s, only %q", name, dir, suggest.DidYouMean(name, names), names)
		}
		if slices.Contains(c.ClassNames[:i], name) {
			return nil, fmt.Errorf("class %q is listed twice", name)
		}
	}
	if c.ClassNames != nil {
		names = c.ClassNames
	}
	if c.Labels == "binary" && len(names) != 2 {
		return nil, fmt.Errorf("got LabelMode(\"binary\") for the %d classes %q, want two", len(names), names)
	}
	return names, nil
}

// filesIn returns the paths of the files with an accepted ending in dir, which may be a link, and
// in all directories below it, sorted. Refuse may make a file with another ending an error.
func (c *Config) filesIn(dir string) (paths []string, err error) {
	err = filepath.WalkDir(dir+string(filepath.Separator), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		ending := strings.ToLower(filepath.Ext(path))
		if slices.Contains(c.Endings, ending) {
			paths = append(paths, path)
		} else if c.Refuse != nil {
			if err := c.Refuse(ending); err != nil {
				return fmt.Errorf("%s %w", path, err)
			}
		}
		return nil
	})
	return paths, err
}

// subsetOf shuffles the files in place, if Shuffle and a Seed are set, and returns those of the
// subset: the last ones, Split of all, for validation, and the others for training; all without a
// Split. A subset without files is an error.
func (c *Config) subsetOf(files []File) ([]File, error) {
	if c.Shuffle && c.Seed != nil {
		rand.New(rand.NewPCG(*c.Seed, 0)).Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	}
	if c.Split == 0 {
		return files, nil
	}
	first := len(files) - int(c.Split*float64(len(files))) // of validation
	subset := files[:first]
	if c.Subset == "validation" {
		subset = files[first:]
	}
	if len(subset) == 0 {
		return nil, fmt.Errorf("no %s of the %d is in the %s subset with ValidationSplit %g: want more %ss or another fraction", c.Noun, len(files), c.Subset, c.Split, c.Noun)
	}
	return subset, nil
}

// Order returns the pipeline of the numbers from 0 to n-1, shuffled if Shuffle is set.
func (c *Config) Order(n int) *data.Pipeline {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	p := data.FromTensorSlices(numbers, nil)
	if !c.Shuffle {
		return p
	}
	var opts []data.Option
	if c.Seed != nil {
		opts = append(opts, data.Seed(*c.Seed))
	}
	return p.Shuffle(data.Full, opts...)
}

// Label returns the labels of a sample of the class with the number class, out of classes, as one
// tensor: a scalar, int32, for Labels "int", one float32 for "binary", and a one-hot vector of
// float32 for "categorical". It returns nil for "none".
func (c *Config) Label(class, classes int) []*tensors.Tensor {
	switch c.Labels {
	case "int":
		return []*tensors.Tensor{tensors.FromScalar(int32(class))}
	case "binary":
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{float32(class)}, 1)}
	case "categorical":
		oneHot := make([]float32, classes)
		oneHot[class] = 1
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(oneHot, classes)}
	}
	return nil
}
