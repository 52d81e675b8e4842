package datasets

// This file defines the data sets and their options, and finds their files.

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/internal/option"
)

// Split is the training or the test split of a data set: images X, of MNIST (n, 28, 28), and
// classes Y, of MNIST (n,), both uint8 as in Keras.
type Split struct {
	X, Y *tensors.Tensor
}

// MNIST returns 60000 handwritten digits to train on and 10000 to test on:
// keras.datasets.mnist.load_data. It downloads the files once. Files that cannot be read are an
// error, and so is another option. Options: Dir, Mirror, Output.
func MNIST(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return mnist.load(ctx, opts)
}

// FashionMNIST returns 60000 images of clothes to train on and 10000 to test on:
// keras.datasets.fashion_mnist.load_data. It downloads the files once. Files that cannot be read
// are an error, and so is another option. Options: Dir, Mirror, Output.
func FashionMNIST(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return fashionMNIST.load(ctx, opts)
}

type config struct {
	dir    string
	mirror string
	out    io.Writer
	coarse bool // the classes of CIFAR-100
}

// Option configures how a data set is loaded. Each function takes the options that its comment
// names; any other is an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a config.
type setting = option.Option[config]

// Dir reads the data set from a directory with its files, plain or with the ending .gz, and
// downloads nothing: the four IDX files of MNIST, the .bin files of CIFAR. The default is the
// directory that the data set's environment variable names, such as $GOSPMD_MNIST_DIR. An empty
// name is an error.
func Dir(dir string) Option {
	return Option{setting{Name: "Dir", Set: func(c *config) error {
		if dir == "" {
			return fmt.Errorf("got an empty name, want a directory with the files")
		}
		c.dir = dir
		return nil
	}}}
}

// Mirror sets the address that files are downloaded from, in place of the usual one. The files must
// be the same.
func Mirror(url string) Option {
	return Option{option.New("Mirror", func(c *config) { c.mirror = url })}
}

// Output sets the writer for the progress of a download; the default is os.Stderr.
func Output(w io.Writer) Option { return Option{option.New("Output", func(c *config) { c.out = w })} }

// source describes where a data set is, which files it has, and how they are read.
type source struct {
	name   string
	env    string // the environment variable that names a directory of local files
	url    string // the base address of its files
	subdir string // its directory in Keras' directory
	files  []remote
	local  []string // the files of a directory
	// read reads the files that were downloaded, readLocal those of a directory.
	read, readLocal func(paths []string, c config) (train, test Split, err error)
	options         []string // besides those of all
}

// remote is the name of a file and its sha256, in hexadecimal digits.
type remote struct{ name, hash string }

// kerasURL is the address below which Keras' data sets are.
const kerasURL = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"

// The checksum of MNIST is the one in Keras' code, which has none for Fashion-MNIST.
var (
	mnist = source{
		name: "mnist", env: "GOSPMD_MNIST_DIR", url: kerasURL, subdir: "datasets",
		files: []remote{{"mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"}},
		local: idxNames,
		read:  func(paths []string, _ config) (Split, Split, error) { return readArchive(paths[0]) }, readLocal: readIDXFiles,
	}
	fashionMNIST = source{
		name: "fashion_mnist", env: "GOSPMD_FASHION_MNIST_DIR", url: kerasURL, subdir: filepath.Join("datasets", "fashion-mnist"),
		files: []remote{
			{"train-images-idx3-ubyte.gz", "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
			{"train-labels-idx1-ubyte.gz", "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
			{"t10k-images-idx3-ubyte.gz", "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
			{"t10k-labels-idx1-ubyte.gz", "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"},
		},
		local: idxNames,
		read:  readIDXFiles, readLocal: readIDXFiles,
	}
)

func (s source) load(ctx context.Context, opts []Option) (train, test Split, err error) {
	c := config{dir: os.Getenv(s.env), mirror: s.url}
	var paths []string
	read := s.read
	if err = option.Apply(s.name, &c, opts, append([]string{"Dir", "Mirror", "Output"}, s.options...)...); err == nil {
		if c.dir != "" {
			read = s.readLocal
			paths, err = s.localFiles(c.dir)
		} else {
			paths, err = s.fetch(ctx, c)
		}
	}
	if err == nil {
		train, test, err = read(paths, c)
	}
	if err != nil {
		return Split{}, Split{}, fmt.Errorf("datasets: %s: %w", s.name, err)
	}
	return train, test, nil
}

// fetch returns the paths of the data set's files in Keras' directory, and downloads those that are
// missing from the mirror of c, and verifies their checksums. Progress goes to c.out; an error
// names the way to use local files.
func (s source) fetch(ctx context.Context, c config) ([]string, error) {
	home, err := download.KerasHome()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, r := range s.files {
		f := download.File{URL: strings.TrimSuffix(c.mirror, "/") + "/" + r.name, Dir: filepath.Join(home, s.subdir), Hash: r.hash}
		path, err := f.Get(ctx, c.out)
		if err != nil {
			return nil, fmt.Errorf("%w, or name a directory that has the files %s by datasets.Dir or $%s", err, strings.Join(s.local, ", "), s.env)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// idxNames are the files of a data set: images and classes of the training split,
// then of the test split.
var idxNames = []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}

// localFiles returns the paths of the data set's files in dir, plain or with .gz. A file that is
// missing is an error.
func (s source) localFiles(dir string) ([]string, error) {
	var paths []string
	for _, name := range s.local {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			path += ".gz"
			if _, err := os.Stat(path); err != nil {
				return nil, fmt.Errorf("the directory %s has neither %s nor %s.gz: want the files %s, plain or with .gz", dir, name, name, strings.Join(s.local, ", "))
			}
		}
		paths = append(paths, path)
	}
	return paths, nil
}
