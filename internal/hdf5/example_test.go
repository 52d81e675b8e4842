package hdf5_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/internal/hdf5"
)

// A matrix is written in two halves, and one column of it is read.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "model.weights.h5")
	if err := write(name); err != nil {
		log.Fatal(err)
	}
	f, err := hdf5.Open(name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	d, err := f.Root().Dataset("layers/dense/vars/0")
	if err != nil {
		log.Fatal(err)
	}
	column := make([]byte, 2)
	if err := d.Slab([]int{0, 1}, []int{2, 1}, column); err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Path(), d.Type(), d.Shape(), column)
	// Output: /layers/dense/vars/0 uint8 [2 3] [2 5]
}

func write(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := hdf5.NewWriter(file)
	g, err := w.Root().Group("layers/dense/vars")
	if err != nil {
		return err
	}
	d, err := g.Dataset("0", hdf5.Uint8, []int{2, 3})
	if err != nil {
		return err
	}
	for row, values := range [][]byte{{1, 2, 3}, {4, 5, 6}} {
		if err := d.Slab([]int{row, 0}, []int{1, 3}, values); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Close()
}
