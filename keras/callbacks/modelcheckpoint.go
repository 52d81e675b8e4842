package callbacks

// This file defines ModelCheckpoint. It fills the fields of file names, such
// as model_{epoch:02d}_{val_loss:.2f}.keras, with numbers of the training, as
// Python's str.format does with numbers.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
)

// ModelCheckpoint saves the model after each epoch, or every so many batches:
// keras.callbacks.ModelCheckpoint.
//
// The end of Filepath says what is saved:
//
//	.keras        the model, for saving.LoadModel and Keras
//	.weights.h5   the weights (SaveWeightsOnly), for saving.LoadWeights and Keras
//	.safetensors  the weights (SaveWeightsOnly), for saving.LoadWeights and other programs
//	no ending     a directory of checkpoints of the training, one for each saved
//	              step; BackupAndRestore resumes from it
//
// The names of files may have fields: {epoch}, {epoch:02d}, from 1 as in Keras; with SaveFreq,
// {batch}, from 1; the logs, {loss:.4f}, {val_accuracy:.2f}. Without fields each file replaces the
// one before. An epoch without a validation saves nothing if the name has a field of the
// validation.
//
// The training waits until the variables are copied to the host's memory, and goes on while the
// file is written from there, as with BackupAndRestore. If a file cannot be written, Logger gets a
// warning at the next save, and the training goes on; Fit waits for the last file, and returns its
// error. With Synchronous the training waits for each file, needs no memory for a copy, and ends
// with the first error.
//
// In a job of several processes, process 0 writes files, always before the training goes on: a copy
// would hold the full model. Of checkpoints each process saves its own shards.
type ModelCheckpoint struct {
	keras.BaseCallback
	Filepath              string
	Monitor               string       // what SaveBestOnly watches: "val_loss" by default
	Mode                  Mode         // Min, Max or Auto
	SaveBestOnly          bool         // save only when the number has improved
	InitialValueThreshold *float64     // the value that the monitored number must beat the first time
	SaveWeightsOnly       bool         // save the weights, not the model
	SaveFreq              int          // after how many batches to save; 0: after each epoch
	Keep                  int          // how many checkpoints stay in a directory; 0: all
	Verbose               bool         // print what is saved
	Output                io.Writer    // where to print it: os.Stdout by default
	Synchronous           bool         // the training waits until each file is on the disk
	Logger                *slog.Logger // gets warnings; slog.Default by default

	model   *keras.Model
	name    *template
	store   *trainingStore    // store of a directory of checkpoints; nil for files
	files   *checkpoint.Async // writes files
	monitor monitor
}

const (
	modelSuffix       = ".keras"
	weightsSuffix     = ".weights.h5"
	safetensorsSuffix = ".safetensors"
)

// ObservesBatches reports whether SaveFreq is set, so that the callback needs the events of
// batches.
func (c *ModelCheckpoint) ObservesBatches() bool { return c.SaveFreq > 0 }

// OnTrainBegin stores m, checks the callback's fields, and makes the directory, unless its name has
// fields. It returns an error for a Filepath whose ending does not fit, for unknown fields in it, a
// negative SaveFreq, an unknown Mode, a monitored number that the logs do not have, a model that a
// .keras file cannot hold, and for a directory of checkpoints with SaveFreq if the data keep no
// position.
func (c *ModelCheckpoint) OnTrainBegin(ctx context.Context, m *keras.Model) error {
	if err := c.begin(ctx, m); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}

func (c *ModelCheckpoint) begin(ctx context.Context, m *keras.Model) (err error) {
	c.model, c.files = m, new(checkpoint.Async)
	if c.SaveFreq < 0 {
		return fmt.Errorf("got SaveFreq %d, want the number of batches between files, or 0 for one after each epoch", c.SaveFreq)
	}
	if c.name, err = parseTemplate(c.Filepath); err != nil {
		return err
	}
	if err := c.checkPath(ctx); err != nil {
		return err
	}
	numbers, counters := c.names()
	if len(numbers) > 0 { // they are known
		if err := c.name.check(numbers, counters); err != nil {
			return err
		}
	}
	if c.monitor, err = newMonitor("ModelCheckpoint", c.Monitor, c.Mode, 0); err != nil {
		return err
	}
	if c.InitialValueThreshold != nil {
		c.monitor.best = *c.InitialValueThreshold
	}
	if c.SaveBestOnly {
		if err := c.monitor.check("SaveBestOnly", numbers); err != nil {
			return err
		}
	}
	if c.store != nil && c.SaveFreq > 0 {
		return m.Training().Positioned()
	}
	if c.store == nil && !c.SaveWeightsOnly {
		return saving.Check(ctx, m)
	}
	return nil
}

// names returns the names that fields can have when a file is made: numbers are those of the logs,
// of batches if SaveFreq is set and else of epochs, and counters are epoch and batch.
func (c *ModelCheckpoint) names() (numbers, counters []string) {
	batch, epoch := c.model.Training().LogNames()
	if c.SaveFreq > 0 {
		return batch, []string{"epoch", "batch"}
	}
	return epoch, []string{"epoch"}
}

// checkPath checks the ending of Filepath, which must suit SaveWeightsOnly. In process 0 it makes
// the directory of files, if its name has no fields. For a directory of checkpoints it opens the
// store and sets c.store, which is nil otherwise.
func (c *ModelCheckpoint) checkPath(ctx context.Context) (err error) {
	c.store = nil
	suffix := filepath.Ext(c.Filepath)
	if strings.HasSuffix(c.Filepath, weightsSuffix) {
		suffix = weightsSuffix
	}
	weights := suffix == weightsSuffix || suffix == safetensorsSuffix
	switch {
	case c.Filepath == "":
		return errors.New("got no Filepath, want the name of a file")
	case c.SaveWeightsOnly && !weights:
		return fmt.Errorf("got Filepath %s with SaveWeightsOnly, want one that ends in %s or %s", c.Filepath, weightsSuffix, safetensorsSuffix)
	case !c.SaveWeightsOnly && weights:
		return fmt.Errorf("got Filepath %s without SaveWeightsOnly: set it, or give a name that ends in %s", c.Filepath, modelSuffix)
	case weights || suffix == modelSuffix:
		dir, name := filepath.Split(c.Filepath)
		if name == suffix {
			return fmt.Errorf("got Filepath %s, want a name before %s", c.Filepath, suffix)
		}
		if !strings.Contains(dir, "{") && isChief(c.model) {
			return makeDirectory(filepath.Join(dir, "."))
		}
		return nil
	case suffix != "" || c.name.fields():
		return fmt.Errorf("got Filepath %s, want one that ends in %s, in %s with SaveWeightsOnly, or a directory, whose name has no ending and no fields", c.Filepath, modelSuffix, weightsSuffix)
	}
	c.store, err = openStore(ctx, c.model.Training(), c.Filepath, c.Keep)
	return err
}

// Checkpoint saves the model after every SaveFreq batches, or after each epoch if SaveFreq is 0;
// with SaveBestOnly only if the number has improved. It first waits for the save before, whose
// error it logs. It saves nothing when the training is interrupted, or if the name has a field of
// the validation that this epoch lacks.
func (c *ModelCheckpoint) Checkpoint(ctx context.Context, t *keras.Training) error {
	if t.Interrupted() || !saveDue(t.Progress(), c.SaveFreq) {
		return nil
	}
	if err := c.save(ctx, t); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}

func (c *ModelCheckpoint) save(ctx context.Context, t *keras.Training) error {
	p := t.Progress()
	epoch := p.Epoch // from 1: the one that has ended
	if p.Batch > 0 {
		epoch++
	}
	name := c.Filepath
	if c.SaveBestOnly || c.name.fields() { // only then wait for the devices
		logs, err := t.Logs(ctx)
		if err != nil {
			return err
		}
		if c.name.hasField(func(field string) bool {
			_, ok := logs.Get(field)
			return !ok && slices.Contains(epochNames(c.model), field)
		}) {
			return nil // the name has a field of the validation, which this epoch did not have
		}
		if c.SaveBestOnly {
			better, err := c.improved(epoch, logs)
			if !better || err != nil {
				return err
			}
		}
		name, err = c.name.fill(func(field string) (any, bool) {
			switch field {
			case "epoch":
				return epoch, true
			case "batch":
				return p.Batch, c.SaveFreq > 0
			}
			return logs.Get(field)
		})
		if err != nil {
			return err
		}
	}
	warnFailed("ModelCheckpoint", c.Logger, t.IsChief(), c.wait())
	c.printf("Epoch %d: saving to %s", epoch, name)
	if c.store != nil {
		return c.store.save(ctx, t, c.Synchronous)
	}
	if t.IsChief() {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("the directory of %s cannot be made: %w", name, err)
		}
	}
	switch {
	case c.Synchronous && c.SaveWeightsOnly:
		return saving.SaveWeights(ctx, c.model, name)
	case c.Synchronous:
		return saving.SaveModel(ctx, c.model, name)
	case c.SaveWeightsOnly:
		return saving.SaveWeightsAsync(ctx, c.model, name, c.files)
	}
	return saving.SaveModelAsync(ctx, c.model, name, c.files)
}

// wait waits for a file that is being written, and returns the error of the last save, once.
func (c *ModelCheckpoint) wait() error {
	if c.store != nil {
		return c.store.Wait()
	}
	return c.files.Wait()
}

// improved reports whether the monitored number is the best so far, remembers it then, and prints
// the change if the callback is verbose. An epoch without the number gives false; a name that no
// epoch has is an error.
func (c *ModelCheckpoint) improved(epoch int, logs keras.Logs) (bool, error) {
	v, ok, err := c.monitor.value("SaveBestOnly", c.model, logs)
	if err != nil || !ok {
		return false, err
	}
	if !c.monitor.better(v, c.monitor.best) {
		c.printf("Epoch %d: %s did not improve from %.5f", epoch, c.monitor.name, c.monitor.best)
		return false, nil
	}
	c.printf("Epoch %d: %s improved from %.5f to %.5f", epoch, c.monitor.name, c.monitor.best, v)
	c.monitor.best = v
	return true, nil
}

func (c *ModelCheckpoint) printf(format string, args ...any) {
	if c.Verbose {
		message(c.model, c.Output, format, args...)
	}
}

// bestState is the state of a ModelCheckpoint in a checkpoint: the best monitored number so far.
type bestState struct {
	Best jsonfloat.Float `json:"best"`
}

// State returns the best monitored number so far, for a checkpoint.
func (c *ModelCheckpoint) State() (keras.CallbackState, error) {
	return stateOf(bestState{jsonfloat.Float(c.monitor.best)})
}

// Restore sets the best number so far to that of s, which State returned.
func (c *ModelCheckpoint) Restore(s keras.CallbackState) error {
	var state bestState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	c.monitor.best = float64(state.Best)
	return nil
}

// Close waits for a file that is being written, and returns its error.
func (c *ModelCheckpoint) Close() error {
	err := c.files.Close()
	if c.store != nil {
		err = c.store.Close()
	}
	if err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}

// template is the text of a file name with fields in braces, such as m_{epoch:02d}.keras.
type template struct {
	text     string
	segments []segment
}

// segment is a piece of a Filepath: literal text, or a field in braces.
type segment struct {
	text    string
	field   string // empty for text
	format  string // Go's verb for the field
	integer bool   // whether the field is written as an integer
}

// formatSpec matches what may follow the colon in a field: Python's [0][width][.precision][type].
var formatSpec = regexp.MustCompile(`^(0?)([1-9][0-9]*)?(\.[0-9]+)?([defgEG]?)$`)

// parseTemplate returns the template in text, with fields such as {epoch:02d}. Doubled braces mean
// braces. Fields that are not closed, have no name or an unknown format are errors.
func parseTemplate(text string) (*template, error) {
	t := &template{text: text}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("the name %q: %s: want fields such as {epoch}, {epoch:02d} or {val_loss:.2f}", text, fmt.Sprintf(format, args...))
	}
	var plain strings.Builder
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			plain.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '}':
			return nil, fail(`a "}" closes nothing`)
		case rest[0] != '{':
			plain.WriteByte(rest[0])
			rest = rest[1:]
		default:
			inside, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, fail(`a "{" is not closed`)
			}
			p, err := parseField(inside)
			if err != nil {
				return nil, fail("%v", err)
			}
			t.segments = append(t.segments, segment{text: plain.String()}, p)
			plain.Reset()
			rest = after
		}
	}
	t.segments = append(t.segments, segment{text: plain.String()})
	return t, nil
}

func parseField(inside string) (segment, error) {
	name, format, _ := strings.Cut(inside, ":")
	if name == "" {
		return segment{}, fmt.Errorf("the field {%s} has no name", inside)
	}
	m := formatSpec.FindStringSubmatch(format)
	if m == nil || m[4] == "d" && m[3] != "" {
		return segment{}, fmt.Errorf("the format %q of the field {%s} is not known", format, inside)
	}
	verb := m[4]
	if verb == "" {
		verb = "v"
		if m[3] != "" {
			verb = "g"
		}
	}
	return segment{field: name, format: "%" + m[1] + m[2] + m[3] + verb, integer: verb == "d"}, nil
}

// check returns an error for a field that is neither one of the numbers nor one
// of the counters, and for a number that is to be written as an integer.
func (t *template) check(numbers, counters []string) error {
	for _, p := range t.segments {
		if p.field == "" || slices.Contains(counters, p.field) {
			continue
		}
		if !slices.Contains(numbers, p.field) {
			names := slices.Concat(counters, numbers)
			return fmt.Errorf("the name %q has the unknown field {%s}%s: want one of %s", t.text, p.field, suggest.DidYouMean(p.field, names), strings.Join(names, ", "))
		}
		if p.integer {
			return fmt.Errorf("the name %q writes %s as an integer, which it is not: want a format such as {%s:.2f}", t.text, p.field, p.field)
		}
	}
	return nil
}

// fields reports whether the template has any fields.
func (t *template) fields() bool { return len(t.segments) > 1 }

// hasField reports whether f returns true for the name of a field of the template.
func (t *template) hasField(f func(name string) bool) bool {
	return slices.ContainsFunc(t.segments, func(p segment) bool { return p.field != "" && f(p.field) })
}

// fill returns the text with the values of its fields. value returns the value of the field with
// that name, an int or a float64, or false if there is none, which is an error.
func (t *template) fill(value func(name string) (any, bool)) (string, error) {
	var out strings.Builder
	for _, p := range t.segments {
		if p.field == "" {
			out.WriteString(p.text)
			continue
		}
		v, ok := value(p.field)
		if !ok {
			return "", fmt.Errorf("the name %q has the field {%s}, which has no value now", t.text, p.field)
		}
		if n, ok := v.(int); ok && !p.integer && !strings.HasSuffix(p.format, "v") {
			v = float64(n)
		}
		fmt.Fprintf(&out, p.format, v)
	}
	return out.String(), nil
}
