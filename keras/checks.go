package keras

// This file checks batches against the model: their shapes, and numbers that the devices would
// silently turn into NaN or another class, as labels or for embeddings. The first batch completes
// the model.

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime"
)

// checked yields the batches of the loop l, each checked by checkStep with client; the first has
// number l.done. It ends at the first error, which has the number of its batch.
func (m *Model) checked(ctx context.Context, client *runtime.Client, l stepLoop) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		i := l.done
		for b, err := range l.data.epoch(ctx, l.done) {
			if err == nil {
				b, err = m.checkStep(client, l.kind, i, b)
			}
			if err != nil {
				err = fmt.Errorf("batch %d: %w", i, err)
			}
			if !yield(b, err) || err != nil {
				return
			}
			i++
		}
	}
}

// checkStep checks batch i of an epoch: its samples, labels, shapes and class numbers. It also
// makes what its step needs, such as metrics. It returns the batch, for predict steps without
// labels. For batch 0 of other steps it resets the metrics on client.
func (m *Model) checkStep(client *runtime.Client, kind stepKind, i int, b data.Batch) (data.Batch, error) {
	if b.Size() == 0 || len(b.Y) == 0 && m.needsLabels(kind) {
		return b, fmt.Errorf("got %d samples and %d label tensors, want samples, and labels to train or evaluate", b.Size(), len(b.Y))
	}
	if err := m.compiled.feed.check(b); err != nil {
		return b, err
	}
	if kind == predictStep {
		b.Y, b.SampleWeight = nil, nil
	}
	if err := m.resolve(b, kind); err != nil {
		return b, err
	}
	if err := m.checkIndices(b); err != nil {
		return b, err
	}
	if err := m.checkLabels(b, kind); err != nil {
		return b, err
	}
	if i == 0 && kind != predictStep {
		return b, m.resetMetrics(client)
	}
	return b, nil
}

// resolve checks the batch b and makes what depends on the shapes of the first one: the graph of a
// Sequential and, unless kind is the predict step, the metrics. For training steps that are not the
// user's own, it also makes the optimizer's slots.
func (m *Model) resolve(b data.Batch, kind stepKind) error {
	if !m.built() {
		if err := m.buildFor(b.X); err != nil {
			return err
		}
	}
	if err := m.checkBatch(b, kind); err != nil || kind == predictStep {
		return err
	}
	if m.compiled.loss.metric == nil {
		if err := m.buildMetrics(b); err != nil {
			return err
		}
	}
	if kind == trainStep && m.ownStep(kind) == nil {
		return m.compiled.optimizer.Build(m.TrainableVariables(), m.mesh())
	}
	return nil
}

// needsLabels reports whether the batches of a step of this kind must have labels: those of
// training and test steps, if an output has a loss or metrics. Before the model is built, only a
// loss counts. Steps of the user's own never need labels.
func (m *Model) needsLabels(kind stepKind) bool {
	if kind == predictStep || m.ownStep(kind) != nil {
		return false
	}
	if !m.built() {
		return m.compiled.hasLoss()
	}
	return slices.ContainsFunc(m.compiled.heads, (*head).labelled)
}

// check returns an error if f divides batches (AutoShardDataset(false)) and the samples of b cannot
// be divided equally among the shards of this process, or if it has no shards. Otherwise it returns
// nil.
func (f feed) check(b data.Batch) error {
	if f.shards > 0 && (f.local == 0 || b.Size()%f.local != 0) {
		return fmt.Errorf("with AutoShardDataset(false), this process got %d samples for %d shards: want equally many in each, and in all processes; "+
			"Batch with DropRemainder leaves out a smaller last batch", b.Size(), f.local)
	}
	return nil
}

// checkBatch returns an error if the inputs of a batch do not fit the model (checkInputs), if it
// has another number of label or weight tensors than the model wants for a step of that kind, or if
// labels are complex. For training and test steps of the user's own it checks only the inputs.
func (m *Model) checkBatch(b data.Batch, kind stepKind) error {
	dims := data.Dims
	if f := m.compiled.feed; f.shards > 0 { // this process has a part of the batch
		dims = func(t *tensors.Tensor) []int { return f.dims(data.Dims(t)) }
	}
	if err := checkInputs(m.deviceTensors(), b.X, dims); err != nil {
		return err
	}
	if kind != predictStep && m.ownStep(kind) != nil {
		return nil
	}
	if len(b.Y) > 0 {
		if _, err := m.compiled.labelsOf("label tensors", len(b.Y)); err != nil {
			return err
		}
	}
	if len(b.SampleWeight) > 1 {
		if _, err := m.compiled.labelsOf("sample weights", len(b.SampleWeight)); err != nil {
			return err
		}
	}
	for i, y := range b.Y {
		if y.DType() == dtypes.Complex64 || y.DType() == dtypes.Complex128 {
			return fmt.Errorf("labels %d are %s, want real numbers", i, y.DType())
		}
	}
	return nil
}

// checkInputs returns an error if the data do not match the inputs: in number, in shape, texts for
// numbers or numbers for texts, or complex numbers for an input that is not complex. dims returns
// the dimensions of a tensor of data.
func checkInputs(inputs []*layers.Tensor, xs []*tensors.Tensor, dims func(*tensors.Tensor) []int) error {
	if len(xs) != len(inputs) {
		return fmt.Errorf("got %d input tensors, the model has %d inputs", len(xs), len(inputs))
	}
	for i, t := range inputs {
		name, x := t.Producer().Name(), xs[i]
		isText, wantsText := data.IsText(x), t.DType() == layers.String
		switch got, want := dims(x), x.DType(); {
		case isText && !wantsText:
			return fmt.Errorf("input %s wants %s data, got texts: %s", name, layers.DTypeName(t.DType()), textsFix)
		case wantsText && !isText:
			return fmt.Errorf("input %s wants texts, such as a []string, got %s %s", name, want, layers.ShapeText(got))
		case !fits(got, t.Shape()):
			return fmt.Errorf("input %s wants data of shape %s, got %s", name, layers.ShapeText(t.Shape()), layers.ShapeText(got))
		case want.IsComplex() && !t.DType().IsComplex():
			return fmt.Errorf("input %s wants %s data, got %s", name, t.DType(), want)
		}
	}
	return nil
}

// textsFix is the advice for a user who gives texts to a model that takes numbers.
const textsFix = "begin the model with a lookup, such as TextVectorization or StringLookup, applied to an Input of layers.DType(layers.String), or give numbers"

// fits reports whether the shape got fits the shape want: they have as many dimensions, and the
// same sizes except where want has a negative one, which is open.
func fits(got, want []int) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return w < 0 || g == w })
}

// checkLabels returns an error if labels of a batch have values that Keras' loss of their output
// cannot take, such as classes out of range. It does not check labels of the user's own losses and
// steps.
func (m *Model) checkLabels(b data.Batch, kind stepKind) error {
	if len(b.Y) == 0 || m.ownStep(kind) != nil {
		return nil
	}
	labels, err := m.compiled.labelsOf("label tensors", len(b.Y))
	if err != nil {
		return err
	}
	for i, h := range m.compiled.heads {
		if labels[i] < 0 || h.loss == nil {
			continue
		}
		class, _ := h.loss.Config()
		if class == "" {
			continue
		}
		r := labelRule{classes: -1}
		if class == "SparseCategoricalCrossentropy" && !h.loss.Ignores() {
			shape := m.outputs[i].Shape()
			r = labelRule{classNumbers: true, classes: shape[len(shape)-1]}
		}
		if err := r.check(b.Y[labels[i]], m.outputs[i]); err != nil {
			return fmt.Errorf("labels %d: %w", labels[i], err)
		}
	}
	return nil
}

// labelRule describes valid labels: any finite numbers, or class numbers, which are whole numbers
// from 0 to classes-1.
type labelRule struct {
	classNumbers bool
	classes      int // number of classes, -1 if it is not known
}

// check returns an error that names the first label in y that is not valid, and its sample; nil if
// all are valid. For a class out of range it also names the layer of output, if r knows the number
// of classes. A tensor y without numbers, such as texts, is an error, too.
func (r labelRule) check(y *tensors.Tensor, output *layers.Tensor) error {
	bad, value := -1, 0.0
	err := data.Numbers(y, func(i int, v float64) bool {
		if !r.allows(v) {
			bad, value = i, v
		}
		return bad < 0
	})
	if err != nil || bad < 0 {
		return err
	}
	sample := sampleOf(y, bad)
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("sample %d of the batch has the label %v, want a finite number: look for gaps in the data", sample, value)
	case value != math.Trunc(value):
		return fmt.Errorf("sample %d of the batch has the label %v, want the number of a class, an integer", sample, value)
	}
	limit := "a class from 0 on"
	if r.classes >= 0 {
		limit = fmt.Sprintf("a class from 0 to %d, for %s has %d outputs", r.classes-1, output.Producer().Name(), r.classes)
	}
	return fmt.Errorf("sample %d of the batch has the label %v, want %s", sample, value, limit)
}

// sampleOf returns the index of the sample that element i of t, a tensor of a batch in row-major
// order, belongs to.
func sampleOf(t *tensors.Tensor, i int) int {
	return i / max(1, t.Size()/max(1, t.Shape().Dimensions[0]))
}

// allows reports whether the label v is valid by the rule.
func (r labelRule) allows(v float64) bool {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return false
	case r.classNumbers:
		return v >= 0 && v == math.Trunc(v) && (r.classes < 0 || v < float64(r.classes))
	}
	return true
}

// checkIndices returns an error that names the first number of an input that is out of the range of
// the Embedding that the input is given to, in the model or in a model that is a layer of it.
func (m *Model) checkIndices(b data.Batch) error {
	for i, d := range m.deviceInputs {
		for _, e := range d.embeddings {
			if err := checkIndices(b.X[i], e); err != nil {
				return fmt.Errorf("input %s: %w", d.t.Producer().Name(), err)
			}
		}
	}
	return nil
}

// findEmbeddings sets, in m.deviceInputs, the embeddings of each input of the devices, which
// checkIndices needs, once for all batches.
func (m *Model) findEmbeddings() {
	for i, d := range m.deviceInputs {
		m.deviceInputs[i].embeddings = m.embeddingsOf(d.t)
	}
}

// embeddingsOf returns the Embedding layers that the model applies to input directly, also those in
// models that are layers of it.
func (m *Model) embeddingsOf(input *layers.Tensor) (found []*layers.EmbeddingLayer) {
	for _, n := range m.nodes {
		i := slices.Index(n.Inputs, input)
		if i < 0 {
			continue
		}
		switch l := n.Layer.(type) {
		case *layers.EmbeddingLayer:
			found = append(found, l)
		case *layers.ReversibleEmbeddingLayer:
			if n.Arguments()["reverse"] != true {
				found = append(found, &l.EmbeddingLayer)
			}
		case *ModelLayer:
			found = append(found, l.model.embeddingsOf(l.model.inputs[i])...)
		}
	}
	return found
}

// checkIndices returns an error that names the first element of x that is no row of e's table.
// Negative numbers count from the table's end.
func checkIndices(x *tensors.Tensor, e *layers.EmbeddingLayer) error {
	bad, value := -1, 0.0
	err := data.Numbers(x, func(i int, v float64) bool {
		if index := float64(int(v)); index < float64(-e.InputDim) || index >= float64(e.InputDim) {
			bad, value = i, v
		}
		return bad < 0
	})
	if err != nil || bad < 0 {
		return err
	}
	sample := sampleOf(x, bad)
	return fmt.Errorf("sample %d of the batch has the number %v, and layer %s looks up numbers from 0 to %d: make its input dim larger than all numbers, or map the others to one that is free",
		sample, value, e.Name(), e.InputDim-1)
}
