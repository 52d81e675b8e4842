package datasets

// This file reads arrays of bytes: IDX files and NumPy archives. A tensor with the shape in the
// header is allocated only if the size of the file justifies it.

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/zipfile"
)

// readIDXFiles reads MNIST's four IDX files, in the order of idxNames, and returns both splits. It
// returns an error if a split does not have one class for each image.
func readIDXFiles(paths []string, _ config) (train, test Split, err error) {
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

// readArchive reads Keras' archive of a data set: .npz, a zip file of .npy files. It returns an
// error if one of the files x_train, y_train, x_test and y_test is missing, or if a split does not
// have one class for each image.
func readArchive(path string) (train, test Split, err error) {
	f, err := os.Open(path)
	if err != nil {
		return train, test, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return train, test, err
	}
	b := budget.ForFile(info.Size())
	z, err := zipfile.Open(f, info.Size(), b)
	if err != nil {
		return train, test, fmt.Errorf("%s: %w", path, err)
	}
	for _, array := range []struct {
		name string
		to   **tensors.Tensor
	}{{"x_train", &train.X}, {"y_train", &train.Y}, {"x_test", &test.X}, {"y_test", &test.Y}} {
		if *array.to, err = readMember(z, array.name+".npy", b); err != nil {
			return train, test, fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, s := range []Split{train, test} {
		if err := s.check(); err != nil {
			return train, test, fmt.Errorf("%s: %w", path, err)
		}
	}
	return train, test, nil
}

// check returns an error unless X has the shape (n, height, width) and Y the shape (n), with a
// class for each image.
func (s Split) check() error {
	x, y := s.X.Shape().Dimensions, s.Y.Shape().Dimensions
	if len(x) != 3 || len(y) != 1 || x[0] != y[0] {
		return fmt.Errorf("images of shape %v and classes of shape %v: want (n, height, width) and (n)", x, y)
	}
	return nil
}

// readIDX returns the tensor in an IDX file of unsigned bytes: two bytes 0, the type of the
// elements, the number of dimensions, each dimension in four bytes, most significant first, and
// then the elements. Other files are an error.
func readIDX(path string) (*tensors.Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := contentOf(f)
	if err != nil {
		return nil, err
	}
	const unsignedBytes = 8
	head := make([]byte, 4)
	n, err := readUpTo(r, head)
	if err != nil {
		return nil, err
	}
	sizes := make([]byte, 4*int(head[3]))
	got, err := readUpTo(r, sizes)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(head[:n], []byte{0, 0, unsignedBytes}) || n < len(head) || got < len(sizes) {
		return nil, fmt.Errorf("it begins with % x: want an IDX file of unsigned bytes (00 00 08)", head[:n])
	}
	dims := make([]int, head[3])
	for i := range dims {
		dims[i] = int(binary.BigEndian.Uint32(sizes[4*i:]))
	}
	return readElements(r, dims, budget.ForFile(info.Size()))
}

// contentOf returns a reader of a file's content, decompressed if its name ends in .gz. The
// checksum is verified where the reader ends.
func contentOf(f *os.File) (io.Reader, error) {
	r := bufio.NewReader(f)
	if strings.HasSuffix(f.Name(), ".gz") {
		return gzip.NewReader(r)
	}
	return r, nil
}

// readUpTo fills b with as many bytes as r has, and returns their number. It is an error if
// compressed data or their checksum end too early.
func readUpTo(r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var more int
		more, err = r.Read(b[n:])
		n += more
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF): // only decompressors return this error
		return n, fmt.Errorf("the file is cut off: its compressed data, or their checksum, are not complete: %w", err)
	case err == io.EOF:
		err = nil
	}
	return n, err
}

// readElements reads unsigned bytes from r as a tensor of the given dimensions. The memory of the
// tensor is taken from the budget b. It returns an error if a dimension is 0, or if r has more or
// fewer elements.
func readElements(r io.Reader, dims []int, b *budget.Budget) (*tensors.Tensor, error) {
	size := int64(1)
	for _, d := range dims {
		if d < 1 {
			return nil, fmt.Errorf("the shape in its header is %v: want sizes of at least 1", dims)
		}
		size = budget.Product(size, int64(d))
	}
	if err := b.Take(size, fmt.Sprintf("the shape in its header, %v,", dims)); err != nil {
		return nil, err
	}
	t := tensors.FromShape(shapes.Make(dtypes.Uint8, dims...))
	var n int
	var err error
	tensors.MustMutableFlatData(t, func(to []uint8) { n, err = readUpTo(r, to) })
	if err != nil {
		return nil, err
	}
	more, err := readUpTo(r, make([]byte, 1)) // also verifies the checksum
	if err != nil {
		return nil, err
	}
	if int64(n) < size {
		return nil, fmt.Errorf("it holds %d elements, the shape in its header is %v: the file is cut off or damaged", n, dims)
	}
	if more > 0 {
		return nil, fmt.Errorf("it holds more than the %d elements of the shape %v in its header: the file is damaged", size, dims)
	}
	return t, nil
}

func readMember(z *zipfile.Archive, name string, b *budget.Budget) (*tensors.Tensor, error) {
	m, err := z.Member(name)
	if err != nil {
		return nil, err
	}
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, err := readNPY(r, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

var (
	npyType  = regexp.MustCompile(`'descr': '([^']*)'`)
	npyOrder = regexp.MustCompile(`'fortran_order': (True|False)`)
	npyShape = regexp.MustCompile(`'shape': \(([0-9, ]*)\)`)
)

// readNPY returns the tensor in an .npy file of version 1: a header in Python's notation, and the
// elements. They must be unsigned bytes in row-major order; other files are an error. The memory of
// the tensor is taken from the budget b.
func readNPY(r io.Reader, b *budget.Budget) (*tensors.Tensor, error) {
	const magic = "\x93NUMPY\x01\x00"
	start := make([]byte, len(magic)+2)
	n, err := readUpTo(r, start)
	if err != nil {
		return nil, err
	}
	text := make([]byte, binary.LittleEndian.Uint16(start[len(magic):]))
	got, err := readUpTo(r, text)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(start, []byte(magic)) || got < len(text) {
		return nil, fmt.Errorf("it begins with %.8q: want an .npy file, version 1", start[:n])
	}
	header := string(text)
	typ, order, shape := npyType.FindStringSubmatch(header), npyOrder.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if typ == nil || order == nil || shape == nil || typ[1] != "|u1" || order[1] != "False" {
		return nil, fmt.Errorf("its header is %.200q: want unsigned bytes (|u1) in row-major order", header)
	}
	dims, err := npyDims(shape[1])
	if err != nil {
		return nil, fmt.Errorf("its header is %.200q: %w", header, err)
	}
	return readElements(r, dims, b)
}

// npyDims returns the dimensions in text, the numbers of a shape with commas between them. It
// returns an error if there are more than NumPy's arrays may have, or a number is too large for an
// int.
func npyDims(text string) (dims []int, err error) {
	const maxRank = 64
	for _, d := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(d)
		if err != nil {
			return nil, errors.Unwrap(err) // without the text of the number, which may be long
		}
		dims = append(dims, size)
	}
	if len(dims) > maxRank {
		return nil, fmt.Errorf("it has %d dimensions, want at most %d", len(dims), maxRank)
	}
	return dims, nil
}
