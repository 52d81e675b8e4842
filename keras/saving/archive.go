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
	"strings"
	"time"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/keras"
)

// SaveModel writes the model into a .keras archive: layers, weights, the arguments
// of Compile, the optimizer's variables. It is keras.Model.save. After a failure
// the file is unchanged.
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

// LoadModel loads the model of a .keras archive: keras.saving.load_model. The
// current distribution shards it. A model that was compiled when it was saved is
// compiled again, with opts after its own options; training continues from the
// optimizer's state.
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

const (
	archiveSuffix = ".keras"
	configName    = "config.json"
	metadataName  = "metadata.json"
	weightsName   = "model.weights.h5"
)

// metadata is the content of metadata.json. The version is that of the Keras whose
// formats are written here.
type metadata struct {
	KerasVersion string `json:"keras_version"`
	DateSaved    string `json:"date_saved"`
}

const kerasVersion = "3.15.0"

// archive is an open .keras file.
type archive struct {
	config  []byte
	weights *hdf5.File
	files   []*os.File // that Close closes
	temp    string     // a file that Close removes
}

// Close closes the archive.
func (a *archive) Close() error {
	var errs []error
	for _, f := range a.files {
		errs = append(errs, f.Close())
	}
	if a.temp != "" {
		errs = append(errs, os.Remove(a.temp))
	}
	return errors.Join(errs...)
}

// openArchive opens a .keras file and verifies its checksums.
func openArchive(name string) (_ *archive, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &archive{files: []*os.File{f}}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("it is no archive of Keras 3, or damaged (%w): want a zip file with %s and %s", err, configName, weightsName)
	}
	if a.config, err = readMember(z, configName); err != nil {
		return nil, err
	}
	weights, err := findMember(z, weightsName)
	if err != nil {
		return nil, err
	}
	return a, a.openWeights(f, weights)
}

func findMember(z *zip.Reader, name string) (*zip.File, error) {
	var names []string
	for _, e := range z.File {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("the archive holds no %s, only %s: is it a .keras file of Keras 3?", name, strings.Join(names, ", "))
}

// maxConfig is the largest size of a config, all of which is read into memory.
const maxConfig = 256 << 20

func readMember(z *zip.Reader, name string) ([]byte, error) {
	e, err := findMember(z, name)
	if err != nil {
		return nil, err
	}
	if e.UncompressedSize64 > maxConfig {
		return nil, fmt.Errorf("%s has %d bytes, want at most %d", name, e.UncompressedSize64, maxConfig)
	}
	r, err := e.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", name, err)
	}
	return data, nil
}

// openWeights opens the weights in the archive if they are not compressed, as in
// Keras' archives, else in a temporary file.
func (a *archive) openWeights(f *os.File, e *zip.File) error {
	r, err := e.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", weightsName, err)
	}
	defer r.Close()
	var to io.Writer = io.Discard
	var temp *os.File
	if e.Method != zip.Store {
		if temp, err = os.CreateTemp("", weightsName); err != nil {
			return err
		}
		a.files, a.temp = append(a.files, temp), temp.Name()
		to = temp
	}
	if _, err := io.Copy(to, r); err != nil { // verifies the checksum too
		return fmt.Errorf("%s is damaged: %w", weightsName, err)
	}
	at, err := e.DataOffset()
	if err != nil {
		return err
	}
	var data io.ReaderAt = io.NewSectionReader(f, at, int64(e.UncompressedSize64))
	if temp != nil {
		data = temp
	}
	a.weights, err = hdf5.Read(data, int64(e.UncompressedSize64))
	return err
}

// writeArchive writes an archive to f. writeWeights gets a temporary file in the
// same directory.
func writeArchive(f *os.File, config []byte, writeWeights func(*os.File) error) error {
	meta, err := json.Marshal(metadata{kerasVersion, time.Now().Format("2006-01-02@15:04:05")})
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Name()), ".weights.tmp*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	if err := writeWeights(temp); err != nil {
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
