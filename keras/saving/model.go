package saving

// This file saves and loads whole models.

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/keras"
)

// SaveModel writes the model into a .keras archive: layers, weights, what it
// was compiled with, the optimizer's variables. It is keras.Model.save. The
// file is whole or, after a failure, what it was before.
func SaveModel(ctx context.Context, m *keras.Model, name string) error {
	if !strings.HasSuffix(name, archiveSuffix) {
		return fmt.Errorf("saving: got the file name %s, want one that ends in %s", name, archiveSuffix)
	}
	config, err := encodeModel(ctx, m)
	if err == nil {
		err = atomicfile.Write(name, func(f *os.File) error {
			return writeArchive(f, config, func(w *os.File) error { return writeWeights(ctx, m, w) })
		})
	}
	if err != nil {
		return fmt.Errorf("saving: model %s to %s: %w", m.Name(), name, err)
	}
	return nil
}

// LoadModel makes the model of a .keras archive: keras.saving.load_model. It
// is laid out by the current distribution, and compiled if it was when it was
// saved; opts come on top of what it was compiled with then. Training goes on
// from the optimizer's state.
func LoadModel(ctx context.Context, name string, opts ...keras.CompileOption) (*keras.Model, error) {
	m, err := loadModel(ctx, name, opts)
	if err != nil {
		return nil, fmt.Errorf("saving: model from %s: %w", name, err)
	}
	return m, nil
}

func loadModel(ctx context.Context, name string, opts []keras.CompileOption) (*keras.Model, error) {
	if !strings.HasSuffix(name, archiveSuffix) {
		return nil, fmt.Errorf("want a file name that ends in %s; weights alone are read by LoadWeights", archiveSuffix)
	}
	a, err := openArchive(name)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	m, compile, err := decodeModel(a.config)
	if err != nil {
		return nil, err
	}
	if all := append(compile, opts...); len(all) > 0 {
		if err := m.Compile(all...); err != nil {
			return nil, err
		}
	}
	return m, readWeights(ctx, m, a.weights)
}
