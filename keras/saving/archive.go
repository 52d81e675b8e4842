package saving

// This file reads and writes .keras archives: zip files of config.json,
// metadata.json and model.weights.h5.

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gospmd/gospmd/internal/hdf5"
)

const (
	archiveSuffix = ".keras"
	configName    = "config.json"
	metadataName  = "metadata.json"
	weightsName   = "model.weights.h5"
)

// metadata is what metadata.json holds. The version is that of the Keras whose
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
	files   []*os.File // to be closed
	temp    string     // to be removed
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

// openArchive opens a .keras file and compares its checksums.
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
	if a.config, err = readEntry(z, configName); err != nil {
		return nil, err
	}
	entry, err := findEntry(z, weightsName)
	if err != nil {
		return nil, err
	}
	return a, a.openWeights(f, entry)
}

func findEntry(z *zip.Reader, name string) (*zip.File, error) {
	var names []string
	for _, e := range z.File {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("the archive holds no %s, only %s: is it a .keras file of Keras 3?", name, strings.Join(names, ", "))
}

// maxConfig bounds the size of a configuration, which is read whole.
const maxConfig = 256 << 20

func readEntry(z *zip.Reader, name string) ([]byte, error) {
	e, err := findEntry(z, name)
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

// openWeights opens the weights in place if they are stored as they are, as
// Keras does, else from a temporary file.
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
	if _, err := io.Copy(to, r); err != nil { // compares the checksum too
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

// writeArchive writes an archive to f; writeWeights writes to a temporary file
// beside it.
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
