package callbacks

// This file defines CSVLogger.

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"syscall"

	"github.com/gospmd/gospmd/keras"
)

// CSVLogger writes the logs of each epoch into a file of comma-separated values,
// whose first line has the names: keras.callbacks.CSVLogger. The file may also be a
// device or a pipe, which is only written to. In a job of several processes, process 0
// writes it.
type CSVLogger struct {
	keras.EpochCallback
	Filename  string
	Separator rune // ',' by default
	Append    bool // append to a file that exists

	file    *os.File
	regular bool // not a device or a pipe
	writer  *csv.Writer
	begin   int64    // offset of the first line
	names   []string // of the columns after epoch
	model   *keras.Model
	header  bool // whether the names are still to be written
	idle    bool // another process writes the file
}

// OnTrainBegin stores m, and opens the file, in process 0 only. The file is truncated only when the
// first line is written, because a training that is resumed keeps the lines before. A file that
// cannot be opened, and a pipe without a reader, are errors.
func (c *CSVLogger) OnTrainBegin(_ context.Context, m *keras.Model) error {
	var err error
	c.model = m
	c.header, c.names, c.begin, c.writer = true, nil, 0, nil
	if c.idle = !isChief(m); c.idle {
		return nil
	}
	if c.file, c.regular, err = openLog(c.Filename); err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	if c.Append && c.regular {
		info, err := c.file.Stat()
		if err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
		c.begin = info.Size()
		c.header = c.begin == 0
	}
	return nil
}

// openLog opens the file path to write lines to; regular says that it is neither a device nor a
// pipe. A file that does not exist is made. A pipe without a reader is an error: to wait for a
// reader could take for ever.
func openLog(path string) (f *os.File, regular bool, err error) {
	flags := os.O_RDWR | os.O_CREATE
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		flags = os.O_WRONLY | syscall.O_NONBLOCK
	}
	if f, err = os.OpenFile(path, flags, 0o644); err != nil {
		return nil, false, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, false, err
	}
	return f, info.Mode().IsRegular(), nil
}

// start makes the writer at the place where the log goes on. It cuts off a regular file there, and
// ends a line that is not complete.
func (c *CSVLogger) start() error {
	if c.regular {
		if err := c.file.Truncate(c.begin); err != nil {
			return err
		}
		last := make([]byte, 1)
		if c.begin > 0 {
			if _, err := c.file.ReadAt(last, c.begin-1); err != nil {
				return err
			}
		}
		if _, err := c.file.Seek(c.begin, io.SeekStart); err != nil {
			return err
		}
		if c.begin > 0 && last[0] != '\n' {
			if _, err := c.file.WriteString("\n"); err != nil {
				return err
			}
		}
	}
	c.writer = csv.NewWriter(c.file)
	if c.Separator != 0 {
		c.writer.Comma = c.Separator
	}
	return nil
}

// OnEpochEnd writes a line with the logs of the epoch, NA for one that the epoch lacks. Before the
// first line it cuts the file off where the log goes on, and writes the names if they are still
// missing.
func (c *CSVLogger) OnEpochEnd(_ context.Context, epoch int, logs keras.Logs) error {
	if c.idle {
		return nil
	}
	if c.writer == nil {
		if err := c.start(); err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
	}
	if c.names == nil {
		c.names = epochNames(c.model) // also those of the validation
		for _, l := range logs {
			c.names = append(c.names, l.Name)
		}
		slices.Sort(c.names)
		c.names = slices.Compact(c.names)
	}
	if c.header {
		c.header = false
		if err := c.writer.Write(append([]string{"epoch"}, c.names...)); err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
	}
	line := []string{strconv.Itoa(epoch)}
	for _, name := range c.names {
		text := "NA"
		if v, ok := logs.Get(name); ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		line = append(line, text)
	}
	err := c.writer.Write(line)
	if c.writer.Flush(); err == nil {
		err = c.writer.Error()
	}
	if err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}

// Close closes the file. Without an open file it does nothing.
func (c *CSVLogger) Close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	if err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}

// csvState is the state of a CSVLogger in a checkpoint: how far the file is written, and its
// columns.
type csvState struct {
	Size  int64    `json:"size"` // of the file
	Names []string `json:"names"`
}

// State returns the size of the file so far and the names of its columns, for a checkpoint.
func (c *CSVLogger) State() (keras.CallbackState, error) {
	size := c.begin
	if c.writer != nil && c.regular {
		var err error
		if size, err = c.file.Seek(0, io.SeekCurrent); err != nil {
			return keras.CallbackState{}, err
		}
	}
	return stateOf(csvState{size, c.names})
}

// Restore makes the file continue without the lines of epochs that are run again. A file that has
// become shorter is written again from the start, or with Append from its end. For a device or a
// pipe, and in other processes than the one that writes, it does nothing.
func (c *CSVLogger) Restore(s keras.CallbackState) error {
	var state csvState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	if c.idle || !c.regular {
		return nil
	}
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if state.Size >= 0 && info.Size() >= state.Size {
		c.begin, c.names, c.header = state.Size, state.Names, state.Size == 0
	}
	return nil
}
