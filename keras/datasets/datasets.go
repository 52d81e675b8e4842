package datasets

// This file defines the data sets and their options, finds their files, and
// reads them: IDX files and NumPy archives.

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/internal/option"
)

// Split is the training or the test split of a data set: images X of shape
// (n, 28, 28) and classes Y of shape (n,), both uint8 as in Keras.
type Split struct {
	X, Y *tensors.Tensor
}

// MNIST returns 60000 handwritten digits to train on and 10000 to test on:
// keras.datasets.mnist.load_data. Options: Dir, Mirror, Output.
func MNIST(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return mnist.load(ctx, opts)
}

// FashionMNIST returns 60000 images of clothes to train on and 10000 to test on:
// keras.datasets.fashion_mnist.load_data. Options: Dir, Mirror, Output.
func FashionMNIST(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return fashionMNIST.load(ctx, opts)
}

type config struct {
	dir    string
	mirror string
	out    io.Writer
}

// Option configures how a data set is loaded.
type Option = option.Option[config]

// Dir reads the data set from a directory with its four IDX files, plain or with
// the ending .gz, and downloads nothing.
func Dir(dir string) Option {
	return Option{Name: "Dir", Set: func(c *config) error {
		if dir == "" {
			return fmt.Errorf("got an empty name, want a directory with the files")
		}
		c.dir = dir
		return nil
	}}
}

// Mirror downloads from another address than Keras does. The files must be the
// same.
func Mirror(url string) Option { return option.New("Mirror", func(c *config) { c.mirror = url }) }

// Output sets where the progress of a download is shown, os.Stderr by default.
func Output(w io.Writer) Option { return option.New("Output", func(c *config) { c.out = w }) }

// source says where a data set comes from.
type source struct {
	name   string
	env    string // the variable that names a directory of IDX files
	url    string // the address below which its files are
	subdir string // below Keras' directory
	files  []remote
	read   func(paths []string) (train, test Split, err error)
}

// remote is a file and its sha256.
type remote struct{ name, hash string }

// kerasURL is where Keras downloads from.
const kerasURL = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"

// The checksum of MNIST is the one in Keras' code, which has none for Fashion-MNIST.
var (
	mnist = source{
		name: "mnist", env: "GOSPMD_MNIST_DIR", url: kerasURL, subdir: "datasets",
		files: []remote{{"mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"}},
		read:  func(paths []string) (Split, Split, error) { return readArchive(paths[0]) },
	}
	fashionMNIST = source{
		name: "fashion_mnist", env: "GOSPMD_FASHION_MNIST_DIR", url: kerasURL, subdir: filepath.Join("datasets", "fashion-mnist"),
		files: []remote{
			{"train-images-idx3-ubyte.gz", "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
			{"train-labels-idx1-ubyte.gz", "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
			{"t10k-images-idx3-ubyte.gz", "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
			{"t10k-labels-idx1-ubyte.gz", "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"},
		},
		read: readIDXFiles,
	}
)

func (s source) load(ctx context.Context, opts []Option) (train, test Split, err error) {
	c := config{dir: os.Getenv(s.env), mirror: s.url}
	var paths []string
	read := s.read
	if err = option.Apply(s.name, &c, opts, "Dir", "Mirror", "Output"); err == nil {
		if c.dir != "" {
			read = readIDXFiles
			paths, err = idxFiles(c.dir)
		} else {
			paths, err = s.fetch(ctx, c)
		}
	}
	if err == nil {
		train, test, err = read(paths)
	}
	if err != nil {
		return Split{}, Split{}, fmt.Errorf("datasets: %s: %w", s.name, err)
	}
	return train, test, nil
}

// fetch returns the paths of the files, and downloads those that are missing.
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
			return nil, fmt.Errorf("%w, or name a directory that has the IDX files (%s) by datasets.Dir or $%s", err, strings.Join(idxNames, ", "), s.env)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// idxNames are the files of a data set: images and classes of the training split,
// then of the test split.
var idxNames = []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}

// idxFiles returns the paths of the files in a directory.
func idxFiles(dir string) ([]string, error) {
	var paths []string
	for _, name := range idxNames {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			path += ".gz"
			if _, err := os.Stat(path); err != nil {
				return nil, fmt.Errorf("the directory %s has neither %s nor %s.gz: want the four files %s, plain or with .gz", dir, name, name, strings.Join(idxNames, ", "))
			}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// readIDXFiles reads the files in the order of idxNames.
func readIDXFiles(paths []string) (train, test Split, err error) {
	for i, to := range []**tensors.Tensor{&train.X, &train.Y, &test.X, &test.Y} {
		if *to, err = readIDX(paths[i]); err != nil {
			return train, test, fmt.Errorf("%s: %w", paths[i], err)
		}
	}
	for i, s := range []Split{train, test} {
		if err := s.check(); err != nil {
			return train, test, fmt.Errorf("%s and %s: %w", paths[2*i], paths[2*i+1], err)
		}
	}
	return train, test, nil
}

// readArchive reads Keras' archive of a data set: .npz, a zip file of .npy files.
func readArchive(path string) (train, test Split, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return train, test, fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	for _, array := range []struct {
		name string
		to   **tensors.Tensor
	}{{"x_train", &train.X}, {"y_train", &train.Y}, {"x_test", &test.X}, {"y_test", &test.Y}} {
		if *array.to, err = readMember(z, array.name+".npy"); err != nil {
			return train, test, fmt.Errorf("%s: %s: %w", path, array.name, err)
		}
	}
	for _, s := range []Split{train, test} {
		if err := s.check(); err != nil {
			return train, test, fmt.Errorf("%s: %w", path, err)
		}
	}
	return train, test, nil
}

// check returns an error unless there is a class for each image.
func (s Split) check() error {
	x, y := s.X.Shape().Dimensions, s.Y.Shape().Dimensions
	if len(x) != 3 || len(y) != 1 || x[0] != y[0] {
		return fmt.Errorf("images of shape %v and classes of shape %v: want (n, height, width) and (n)", x, y)
	}
	return nil
}

// readIDX reads an IDX file of unsigned bytes: two bytes 0, the type of the
// elements, the number of dimensions, each dimension in four bytes, most
// significant first, and then the elements.
func readIDX(path string) (*tensors.Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	const unsignedBytes = 8
	if !bytes.HasPrefix(all, []byte{0, 0, unsignedBytes}) || len(all) < 4 || len(all) < 4+4*int(all[3]) {
		return nil, fmt.Errorf("it begins with % x: want an IDX file of unsigned bytes (00 00 08)", all[:min(4, len(all))])
	}
	dims := make([]int, all[3])
	all = all[4:]
	for i := range dims {
		dims[i] = int(binary.BigEndian.Uint32(all))
		all = all[4:]
	}
	return bytesTensor(all, dims)
}

// bytesTensor returns the elements as a tensor, or an error if their number is not
// that of the shape.
func bytesTensor(elements []byte, dims []int) (*tensors.Tensor, error) {
	rest := len(elements)
	for _, d := range dims {
		if d < 1 || rest%d != 0 {
			rest = 0
			break
		}
		rest /= d
	}
	if rest != 1 {
		return nil, fmt.Errorf("it holds %d elements, the shape in its header is %v: the file is cut off or damaged", len(elements), dims)
	}
	return tensors.FromFlatDataAndDimensions(elements, dims...), nil
}

func readMember(z *zip.ReadCloser, name string) (*tensors.Tensor, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return parseNPY(all)
}

var (
	npyType  = regexp.MustCompile(`'descr': '([^']*)'`)
	npyOrder = regexp.MustCompile(`'fortran_order': (True|False)`)
	npyShape = regexp.MustCompile(`'shape': \(([0-9, ]*)\)`)
)

// parseNPY reads an .npy file of version 1 with unsigned bytes: a header in
// Python's notation, and the elements.
func parseNPY(b []byte) (*tensors.Tensor, error) {
	const magic = "\x93NUMPY\x01\x00"
	rest, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok || len(rest) < 2 || len(rest)-2 < int(binary.LittleEndian.Uint16(rest)) {
		return nil, fmt.Errorf("it begins with %.8q: want an .npy file, version 1", b)
	}
	n := int(binary.LittleEndian.Uint16(rest))
	header, elements := string(rest[2:2+n]), rest[2+n:]
	typ, order, shape := npyType.FindStringSubmatch(header), npyOrder.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if typ == nil || order == nil || shape == nil || typ[1] != "|u1" || order[1] != "False" {
		return nil, fmt.Errorf("its header is %.200q: want unsigned bytes (|u1) in row-major order", header)
	}
	var dims []int
	for _, d := range strings.FieldsFunc(shape[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(d)
		if err != nil {
			return nil, fmt.Errorf("its header is %.200q: %w", header, err)
		}
		dims = append(dims, size)
	}
	return bytesTensor(elements, dims)
}
