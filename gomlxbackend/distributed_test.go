//go:build cgo

package gomlxbackend_test

// This file runs graphs that GoMLX distributes itself.

import (
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
)

func deviceMesh(t *testing.T, sizes []int, names ...string) *distributed.DeviceMesh {
	m, err := distributed.NewDeviceMesh(sizes, names)
	require.NoError(t, err)
	return m
}

func specOf(t *testing.T, m *distributed.DeviceMesh, axes ...string) *distributed.ShardingSpec {
	b := distributed.BuildSpec(m)
	for _, a := range axes {
		if a == "" {
			b = b.R()
		} else {
			b = b.S(a)
		}
	}
	s, err := b.Done()
	require.NoError(t, err)
	return s
}

// TestSPMD runs a graph that describes the work of one device on a mesh of 2x3 devices.
// AllReduceOne must combine the values of the devices along the axes that it names: by sum,
// maximum, minimum or product; on PJRT only a sum over both axes is tested. Other ops must not
// communicate. Each result must be on its device.
func TestSPMD(t *testing.T) {
	for _, engine := range []string{"pjrt", "go"} {
		b := open(t, "devices=6,engine="+engine)
		m := deviceMesh(t, []int{2, 3}, "a", "b")
		for _, tc := range []struct {
			axes []string
			op   compute.ReduceOpType
			want []float32
		}{
			{[]string{"a", "b"}, compute.ReduceOpSum, []float32{15, 15, 15, 15, 15, 15}},
			{[]string{"a"}, compute.ReduceOpSum, []float32{3, 5, 7, 3, 5, 7}},
			{[]string{"b"}, compute.ReduceOpMax, []float32{2, 2, 2, 5, 5, 5}},
			{[]string{"b"}, compute.ReduceOpMin, []float32{0, 0, 0, 3, 3, 3}},
			{[]string{"a"}, compute.ReduceOpProduct, []float32{0, 4, 10, 0, 4, 10}},
		} {
			e := MustNewExec(b, func(x, y *Node) (*Node, *Node) {
				return x.Graph().Distributed().Along(tc.axes...).AllReduceOne(x, tc.op), Add(x, y)
			}).SPMD(m)
			var in []any
			for i := range m.NumDevices() {
				in = append(in, float32(i), []float32{10, 20, 30})
			}
			out, err := e.Call(in...)
			require.NoError(t, err)
			require.Len(t, out, 12)
			for i := range m.NumDevices() {
				require.Equal(t, tc.want[i], out[2*i].Value(), "%s %v %s: device %d", engine, tc.axes, tc.op, i)
				require.Equal(t, []float32{10 + float32(i), 20 + float32(i), 30 + float32(i)}, out[2*i+1].Value())
				device, err := out[2*i].Device()
				require.NoError(t, err)
				require.EqualValues(t, i, device)
			}
			if engine == "pjrt" {
				break // the engine written in Go tests them all
			}
		}
	}
}

// Shards go to the devices of the assignment, and results are on them too. Results as the inputs of
// the next run are not transferred. A buffer of a distributed graph can also be the input of a
// graph for one device, on the buffer's device or moved to another.
func TestDeviceAssignment(t *testing.T) {
	b := open(t, "devices=4")
	m := deviceMesh(t, []int{2}, "x")
	spec := specOf(t, m, "x")
	e := MustNewExec(b, func(x *Node) *Node { return Add(x, ReduceAllSum(x)) }).AutoSharding(m).
		WithInputShardingSpecs(spec).WithOutputShardingSpecs(spec).WithDeviceAssignment([]compute.DeviceNum{3, 1})
	first, err := e.Call([]float32{1, 2}, []float32{3, 4})
	require.NoError(t, err)
	before := b.Transfers()
	second, err := e.Call(first[0], first[1])
	require.NoError(t, err)
	require.Equal(t, before, b.Transfers(), "results stay where they are")
	require.Equal(t, []any{[]float32{61, 62}, []float32{63, 64}}, []any{second[0].Value(), second[1].Value()})
	for i, want := range []compute.DeviceNum{3, 1} {
		device, err := second[i].Device()
		require.NoError(t, err)
		require.Equal(t, want, device)
	}
	portable := MustNewExec(b, func(x *Node) *Node { return Neg(x) })
	out, _, err := portable.CallWithGraphOnDevice(1, second[1])
	require.NoError(t, err)
	require.Equal(t, []float32{-63, -64}, out[0].Value())
	moved, err := out[0].OnDeviceClone(b, 2)
	require.NoError(t, err)
	out, _, err = portable.CallWithGraphOnDevice(2, moved)
	require.NoError(t, err)
	require.Equal(t, []float32{63, 64}, out[0].Value())
}

// parts splits the batches of a model into parts, one for each device.
type parts struct {
	of trained
	n  int
}

func (p parts) Name() string { return p.of.name }

func (p parts) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for {
			x, y := p.of.inputs(random).([][]float32), p.of.labels(random).([][]float32)
			for i := range p.n {
				from, to := i*len(x)/p.n, (i+1)*len(x)/p.n
				if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue(x[from:to])}, Labels: []*tensors.Tensor{tensors.FromValue(y[from:to])}}, nil) {
					return
				}
			}
		}
	}
}

// GoMLX's trainer distributes a model itself, with replicated and with sharded weights. Ten losses
// on 2x2 devices must be those of GoMLX's own backend on one device within 1e-5. From the third
// step on, only inputs and labels may be put on devices: variables stay there.
func TestDistributedTraining(t *testing.T) {
	const steps = 10
	replicated := models[0]
	sharded := trained{
		name: "sharded weights", inputs: replicated.inputs, labels: replicated.labels, loss: loss.MeanSquaredError,
		model: func(scope *model.Scope, _ any, inputs []*Node) []*Node {
			x, g := inputs[0], inputs[0].Graph()
			weights := func(name string, in, out int, axes ...string) *Node {
				v := scope.In("%s", name).VariableWithShape("weights", shapes.Make(dtypes.Float32, in, out))
				if gomlxMesh != nil && v.ShardingSpec() == nil {
					v.WithShardingSpec(specOf(t, gomlxMesh, axes...))
				}
				return v.NodeValue(g)
			}
			x = activation.Relu(MatMul(x, weights("up", 10, 32, "", "model")))
			return []*Node{MatMul(x, weights("down", 32, 1, "model"))}
		},
	}
	for _, of := range []trained{replicated, sharded} {
		t.Run(of.name, func(t *testing.T) {
			gomlxMesh = nil
			want := losses(t, goXLA(t), of, steps, nil)
			b := open(t, "devices=4")
			gomlxMesh = deviceMesh(t, []int{2, 2}, "data", "model")
			spec := []*distributed.ShardingSpec{specOf(t, gomlxMesh, "data")}
			ds, err := dataset.NewDistributedAccumulator(b, parts{of, 2}, distributed.AutoSharding, spec, spec, nil)
			require.NoError(t, err)
			store := model.NewStore()
			store.SetParam(model.ParamInitialSeed, int64(42))
			trainer := train.NewTrainer(b, store, of.model, of.loss, optimizer.Adam().LearningRate(0.01).Done(), nil, []metric.Interface{})
			loop := train.NewLoop(trainer)
			var got []float64
			var first gomlxbackend.Transfers
			loop.OnStep("losses", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
				if got = append(got, float64(tensors.ToScalar[float32](metrics[0]))); len(got) == 2 {
					first = b.Transfers()
				}
				return nil
			})
			_, err = loop.RunSteps(ds, steps)
			require.NoError(t, err)
			require.InDeltaSlice(t, want, got, 1e-5)
			last := b.Transfers()
			require.Equal(t, 2*(steps-2), last.Put-first.Put, "inputs and labels")
			require.Zero(t, last.Moved-first.Moved)
		})
	}
}

// gomlxMesh is the mesh of TestDistributedTraining; nil for one device.
var gomlxMesh *distributed.DeviceMesh

// A graph that GoMLX or this backend cannot run is an error, thrown by GoMLX or returned, that says
// what is wrong.
func TestDistributionErrors(t *testing.T) {
	b, whole := open(t, "devices=4,engine=go"), open(t, "mesh=2x2,engine=go")
	m := deviceMesh(t, []int{2}, "x")
	id := func(x *Node) *Node { return Neg(x) }
	for _, tc := range []struct {
		name string
		call func() error
		want string
	}{
		{"one device", func() error {
			_, err := MustNewExec(whole, id).SPMD(deviceMesh(t, []int{1}, "x")).Call(float32(1))
			return err
		}, "GOMLX_BACKEND=gospmd:devices=1"},
		{"too many", func() error {
			_, err := MustNewExec(b, id).SPMD(deviceMesh(t, []int{5}, "x")).Call(1, 2, 3, 4, 5)
			return err
		}, "there is no device 4: want 0 to 3"},
		{"uneven result", func() error {
			_, err := MustNewExec(b, id).AutoSharding(m).WithOutputShardingSpecs(specOf(t, m, "x")).Call([]float32{1, 2, 3}, []float32{1, 2, 3})
			return err
		}, `result 0 is tensor<3xf32>, sharded as [{"x"}], and GoMLX's shards of a tensor are of one shape`},
		{"two meshes", func() error {
			_, err := MustNewExec(b, id).AutoSharding(m, deviceMesh(t, []int{2}, "y")).Call(float32(1), float32(2))
			return err
		}, "got 2 meshes, want one"},
		{"order of devices", func() error {
			turned := deviceMesh(t, []int{2}, "x")
			require.NoError(t, turned.SetLogicalDeviceAssignment(1, 0))
			_, err := MustNewExec(b, id).AutoSharding(turned).Call(float32(1), float32(2))
			return err
		}, "order the devices by SetDeviceAssignment instead"},
		{"rank of a spec", func() error {
			_, err := MustNewExec(b, id).AutoSharding(m).WithOutputShardingSpecs(specOf(t, m, "x", "", "")).Call([]float32{1, 2}, []float32{1, 2})
			return err
		}, `want at most 1 on mesh "mesh"`},
		{"unknown device", func() error {
			_, err := b.BufferFromFlatData(4, []float32{1}, shapes.Make(dtypes.Float32, 1))
			return err
		}, "there is no device 4: want 0 to 3"},
		{"a collective of a program for all devices", func() error {
			_, err := MustNewExec(b, func(x *Node) *Node {
				return x.Graph().Distributed().AllReduceOne(x, compute.ReduceOpSum)
			}).AutoSharding(m).Call(float32(1), float32(2))
			return err
		}, "you should not use graph.Distributed() operations"},
	} {
		var err error
		if thrown := tryCatch(func() { err = tc.call() }); thrown != nil {
			err = thrown
		}
		require.ErrorContains(t, err, tc.want, tc.name)
	}
}
