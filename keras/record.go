package keras

// This file traces the steps of a model.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// mesh returns the mesh of the model's distribution, nil for one device.
func (m *Model) mesh() *mesh.DeviceMesh {
	if m.dist == nil {
		return nil
	}
	return m.dist.DeviceMesh()
}

// recording is a traced step.
type recording struct {
	module   *ir.Module
	scope    *variable.StatelessScope
	logs     []string
	assigned []*variable.Variable
}

// record traces a step into a module. Its parameters are the batch, then the
// variables in the order of their first use. Its results are the assigned
// variables, then the logs; those of a predict step are the predictions.
func (m *Model) record(kind stepKind, b data.Batch) (*recording, error) {
	out := &recording{}
	var err error
	out.module, err = trace.Record(string(kind), m.mesh(), func(r *trace.Recorder) ([]trace.Output, error) {
		out.scope = variable.NewScope(r)
		c := &layers.Context{StatelessScope: out.scope, Training: kind == trainStep, Distribution: m.dist}
		xs, ys, sampleWeight, err := m.batchParams(r, b)
		if err != nil {
			return nil, err
		}
		trained := m.TrainableVariables()
		weights := make([]*graph.Node, len(trained))
		if kind == trainStep {
			for i, v := range trained {
				weights[i] = out.scope.Value(v)
			}
		}
		predictions, err := m.call(c, xs)
		if err != nil {
			return nil, err
		}
		if kind == predictStep {
			return m.predictionOutputs(predictions)
		}
		loss := m.traceLoss(r, ys, predictions, sampleWeight)
		if kind == trainStep {
			gradients := r.Gradient(m.compiled.optimizer.ScaleLoss(out.scope, loss), weights...)
			r.Scope(m.compiled.optimizer.Name(), func() { m.compiled.optimizer.Apply(out.scope, gradients) })
		}
		logs := m.traceMetrics(r, out.scope, b.Size(), loss, ys, predictions, sampleWeight)
		out.assigned = out.scope.Assigned()
		outputs := out.scope.Outputs()
		for _, l := range logs {
			out.logs = append(out.logs, l.Name)
			outputs = append(outputs, l)
		}
		return outputs, nil
	})
	return out, err
}

// batchParams adds the tensors of a batch as parameters.
func (m *Model) batchParams(r *trace.Recorder, b data.Batch) (xs, ys []*graph.Node, sampleWeight *graph.Node, err error) {
	if xs, err = m.params(r, "x", b.X); err != nil {
		return nil, nil, nil, err
	}
	if ys, err = m.params(r, "y", b.Y); err != nil {
		return nil, nil, nil, err
	}
	if b.SampleWeight != nil {
		weights, err := m.params(r, "sample_weight", []*tensors.Tensor{b.SampleWeight})
		if err != nil {
			return nil, nil, nil, err
		}
		sampleWeight = weights[0]
	}
	return xs, ys, sampleWeight, nil
}

// params adds tensors of a batch as parameters, in the sharding that the
// distribution has for data.
func (m *Model) params(r *trace.Recorder, name string, ts []*tensors.Tensor) ([]*graph.Node, error) {
	nodes := make([]*graph.Node, len(ts))
	for i, t := range ts {
		dims := t.Shape().Dimensions
		s, err := m.dataSharding(len(dims))
		if err != nil {
			return nil, err
		}
		param := name
		if len(ts) > 1 {
			param = fmt.Sprintf("%s%d", name, i)
		}
		nodes[i] = r.Param(param, ir.Tensor(t.DType(), dims...), s)
	}
	return nodes, nil
}

// dataSharding returns the sharding that the distribution has for data of the
// given rank, nil for one device.
func (m *Model) dataSharding(rank int) (*layout.Sharding, error) {
	if m.dist == nil {
		return nil, nil
	}
	return distribution.DataSharding(m.dist, rank)
}

// predictionOutputs returns the results of a predict step.
func (m *Model) predictionOutputs(predictions []*graph.Node) ([]trace.Output, error) {
	outputs := make([]trace.Output, len(predictions))
	for i, p := range predictions {
		s, err := m.dataSharding(p.Rank())
		if err != nil {
			return nil, err
		}
		outputs[i] = trace.Output{Name: fmt.Sprintf("output%d", i), Node: p, Sharding: s}
	}
	return outputs, nil
}

// traceLoss returns the scalar that is trained on.
func (m *Model) traceLoss(r *trace.Recorder, ys, predictions []*graph.Node, sampleWeight *graph.Node) (loss *graph.Node) {
	for i, l := range m.compiled.losses {
		r.Scope(l.Name(), func() {
			one := losses.Reduce(l.Call(ys[i], predictions[i]), sampleWeight)
			if loss == nil {
				loss = one
			} else {
				loss = graph.Add(loss, one)
			}
		})
	}
	return loss
}

// traceMetrics updates the totals and returns the logs. Like Keras it sorts them
// by name.
func (m *Model) traceMetrics(r *trace.Recorder, s *variable.StatelessScope, samples int, loss *graph.Node, ys, predictions []*graph.Node, sampleWeight *graph.Node) []trace.Output {
	var logs []trace.Output
	log := func(metric *metrics.Metric) {
		logs = append(logs, trace.Output{Name: metric.Name(), Node: metric.Result(s), Sharding: m.replicated(0)})
	}
	r.Scope("metrics", func() {
		m.compiled.lossTracker.UpdateMean(s, loss, samples)
		log(m.compiled.lossTracker)
		for i, metric := range m.compiled.resolved {
			w := sampleWeight
			if i < len(m.compiled.metrics) {
				w = nil
			}
			metric.Update(s, ys[0], predictions[0], w)
			log(metric)
		}
	})
	slices.SortStableFunc(logs, func(a, b trace.Output) int { return strings.Compare(a.Name, b.Name) })
	return logs
}

// replicated returns the replicated sharding of the given rank, nil for one
// device.
func (m *Model) replicated(rank int) *layout.Sharding {
	if dm := m.mesh(); dm != nil {
		return layout.Replicated(dm, rank)
	}
	return nil
}
