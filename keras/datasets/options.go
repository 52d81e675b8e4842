package datasets

// This file defines the options.

import (
	"fmt"
	"io"

	"github.com/gospmd/gospmd/internal/option"
)

type config struct {
	dir    string
	mirror string
	out    io.Writer
}

// Option configures how a data set is loaded.
type Option = option.Option[config]

// Dir reads the data set from a folder that holds its four IDX files, plain or
// with the ending .gz, and downloads nothing.
func Dir(dir string) Option {
	return Option{Name: "Dir", Set: func(c *config) error {
		if dir == "" {
			return fmt.Errorf("got an empty name, want a folder with the files")
		}
		c.dir = dir
		return nil
	}}
}

// Mirror downloads from below another address than Keras does. The files must
// be the same.
func Mirror(url string) Option { return option.New("Mirror", func(c *config) { c.mirror = url }) }

// Output sets where the progress of a download is shown, os.Stderr by default.
func Output(w io.Writer) Option { return option.New("Output", func(c *config) { c.out = w }) }
