// Distillation is the example "Knowledge Distillation": a small network, the student, learns from
// labels and from the predictions of a large network, its teacher, which was trained before.
//
//	go run ./examples/guides/distillation [-mesh 2x4]
package main

import (
	"context"

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

// Distiller is the model of the guide: a student that learns from labels and from the predictions
// of its teacher.
type Distiller struct {
	layers.Base
	Teacher, Student *keras.Model

	studentLossFn, distillationLossFn *losses.Loss
	alpha, temperature                float64
}

// ComputeLoss returns the sum of two losses: alpha times the student's loss for the labels, and
// 1-alpha times the distance of its predictions yPred from the teacher's, both divided by the
// temperature before the softmax. This distance is multiplied by the square of the temperature.
func (d *Distiller) ComputeLoss(s *keras.Step, yPred ...*layers.Tensor) *layers.Tensor {
	teacherPred := s.X[0].Call(layers.WithTraining(d.Teacher.AsLayer(), false))
	studentLoss := s.Loss(d.studentLossFn, s.Y[0], yPred[0])
	distillationLoss := s.Loss(
		d.distillationLossFn,
		ops.Softmax(teacherPred.Div(d.temperature), ops.Axis(1)),
		ops.Softmax(yPred[0].Div(d.temperature), ops.Axis(1)),
	).Mul(d.temperature * d.temperature)
	return studentLoss.Mul(d.alpha).Add(distillationLoss.Mul(1 - d.alpha))
}

// Compute returns the student's predictions.
func (d *Distiller) Compute(x *layers.Tensor) *layers.Tensor { return d.Student.Apply(x) }

func network(filters int) (*keras.Model, error) {
	m := keras.Must(keras.NewSequential(
		layers.Conv2D(filters, 3, layers.Strides(2), layers.Padding("same")),
		layers.LeakyReLU(layers.NegativeSlope(.2)),
		layers.MaxPooling2D(layers.PoolSize(2), layers.Strides(1), layers.Padding("same")),
		layers.Conv2D(2*filters, 3, layers.Strides(2), layers.Padding("same")),
		layers.Flatten(),
		layers.Dense(numClasses),
	))
	return m, m.Build([]int{imageSize, imageSize, 1})
}

func model() (*keras.Model, error) {
	teacher, student := keras.Must(network(8)), keras.Must(network(2))
	distiller := keras.Must(keras.NewSubclassed(&Distiller{
		Teacher: teacher, Student: student,
		studentLossFn:      losses.SparseCategoricalCrossentropy(losses.FromLogits()),
		distillationLossFn: losses.KLDivergence(),
		alpha:              .1,
		temperature:        10,
	}))
	return distiller, teacher.Compile(
		keras.Optimizer(optimizers.Adam()),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics(metrics.SparseCategoricalAccuracy()),
	)
}

// parts returns the student and the teacher.
func parts(m *keras.Model) []*keras.Model {
	d := m.Subclassed().(*Distiller)
	return []*keras.Model{d.Student, d.Teacher}
}

// train trains the teacher and freezes it, and then compiles and trains the student. It returns the
// losses of all epochs in this order.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	teaching := *r
	teaching.Model = parts(r.Model)[1]
	losses := keras.Must(teaching.Fit(ctx, r.Epochs))
	teaching.Model.SetTrainable(false)
	if err := r.Model.Compile(keras.Optimizer(optimizers.Adam()), keras.Metrics(metrics.SparseCategoricalAccuracy())); err != nil {
		return nil, err
	}
	distilled, err := r.Fit(ctx, r.Epochs)
	return append(losses, distilled...), err
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*imageSize*imageSize, 1), samples, imageSize, imageSize, 1)
	return images, guide.Classes(samples, 2, numClasses), err
}
