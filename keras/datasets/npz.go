package datasets

// This file reads NumPy archives: .npz, a zip of .npy files, each a head in
// Python's notation and the elements.

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
)

// readArchive reads Keras' archive of a data set.
func readArchive(path string) (train, test Split, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return train, test, fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	for _, part := range []struct {
		name string
		to   **tensors.Tensor
	}{{"x_train", &train.X}, {"y_train", &train.Y}, {"x_test", &test.X}, {"y_test", &test.Y}} {
		if *part.to, err = readMember(z, part.name+".npy"); err != nil {
			return train, test, fmt.Errorf("%s: %s: %w", path, part.name, err)
		}
	}
	for _, s := range []Split{train, test} {
		if err := s.check(); err != nil {
			return train, test, fmt.Errorf("%s: %w", path, err)
		}
	}
	return train, test, nil
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

// parseNPY returns the tensor of unsigned bytes that an .npy file of version 1
// holds.
func parseNPY(b []byte) (*tensors.Tensor, error) {
	const magic = "\x93NUMPY\x01\x00"
	rest, ok := bytes.CutPrefix(b, []byte(magic))
	if !ok || len(rest) < 2 || len(rest)-2 < int(binary.LittleEndian.Uint16(rest)) {
		return nil, fmt.Errorf("it begins with %.8q: want an .npy file, version 1", b)
	}
	n := int(binary.LittleEndian.Uint16(rest))
	head, elements := string(rest[2:2+n]), rest[2+n:]
	typ, order, shape := npyType.FindStringSubmatch(head), npyOrder.FindStringSubmatch(head), npyShape.FindStringSubmatch(head)
	if typ == nil || order == nil || shape == nil || typ[1] != "|u1" || order[1] != "False" {
		return nil, fmt.Errorf("its head is %.200q: want unsigned bytes (|u1), row by row", head)
	}
	var dims []int
	for _, d := range strings.FieldsFunc(shape[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(d)
		if err != nil {
			return nil, fmt.Errorf("its head is %.200q: %w", head, err)
		}
		dims = append(dims, size)
	}
	return bytesTensor(elements, dims)
}
