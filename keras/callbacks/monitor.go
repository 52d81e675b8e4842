package callbacks

// This file defines what callbacks watch: a number of the logs, and whether
// more or less of it is better.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras"
)

// Mode says whether a number is to become smaller or larger.
type Mode string

// The modes. Auto, the default, wants accuracies and the like to become larger
// and everything else smaller.
const (
	Auto Mode = ""
	Min  Mode = "min"
	Max  Mode = "max"
)

// largerIsBetter are parts of the names of numbers that are to become larger.
var largerIsBetter = []string{"acc", "auc", "precision", "recall", "f1_score", "fbeta", "iou", "r2_score", "cosine_similarity"}

// monitor watches one number.
type monitor struct {
	name     string
	larger   bool
	minDelta float64
	best     float64
}

// newMonitor starts to watch the number of that name, val_loss by default.
func newMonitor(kind, name string, mode Mode, minDelta float64) (monitor, error) {
	m := monitor{name: name, minDelta: math.Abs(minDelta)}
	if name == "" {
		m.name = "val_loss"
	}
	switch mode {
	case Auto:
		for _, part := range largerIsBetter {
			m.larger = m.larger || strings.Contains(m.name, part)
		}
	case Min:
	case Max:
		m.larger = true
	default:
		return m, fmt.Errorf("%s: got mode %q, want \"min\", \"max\" or none", kind, mode)
	}
	m.best = math.Inf(1)
	if m.larger {
		m.best = math.Inf(-1)
	}
	return m, nil
}

// value returns the watched number; ok is false in an epoch without the
// validation that it belongs to.
func (m *monitor) value(kind string, of *keras.Model, logs keras.Logs) (v float64, ok bool, err error) {
	if v, ok := logs.Get(m.name); ok {
		return v, true, nil
	}
	if slices.Contains(epochNames(of), m.name) {
		return 0, false, nil
	}
	names := make([]string, len(logs))
	for i, l := range logs {
		names[i] = l.Name
	}
	return 0, false, m.missing(kind, names)
}

// epochNames returns the names of the logs after an epoch with a validation.
func epochNames(m *keras.Model) []string {
	if m == nil || m.Training() == nil {
		return nil
	}
	_, epoch := m.Training().LogNames()
	return epoch
}

// check returns an error unless the watched number is among those that there
// will be.
func (m *monitor) check(kind string, names []string) error {
	if slices.Contains(names, m.name) {
		return nil
	}
	return m.missing(kind, names)
}

func (m *monitor) missing(kind string, names []string) error {
	return fmt.Errorf("%s: there is no %q to monitor: the logs hold %s; names that begin with val_ need ValidationData",
		kind, m.name, strings.Join(names, ", "))
}

// better reports whether v is better than other by more than minDelta.
func (m *monitor) better(v, other float64) bool {
	if m.larger {
		return v-m.minDelta > other
	}
	return v+m.minDelta < other
}
