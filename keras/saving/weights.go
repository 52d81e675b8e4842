package saving

// This file saves and loads weights.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

const weightsSuffix = ".weights.h5"

// SaveWeights writes the weights of the model, and the optimizer's variables
// once it has been trained, into a file whose name ends in .weights.h5:
// keras.Model.save_weights. The file is whole or, after a failure, what it was
// before.
func SaveWeights(ctx context.Context, m *keras.Model, name string) error {
	if !strings.HasSuffix(name, weightsSuffix) {
		return fmt.Errorf("saving: got the file name %s, want one that ends in %s", name, weightsSuffix)
	}
	err := atomicfile.Write(name, func(f *os.File) error { return writeWeights(ctx, m, f) })
	if err != nil {
		return fmt.Errorf("saving: weights of model %s to %s: %w", m.Name(), name, err)
	}
	return nil
}

var errNotBuilt = errors.New("the model is not built, so it has no weights yet: call Build, or train it")

func writeWeights(ctx context.Context, m *keras.Model, f *os.File) error {
	if len(m.Nodes()) == 0 {
		return errNotBuilt
	}
	all, err := places(m)
	if err != nil {
		return err
	}
	all = append(all, optimizerPlaces(m.Optimizer())...)
	w := hdf5.NewWriter(f)
	for _, p := range all {
		if err := writePlace(ctx, w, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return w.Close()
}

func (p place) group() string { return strings.TrimPrefix(p.path+"/vars", "/") }

func writePlace(ctx context.Context, w *hdf5.Writer, p place) error {
	g, err := w.Root().Group(p.group())
	if err != nil {
		return err
	}
	if err := g.SetAttr("name", p.name); err != nil {
		return err
	}
	for i, v := range p.variables {
		t, ok := fileTypes[v.DType()]
		if !ok {
			return fmt.Errorf("variable %s: elements of type %s have no place in Keras' files", v.Path(), v.DType())
		}
		d, err := g.Dataset(strconv.Itoa(i), t, v.Shape())
		if err != nil {
			return err
		}
		if t.Kind == hdf5.Opaque {
			if err := d.SetAttr(dtypeAttr, bfloat16); err != nil {
				return err
			}
		}
		err = v.Visit(ctx, func(ranges []layout.Range, data []byte) error {
			start, count := make([]int, len(ranges)), make([]int, len(ranges))
			for i, r := range ranges {
				start[i], count[i] = r.Start, r.Len()
			}
			return d.Slab(start, count, data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LoadWeights reads the weights of the model, which must be built, from a
// .weights.h5 or .keras file, or from an .h5 file of the older format:
// keras.Model.load_weights. Layers are found by class and order (in the older
// format by order), as Keras does, not by name. When the model is compiled the
// optimizer's variables are read too, if there are any in the file. The file
// is compared with the model first: one that does not fit changes nothing.
func LoadWeights(ctx context.Context, m *keras.Model, name string) error {
	if err := loadWeights(ctx, m, name); err != nil {
		return fmt.Errorf("saving: weights of model %s from %s: %w", m.Name(), name, err)
	}
	return nil
}

func loadWeights(ctx context.Context, m *keras.Model, name string) error {
	if strings.HasSuffix(name, archiveSuffix) {
		a, err := openArchive(name)
		if err != nil {
			return err
		}
		defer a.Close()
		return readWeights(ctx, m, a.weights)
	}
	f, err := hdf5.Open(name)
	if errors.Is(err, hdf5.ErrNotHDF5) {
		return fmt.Errorf("%w: want a file that Model.save_weights or SaveWeights wrote", err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return readWeights(ctx, m, f)
}

// pair is a variable and where its value stands.
type pair struct {
	v *variable.Variable
	s source
}

func readWeights(ctx context.Context, m *keras.Model, f *hdf5.File) error {
	if len(m.Nodes()) == 0 {
		return errNotBuilt
	}
	g, err := legacyGroup(f)
	if err != nil {
		return err
	}
	if g != nil {
		pairs, err := matchLegacy(m, g)
		if err != nil {
			return err
		}
		return restore(ctx, m, pairs)
	}
	if !f.Root().Has("vars") && !f.Root().Has("layers") {
		return fmt.Errorf("the file holds %s, want the groups layers and vars of Keras 3, or the attribute layer_names of older files", strings.Join(f.Root().Names(), ", "))
	}
	all, err := places(m)
	if err != nil {
		return err
	}
	var pairs []pair
	var faults []error
	for _, p := range all {
		ps, err := match(f, p)
		if err != nil {
			faults = append(faults, err)
		}
		pairs = append(pairs, ps...)
	}
	extra, err := unused(f, all)
	if err != nil {
		faults = append(faults, err)
	}
	faults = append(faults, extra...)
	ps, err := matchOptimizer(m, f)
	if err != nil {
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return restore(ctx, m, append(pairs, ps...))
}

// restore gives variables the values of the file.
func restore(ctx context.Context, m *keras.Model, pairs []pair) error {
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if err := p.v.Restore(client, p.s); err != nil {
			return err
		}
	}
	return nil
}

// match pairs the variables of a place with the datasets there.
func match(f *hdf5.File, p place) ([]pair, error) {
	n := 0
	var g *hdf5.Group
	if f.Root().Has(p.group()) {
		var err error
		if g, err = f.Root().Group(p.group()); err != nil {
			return nil, err
		}
		n = len(g.Names())
	}
	if n != len(p.variables) {
		hint := ""
		if n == 0 {
			hint = ": is it another model's file?"
		}
		return nil, fmt.Errorf("%s: the file holds %d variables there, want %d%s", p, n, len(p.variables), hint)
	}
	pairs := make([]pair, n)
	for i, v := range p.variables {
		d, err := g.Dataset(strconv.Itoa(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		s := source{d}
		if err := s.check(v.DType(), v.Shape()); err != nil {
			return nil, fmt.Errorf("%s: variable %s: %w", p, v.Path(), err)
		}
		pairs[i] = pair{v, s}
	}
	return pairs, nil
}

// unused returns an error for each layer in the file that has variables and is
// not in the model.
func unused(f *hdf5.File, all []place) (faults []error, err error) {
	if !f.Root().Has("layers") {
		return nil, nil
	}
	g, err := f.Root().Group("layers")
	if err != nil {
		return nil, err
	}
	for _, name := range g.Names() {
		if slices.ContainsFunc(all, func(p place) bool { return p.path == "layers/"+name }) {
			continue
		}
		if vars, err := g.Group(name + "/vars"); err == nil && len(vars.Names()) > 0 {
			faults = append(faults, fmt.Errorf("the file holds weights of a layer layers/%s, the model has none there: it is another model's file", name))
		}
	}
	return faults, nil
}

// matchOptimizer pairs the optimizer's variables. A file of a model that was
// not trained holds no slots, which then start anew.
func matchOptimizer(m *keras.Model, f *hdf5.File) ([]pair, error) {
	if m.Optimizer() == nil || !f.Root().Has(optimizerPath+"/vars") {
		return nil, nil
	}
	g, err := f.Root().Group(optimizerPath + "/vars")
	if err != nil || len(g.Names()) == 0 {
		return nil, err
	}
	if err := m.BuildOptimizer(); err != nil {
		return nil, err
	}
	p := place{optimizerPath, m.Optimizer().Name(), m.Optimizer().Variables()}
	if n, early := len(g.Names()), m.Optimizer().EarlyVariables(); n == len(early) && n < len(p.variables) {
		p.variables = early
	} else if n != len(p.variables) {
		return nil, fmt.Errorf("the file holds %d variables of an optimizer, %s has %d: compile the model with the optimizer that the file was made with, or do not compile it before its weights are loaded",
			n, p.name, len(p.variables))
	}
	return match(f, p)
}
