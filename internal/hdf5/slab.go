package hdf5

// This file reads elements. A slab is a box of a tensor, given by its first index
// and its number of indices in each dimension.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/rowmajor"
)

// Slab reads a box of elements into dst: in each dimension i the count[i] indices from start[i] on.
// Elements are in row-major order, little-endian, without gaps. dst must have exactly their size.
// For strings of variable length use Texts. A box outside the shape, another size of dst, and
// damaged data are errors.
func (d *Dataset) Slab(start, count []int, dst []byte) error {
	if err := d.slab(start, count, dst); err != nil {
		return fmt.Errorf("hdf5: dataset %s: %w", brief.Text(d.path), err)
	}
	return nil
}

func (d *Dataset) slab(start, count []int, dst []byte) error {
	if d.reason != "" {
		return fmt.Errorf("it cannot be read: %s", d.reason)
	}
	elem := d.elem.Size
	n, err := checkSlab(d.shape, start, count, elem)
	if err != nil {
		return err
	}
	if len(dst) != n {
		return fmt.Errorf("a slab of %v elements of %s has %d bytes, got room for %d", count, d.elem.Type, n, len(dst))
	}
	if n == 0 {
		return nil
	}
	switch {
	case d.storage.class == storeChunked:
		err = d.chunkSlab(start, count, dst)
	case d.storage.class == storeCompact:
		rowmajor.CopyBox(dst, count, nil, d.storage.compact, d.shape, start, count, elem)
	case d.storage.address == undefined:
		d.fillUp(dst)
	default:
		err = d.readContiguous(start, count, dst)
	}
	if err == nil && d.elem.bigEndian {
		swapBytes(dst, elem)
	}
	return err
}

// fillUp fills b with the dataset's fill value: the value of elements that were never written, or
// zeros.
func (d *Dataset) fillUp(b []byte) {
	if d.fill == nil {
		clear(b)
		return
	}
	for ; len(b) > 0; b = b[len(d.fill):] {
		copy(b, d.fill)
	}
}

// A run shorter than window is read together with the runs after it, unless the
// gap between them is wider than maxGap.
const (
	window = 256 << 10
	maxGap = 16 << 10
)

func (d *Dataset) readContiguous(start, count []int, dst []byte) error {
	var buf []byte
	var bufAt int64
	gap := d.gap(count)
	for at, n := range rowmajor.Runs(d.shape, start, count, d.elem.Size) {
		switch {
		case at >= bufAt && at+int64(n) <= bufAt+int64(len(buf)):
			copy(dst, buf[at-bufAt:][:n])
		case n == len(dst) || n >= window || gap > maxGap:
			if err := d.f.readAt(dst[:n], int64(d.storage.address)+at); err != nil {
				return err
			}
		default:
			if buf == nil {
				buf = make([]byte, min(window, d.bytes-at))
			}
			buf, bufAt = buf[:min(int64(cap(buf)), d.bytes-at)], at
			if err := d.f.readAt(buf, int64(d.storage.address)+at); err != nil {
				return err
			}
			copy(dst, buf[:n])
		}
		dst = dst[n:]
	}
	return nil
}

// gap returns the number of bytes between two contiguous runs of elements in the dataset, for a box
// that has count elements in each dimension; 0 if the box is contiguous.
func (d *Dataset) gap(count []int) int {
	size := d.elem.Size
	for i := len(count) - 1; i >= 0; i-- {
		if count[i] != d.shape[i] {
			return (d.shape[i] - count[i]) * size
		}
		size *= count[i]
	}
	return 0
}

// Read returns all elements: row-major, little-endian. It returns an error if the dataset is larger
// than the budget of the file, which is possible for a large shape with few stored elements.
func (d *Dataset) Read() ([]byte, error) {
	if d.reason != "" {
		return nil, fmt.Errorf("hdf5: dataset %s: it cannot be read: %s", brief.Text(d.path), d.reason)
	}
	if err := d.f.budget.Check(d.bytes, fmt.Sprintf("its shape %v of %s", d.shape, d.elem.Type)); err != nil {
		return nil, fmt.Errorf("hdf5: dataset %s: %w", brief.Text(d.path), err)
	}
	dst := make([]byte, d.bytes)
	return dst, d.Slab(make([]int, len(d.shape)), d.shape, dst)
}

// Texts returns all elements of a dataset of strings, of fixed or variable length, row by row.
// Other datasets are an error, and so are texts that exceed the file's budget.
func (d *Dataset) Texts() ([]string, error) {
	if k := d.elem.Kind; k != String && k != VarString {
		return nil, fmt.Errorf("hdf5: dataset %s holds %s, want strings", brief.Text(d.path), d.elem.Type)
	}
	data, err := d.Read()
	if err != nil {
		return nil, err
	}
	sum := int64(0) // the caller owns the texts: they are checked, but not charged
	out, err := d.f.texts(data, d.elem.Type, "dataset "+brief.Text(d.path), func(n int64, what string) error {
		sum += n
		return d.f.budget.Check(sum, what)
	})
	if err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	return out, nil
}

// checkSlab returns the size in bytes of a slab, of count elements of elem bytes from start on, or
// an error if it is not inside shape.
func checkSlab(shape, start, count []int, elem int) (int, error) {
	if len(start) != len(shape) || len(count) != len(shape) {
		return 0, fmt.Errorf("a slab from %v of %v does not fit the shape %v: want a start and a count for each dimension", start, count, shape)
	}
	n := elem
	for i, d := range shape {
		if start[i] < 0 || count[i] < 0 || start[i] > d-count[i] {
			return 0, fmt.Errorf("a slab from %v of %v is outside the shape %v in dimension %d", start, count, shape, i)
		}
		n *= count[i]
	}
	return n, nil
}

// swapBytes reverses the bytes of each element of elem bytes in b, in place: big-endian elements
// become little-endian, or back.
func swapBytes(b []byte, elem int) {
	for ; len(b) >= elem; b = b[elem:] {
		for i, j := 0, elem-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
}
