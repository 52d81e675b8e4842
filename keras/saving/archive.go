package saving

// This file saves and loads models: .keras archives, which are zip files of
// config.json, metadata.json and model.weights.h5.

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/zipfile"
	"github.com/gospmd/gospmd/keras"
)

// SaveModel writes the model into a .keras archive: layers, weights, the arguments of Compile, the
// optimizer's variables. It is keras.Model.save. name must end in .keras. A model that is not
// built, and one that Keras' format cannot hold (Check), are errors. After a failure the file is
// unchanged. In a job of several processes all must call it, and process 0 writes the file.
func SaveModel(ctx context.Context, m *keras.Model, name string) error {
	return saveModel(ctx, m, name, nil)
}

// SaveModelAsync is SaveModel behind its caller: it returns when the variables are copied to the
// host's memory. Wait and Close of behind tell the error of the last save, and so does the next
// save by behind, which saves nothing then. In a job of several processes it is SaveModel.
func SaveModelAsync(ctx context.Context, m *keras.Model, name string, behind *checkpoint.Async) error {
	return saveModel(ctx, m, name, behind)
}

func saveModel(ctx context.Context, m *keras.Model, name string, behind *checkpoint.Async) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	if !strings.HasSuffix(name, archiveSuffix) {
		return fmt.Errorf("saving: got the file name %s, want one that ends in %s", name, archiveSuffix)
	}
	what := fmt.Sprintf("model %s to %s", m.Name(), name)
	config, err := encodeModel(ctx, m)
	if err != nil {
		return fmt.Errorf("saving: %s: %w", what, err)
	}
	return together(ctx, m, what, behind, true, func(g *gathering) error {
		return write(name, func(f *os.File) error {
			return writeArchive(f, config, func(w *os.File) error { return writeWeights(w, g) })
		})
	})
}

// Check returns the error that SaveModel would return for the parts of the model, nil if there is
// none. It is an error for a layer, a loss or a metric that Keras does not have and that is not
// registered, for an optimizer that Keras does not have, for a model of a Go type, and for training
// steps of the user's own. The layers of a model that is not built are checked only when it is
// saved.
func Check(ctx context.Context, m *keras.Model) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("saving: %w", err)
	}
	_, err := encodeModel(ctx, m)
	if errors.Is(err, errNotBuilt) {
		err = checkUnbuilt(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("saving: model %s: %w", m.Name(), err)
	}
	return nil
}

// LoadModel loads the model of a .keras archive: keras.saving.load_model. name must end in .keras.
// The current distribution shards the model. A model that was compiled when it was saved is
// compiled again, and training continues from the optimizer's state. Options are those of
// keras.Model.Compile, which go before those in the file, and WithoutCompile.
//
// The layers, losses and metrics of users must be registered. One error names everything that
// cannot be loaded, with its path in config.json.
func LoadModel(ctx context.Context, name string, opts ...keras.CompileOption) (*keras.Model, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("saving: %w", err)
	}
	m, err := loadModel(ctx, name, opts)
	if err != nil {
		return nil, fmt.Errorf("saving: model from %s: %w", name, brief.Error(err))
	}
	return m, nil
}

// WithoutCompile lets LoadModel leave the loss, the metrics and the optimizer in the file:
// load_model's compile=False. A file whose loss is not known here can be loaded so. With other
// options the model is compiled with these alone.
func WithoutCompile() (o keras.CompileOption) {
	o.Name = withoutCompile
	return o
}

const withoutCompile = "WithoutCompile"

func loadModel(ctx context.Context, name string, opts []keras.CompileOption) (*keras.Model, error) {
	if !strings.HasSuffix(name, archiveSuffix) {
		return nil, fmt.Errorf("want a file name that ends in %s; weights alone are read by LoadWeights", archiveSuffix)
	}
	a, err := openArchive(name)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	given := slices.DeleteFunc(slices.Clone(opts), func(o keras.CompileOption) bool { return o.Name == withoutCompile })
	asSaved := len(given) == len(opts)
	m, compile, err := decodeModel(a, asSaved)
	if err != nil {
		return nil, err
	}
	if compile = append(compile, given...); len(compile) > 0 {
		if err := m.Compile(compile...); err != nil {
			return nil, err
		}
	}
	return m, readWeights(ctx, m, a.weights, asSaved)
}

const (
	archiveSuffix = ".keras"
	configName    = "config.json"
	metadataName  = "metadata.json"
	weightsName   = "model.weights.h5"
)

// metadata is the content of metadata.json: the Keras release whose formats this package writes,
// and the time of saving.
type metadata struct {
	KerasVersion string `json:"keras_version"`
	DateSaved    string `json:"date_saved"`
}

const kerasVersion = "3.15.0"

// archive is an open .keras file: its config.json, its weights, and the limit of the memory for
// reading it.
type archive struct {
	budget  *budget.Budget
	config  []byte
	weights *hdf5.File
	zip     *zipfile.Archive
	close   []func() error // functions that Close calls
}

// scalesLoss says whether the optimizer's variables in the archive are those of a
// LossScaleOptimizer. It returns nil if the archive has no variables of an optimizer. The config
// cannot say it: for the policy mixed_float16, Keras wraps the optimizer in a LossScaleOptimizer,
// but writes only the inner one into the config.
func (a *archive) scalesLoss() *bool {
	root := a.weights.Root()
	if !root.Has(optimizerPath + "/vars") {
		return nil
	}
	scales := root.Has(optimizerPath + "/inner_optimizer")
	return &scales
}

// Close closes all files of the archive, and returns their errors.
func (a *archive) Close() error {
	var errs []error
	for _, f := range a.close {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// openArchive opens a .keras file and verifies the checksums of its config and its weights. The
// caller closes it. A file that is no archive, lacks one of the two or is damaged is an error.
func openArchive(name string) (_ *archive, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &archive{close: []func() error{f.Close}}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	a.budget = budget.ForFile(info.Size())
	z, err := zipfile.Open(f, info.Size(), a.budget)
	if err != nil {
		return nil, fmt.Errorf("it is no archive of Keras 3, or damaged (%w): want a zip file with %s and %s", err, configName, weightsName)
	}
	a.zip = z
	config, err := member(z, configName)
	if err == nil {
		a.config, err = config.Bytes()
	}
	if err != nil {
		return nil, err
	}
	weights, err := member(z, weightsName)
	if err != nil {
		return nil, err
	}
	return a, a.openWeights(weights)
}

func member(z *zipfile.Archive, name string) (*zipfile.Member, error) {
	m, err := z.Member(name)
	if errors.Is(err, zipfile.ErrNoMember) {
		err = fmt.Errorf("%w: is it a .keras file of Keras 3?", err)
	}
	return m, err
}

// openWeights opens the weights m, a member of the archive, and sets a.weights. Weights that are
// not compressed, as in Keras' archives, are read in the archive. Others are copied to a temporary
// file, whose size is limited by the archive's size and which Close removes. Wrong checksums are
// errors.
func (a *archive) openWeights(m *zipfile.Member) error {
	if !m.Compressed() {
		if err := m.Copy(io.Discard); err != nil { // verifies the checksum
			return err
		}
		section, err := m.Section()
		if err != nil {
			return err
		}
		a.weights, err = hdf5.ReadWithin(section, m.Size(), a.budget)
		return err
	}
	if err := a.budget.Check(m.Size(), weightsName); err != nil {
		return fmt.Errorf("%w; weights that are as empty as this can be stored in the archive without compression", err)
	}
	temp, err := atomicfile.Scratch("")
	if err != nil {
		return err
	}
	a.close = append(a.close, temp.Close)
	if err := m.Copy(temp); err != nil {
		return err
	}
	a.weights, err = hdf5.ReadWithin(temp, m.Size(), a.budget)
	return err
}

// writeArchive writes a Keras archive to f: metadata, config (JSON) and the weights, which
// writeWeights writes to a temporary file in the directory of f. That file is removed.
func writeArchive(f *os.File, config []byte, writeWeights func(*os.File) error) error {
	meta, err := json.Marshal(metadata{kerasVersion, time.Now().Format("2006-01-02@15:04:05")})
	if err != nil {
		return err
	}
	temp, err := atomicfile.Scratch(filepath.Dir(f.Name()))
	if err != nil {
		return err
	}
	defer temp.Close()
	if err := writeWeights(temp.File); err != nil {
		return err
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	z := zip.NewWriter(f)
	for _, e := range []struct {
		name string
		data io.Reader
	}{
		{metadataName, strings.NewReader(string(meta))},
		{configName, strings.NewReader(string(config))},
		{weightsName, temp},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := io.Copy(w, e.data); err != nil {
			return err
		}
	}
	return z.Close()
}
