package callbacks

// This file writes files behind a training.

import (
	"fmt"
	"os"
)

// background runs one function at a time beside the training.
type background struct{ done chan error }

// start runs f; the one before must have been waited for.
func (b *background) start(f func() error) {
	done := make(chan error, 1)
	b.done = done
	go func() { done <- f() }()
}

// wait returns the error of the function that was started last, once.
func (b *background) wait() error {
	if b.done == nil {
		return nil
	}
	err := <-b.done
	b.done = nil
	return err
}

// writable returns an error unless files can be made in the folder, so that
// hours of training do not end at the first file.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".writable.tmp*")
	if err != nil {
		return fmt.Errorf("cannot write into the folder %s: %w", dir, err)
	}
	return removeClosed(f)
}

func removeClosed(f *os.File) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Remove(f.Name())
}
