// Distillation is the example "Knowledge Distillation": a small network, the student, learns from
// labels and from the predictions of a large network, its teacher, which was trained before.
//
//	go run ./examples/guides/distillation [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const samples, imageSize, numClasses = 36, 10, 5

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "distillation", Batch: 12, Epochs: 2, Model: model, Data: digits, Parts: parts, Train: train,
	Layout: map[string][]string{".*/conv2d/kernel": {"", "", "", "model"}},
}

// Distiller is a student with its teacher.
type Distiller struct {
	layers.Base
	Teacher, Student layers.Layer

	studentLossFn, distillationLoss *losses.Loss
	alpha, temperature              float64
}

// TrainStep trains the student.
func (d *Distiller) TrainStep(s *keras.Step) (map[string]*graph.Node, error) {
	yPred := s.Call(s.X...)[0]
	teacherPred := s.Apply(layers.WithTraining(d.Teacher, false), s.X[0])
	soft := func(pred *graph.Node) *graph.Node {
		return ops.Softmax(s.Tensor(pred).Div(d.temperature), ops.Axis(1)).Node()
	}
	studentLoss := s.Tensor(d.studentLossFn.Value(s.Y[0], yPred, nil, nil))
	distillationLoss := s.Tensor(d.distillationLoss.Value(soft(teacherPred), soft(yPred), nil, nil)).Mul(d.temperature * d.temperature)
	loss := studentLoss.Mul(d.alpha).Add(distillationLoss.Mul(1 - d.alpha)).Node()
	s.Minimize(s.Model().Optimizer(), loss, s.Model().TrainableVariables()...)
	s.UpdateMetrics(loss, yPred)
	return s.Metrics(), nil
}

// Compute says what the student says.
func (d *Distiller) Compute(_ *layers.Context, x ...*layers.Tensor) *layers.Tensor {
	return x[0].Apply(d.Student)
}

func network(filters int) (*keras.Model, error) {
	m, err := keras.NewSequential(
		layers.Conv2D(filters, 3, layers.Strides(2), layers.Padding("same")),
		layers.LeakyReLU(layers.NegativeSlope(.2)),
		layers.MaxPooling2D(layers.PoolSize(2), layers.Strides(1), layers.Padding("same")),
		layers.Conv2D(2*filters, 3, layers.Strides(2), layers.Padding("same")),
		layers.Flatten(),
		layers.Dense(numClasses),
	)
	if err != nil {
		return nil, err
	}
	return m, m.Build([]int{imageSize, imageSize, 1})
}

func model() (*keras.Model, error) {
	teacher, err := network(8)
	if err != nil {
		return nil, err
	}
	student, err := network(2)
	if err != nil {
		return nil, err
	}
	err = teacher.Compile(
		keras.Optimizer(optimizers.Adam()),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics(metrics.SparseCategoricalAccuracy()),
	)
	if err != nil {
		return nil, err
	}
	return keras.NewSubclassed(&Distiller{
		Teacher: teacher.AsLayer(), Student: student.AsLayer(),
		studentLossFn:    losses.SparseCategoricalCrossentropy(losses.FromLogits()),
		distillationLoss: losses.KLDivergence(),
		alpha:            .1,
		temperature:      10,
	})
}

// parts returns student and teacher.
func parts(m *keras.Model) []*keras.Model {
	d := m.Subclassed().(*Distiller)
	return []*keras.Model{d.Student.(*keras.ModelLayer).Model(), d.Teacher.(*keras.ModelLayer).Model()}
}

// train trains the teacher, and then the student.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	teacher := parts(r.Model)[1]
	teaching := *r
	teaching.Model = teacher
	loss, err := teaching.Fit(ctx, r.Epochs)
	if err != nil {
		return nil, err
	}
	teacher.SetTrainable(false)
	err = r.Model.Compile(keras.Optimizer(optimizers.Adam()), keras.Metrics(metrics.SparseCategoricalAccuracy()))
	if err != nil {
		return nil, err
	}
	distilled, err := r.Fit(ctx, r.Epochs)
	return append(loss, distilled...), err
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*imageSize*imageSize, 1), samples, imageSize, imageSize, 1)
	return images, guide.Classes(samples, 2, numClasses), err
}
