package callbacks

// This file defines CSVLogger.

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/keras"
)

// CSVLogger writes the logs of each epoch into a file of comma-separated
// values, with a first row of names: keras.callbacks.CSVLogger.
type CSVLogger struct {
	keras.BaseCallback
	Path      string
	Separator rune // ',' by default
	Append    bool // go on in a file that exists

	file   *os.File
	writer *csv.Writer
	names  []string // of the columns after epoch
	header bool     // whether the names are still to be written
}

// OnTrainBegin opens the file.
func (c *CSVLogger) OnTrainBegin(context.Context, *keras.Model) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	c.header, c.names = true, nil
	if c.Append {
		flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
		if info, err := os.Stat(c.Path); err == nil && info.Size() > 0 {
			c.header = false
		}
	}
	var err error
	if c.file, err = os.OpenFile(c.Path, flags, 0o644); err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	c.writer = csv.NewWriter(c.file)
	if c.Separator != 0 {
		c.writer.Comma = c.Separator
	}
	return nil
}

// OnEpochEnd writes a row.
func (c *CSVLogger) OnEpochEnd(_ context.Context, epoch int, logs keras.Logs) error {
	if c.names == nil {
		for _, l := range logs {
			c.names = append(c.names, l.Name)
		}
		slices.Sort(c.names)
	}
	if c.header {
		c.header = false
		if err := c.writer.Write(append([]string{"epoch"}, c.names...)); err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
	}
	row := []string{strconv.Itoa(epoch)}
	for _, name := range c.names {
		text := "NA"
		if v, ok := logs.Get(name); ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		row = append(row, text)
	}
	err := c.writer.Write(row)
	if c.writer.Flush(); err == nil {
		err = c.writer.Error()
	}
	if err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}

// OnTrainEnd closes the file.
func (c *CSVLogger) OnTrainEnd(context.Context) error {
	if err := c.file.Close(); err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}
