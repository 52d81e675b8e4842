package aot

// This file saves Executables: a zip file with the figures as JSON, the optimized module
// and the serialized executable.

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/zipfile"
)

// The names of the members of a zip file.
const (
	figuresMember    = "figures.json"
	hloMember        = "optimized.hlo.pb"
	executableMember = "executable.bin"
)

// Save writes e to a file. A crash leaves the whole file or none. The error has the path.
func (e *Executable) Save(path string) error {
	figures, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return fmt.Errorf("BUG: figures that are no JSON: %w", err)
	}
	err = atomicfile.Write(path, func(f *os.File) error {
		return zipfile.Write(f, zipfile.Data{Name: figuresMember, Bytes: figures},
			zipfile.Data{Name: hloMember, Bytes: e.HLO}, zipfile.Data{Name: executableMember, Bytes: e.Serialized})
	})
	if err != nil {
		return fmt.Errorf("saving the executable %s: %w", e.Name, err)
	}
	return nil
}

// Open reads an executable from the file at path that Save has written. Other files, and damaged
// ones, are errors.
func Open(path string) (*Executable, error) {
	z, err := zip.OpenReader(path)
	if errors.Is(err, zip.ErrFormat) {
		return nil, fmt.Errorf("%s is no saved executable: want a file that Executable.Save or gospmd aot -o wrote", path)
	}
	if err != nil {
		return nil, err
	}
	defer z.Close()
	read := func(name string) []byte {
		f, openErr := z.Open(name)
		if openErr != nil {
			err = errors.Join(err, openErr)
			return nil
		}
		defer f.Close()
		data, readErr := io.ReadAll(f)
		err = errors.Join(err, readErr)
		return data
	}
	figures := read(figuresMember)
	e := &Executable{HLO: read(hloMember), Serialized: read(executableMember)}
	if err == nil {
		err = json.Unmarshal(figures, e)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no saved executable, or a damaged one: %w", path, err)
	}
	return e, nil
}
