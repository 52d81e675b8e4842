package datasets

// This file reads IDX files: two bytes 0, the type of the elements, the number
// of dimensions, each dimension in four bytes, most significant first, and
// then the elements.

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
)

// idxNames are the files of a data set: images and classes to train on, then
// to test on.
var idxNames = []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}

// idxFiles returns the paths of the files in a folder.
func idxFiles(dir string) ([]string, error) {
	var paths []string
	for _, name := range idxNames {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			path += ".gz"
			if _, err := os.Stat(path); err != nil {
				return nil, fmt.Errorf("the folder %s has neither %s nor %s.gz: want the four files %s, plain or with .gz", dir, name, name, strings.Join(idxNames, ", "))
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

// check says whether there is a class for each image.
func (s Split) check() error {
	x, y := s.X.Shape().Dimensions, s.Y.Shape().Dimensions
	if len(x) != 3 || len(y) != 1 || x[0] != y[0] {
		return fmt.Errorf("images of shape %v and classes of shape %v: want (n, height, width) and (n)", x, y)
	}
	return nil
}

// readIDX reads a file of unsigned bytes.
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

// bytesTensor returns the elements as a tensor, if they are as many as its
// shape wants.
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
		return nil, fmt.Errorf("it holds %d elements, the shape in its head is %v: the file is cut off or damaged", len(elements), dims)
	}
	return tensors.FromFlatDataAndDimensions(elements, dims...), nil
}
