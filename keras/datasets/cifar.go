package datasets

// This file reads CIFAR-10 and CIFAR-100 in their binary form: records of classes and pixels, one
// byte each.

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// CIFAR10 returns 50000 color images of ten classes to train on and 10000 to test on:
// keras.datasets.cifar10.load_data. X is (n, 32, 32, 3) and Y (n, 1), as in Keras. It reads the
// binary archive, or with Dir its files; Keras downloads the same data as an archive of Python
// objects. Options: Dir, Mirror, Output.
func CIFAR10(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return cifar10.load(ctx, opts)
}

// CIFAR100 is CIFAR10 with a hundred classes, or with LabelMode("coarse") twenty:
// keras.datasets.cifar100.load_data. Options: those of CIFAR10, and LabelMode.
func CIFAR100(ctx context.Context, opts ...Option) (train, test Split, err error) {
	return cifar100.load(ctx, opts)
}

// LabelMode sets which classes CIFAR100 has: "fine", the default, for a hundred, or "coarse" for
// twenty. Other modes are errors.
func LabelMode(mode string) Option {
	return Option{setting{Name: "LabelMode", Set: func(c *config) error {
		if mode != "fine" && mode != "coarse" {
			return fmt.Errorf("got %q, want \"fine\" or \"coarse\"", mode)
		}
		c.coarse = mode == "coarse"
		return nil
	}}}
}

// cifarURL is the address below which the archives are.
const cifarURL = "https://www.cs.toronto.edu/~kriz/"

var (
	cifar10 = source{
		name: "cifar10", env: "GOSPMD_CIFAR10_DIR", url: cifarURL, subdir: "datasets",
		files: []remote{{"cifar-10-binary.tar.gz", "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}},
		local: cifar10Files,
		read: func(paths []string, _ config) (Split, Split, error) {
			return readCIFARArchive(paths[0], cifar10Files, 1, 0)
		},
		readLocal: func(paths []string, _ config) (Split, Split, error) { return readCIFARFiles(paths, 1, 0) },
	}
	cifar100 = source{
		name: "cifar100", env: "GOSPMD_CIFAR100_DIR", url: cifarURL, subdir: "datasets", options: []string{"LabelMode"},
		files: []remote{{"cifar-100-binary.tar.gz", "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"}},
		local: cifar100Files,
		read: func(paths []string, c config) (Split, Split, error) {
			return readCIFARArchive(paths[0], cifar100Files, 2, c.label())
		},
		readLocal: func(paths []string, c config) (Split, Split, error) { return readCIFARFiles(paths, 2, c.label()) },
	}
)

// The names of the files in the archives: those of the training split first, and last that of the
// test split.
var (
	cifar10Files  = []string{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}
	cifar100Files = []string{"train.bin", "test.bin"}
)

// label returns the index of the byte of a record of CIFAR-100 that is the class: 0 for coarse
// classes, 1 for fine ones.
func (c config) label() int {
	if c.coarse {
		return 0
	}
	return 1
}

const (
	cifarSide     = 32
	cifarPixels   = cifarSide * cifarSide
	maxCIFARBytes = 1 << 28 // of a file; the largest one of the data sets has 154 MB
)

// readCIFARArchive returns the images and classes in the files of a .tar.gz archive; the last of
// files is the test split, and the others are the training split. Each image has that many bytes of
// labels before it; the byte with index label is its class. A missing or damaged file is an error.
func readCIFARArchive(name string, files []string, labels, label int) (train, test Split, err error) {
	f, err := os.Open(name)
	if err != nil {
		return train, test, err
	}
	defer f.Close()
	z, err := contentOf(f)
	if err != nil {
		return train, test, fmt.Errorf("%s: %w", name, err)
	}
	contents := make([][]byte, len(files))
	archive := tar.NewReader(z)
	for {
		member, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return train, test, fmt.Errorf("%s: %w", name, err)
		}
		i := slices.Index(files, path.Base(member.Name))
		if i < 0 || member.Typeflag != tar.TypeReg {
			continue
		}
		if contents[i], err = readBounded(archive); err != nil {
			return train, test, fmt.Errorf("%s: %s: %w", name, member.Name, err)
		}
	}
	if _, err := readBounded(z); err != nil { // what follows the archive's end, to verify the checksum
		return train, test, fmt.Errorf("%s: %w", name, err)
	}
	for i, c := range contents {
		if c == nil {
			return train, test, fmt.Errorf("%s: the archive has no file %s", name, files[i])
		}
	}
	return splitCIFAR(contents, files, labels, label)
}

// readCIFARFiles reads the files at paths, plain or compressed, as readCIFARArchive reads those of
// an archive: the last file is the test split, and labels and label are the same. A file that
// cannot be read is an error that names it.
func readCIFARFiles(paths []string, labels, label int) (train, test Split, err error) {
	contents := make([][]byte, len(paths))
	for i, name := range paths {
		if contents[i], err = readCIFARFile(name); err != nil {
			return train, test, fmt.Errorf("%s: %w", name, err)
		}
	}
	return splitCIFAR(contents, paths, labels, label)
}

func readCIFARFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := contentOf(f)
	if err != nil {
		return nil, err
	}
	return readBounded(r)
}

func readBounded(r io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxCIFARBytes+1))
	if err == nil && len(content) > maxCIFARBytes {
		err = fmt.Errorf("it has more than %d bytes, which no file of the data set has", maxCIFARBytes)
	}
	return content, err
}

// splitCIFAR makes the splits of the contents of files, whose names are for errors. The last file
// is the test split. A record starts with labels bytes of labels. The label with index label is the
// class. Then come the pixels, color by color. Other sizes are errors.
func splitCIFAR(contents [][]byte, names []string, labels, label int) (train, test Split, err error) {
	size := labels + 3*cifarPixels
	for i, c := range contents {
		if len(c) == 0 || len(c)%size != 0 {
			return train, test, fmt.Errorf("%s: got %d bytes, want records of %d", names[i], len(c), size)
		}
	}
	last := len(contents) - 1
	return readRecords(slices.Concat(contents[:last]...), labels, label), readRecords(contents[last], labels, label), nil
}

func readRecords(content []byte, labels, label int) Split {
	size := labels + 3*cifarPixels
	n := len(content) / size
	x, y := make([]uint8, n*3*cifarPixels), make([]uint8, n)
	for i := range n {
		record := content[i*size : (i+1)*size]
		y[i] = record[label]
		image := x[i*3*cifarPixels : (i+1)*3*cifarPixels]
		for color := range 3 {
			for p, v := range record[labels+color*cifarPixels : labels+(color+1)*cifarPixels] {
				image[3*p+color] = v
			}
		}
	}
	return Split{tensors.FromFlatDataAndDimensions(x, n, cifarSide, cifarSide, 3), tensors.FromFlatDataAndDimensions(y, n, 1)}
}
