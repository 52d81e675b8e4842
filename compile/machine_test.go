package compile_test

// This file tests that decisions depend on Options.Machine: another link along one axis changes the
// result of each pass and report that uses the machine.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
)

// machineWithLink returns the default machine with the link l along the named mesh axis.
func machineWithLink(axis string, l cost.Link) *cost.Machine {
	m := cost.Default()
	m.Axes = map[string]cost.Link{axis: l}
	return m
}

var (
	ordinary = cost.Default().Link
	slow     = cost.Link{Latency: ordinary.Latency, Bandwidth: ordinary.Bandwidth / 1e6}
	fast     = cost.Link{Bandwidth: ordinary.Bandwidth * 1e6}
	late     = cost.Link{Latency: 1, Bandwidth: ordinary.Bandwidth}
)

// A pass on per-device modules merges or moves collectives only where that saves time on the
// machine. For each pass, a program is left with other numbers of collectives on the default
// machine and on one with another link along y.
func TestMachineDecidesInPasses(t *testing.T) {
	for _, tc := range []struct {
		pass, text string
		normal     int // number of collectives on the default machine
		link       cost.Link
		want       int // number of collectives with that link along y
	}{
		// One launch and some bytes are saved, but more bytes go along y.
		{"merge_reduces", `func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.all_reduce %a axes={"x"} reduction=add : tensor<8xf32>
  %1 = spmd.all_reduce %0 axes={"y"} reduction=add : tensor<8xf32>
  return %1 : tensor<8xf32>
}`, 1, slow, 2},
		// One gather instead of two, but all ops after it are computed in full.
		{"move_gathers", `func.func @main(%v: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<256xf32>, tensor<256xf32>) {
  %0 = stablehlo.abs %v : tensor<64xf32>
  %1 = stablehlo.add %0, %v : tensor<64xf32>
  %2 = stablehlo.multiply %1, %v : tensor<64xf32>
  %3 = stablehlo.add %2, %0 : tensor<64xf32>
  %4 = stablehlo.negate %v : tensor<64xf32>
  %5 = stablehlo.multiply %4, %v : tensor<64xf32>
  %6 = stablehlo.add %5, %4 : tensor<64xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<64xf32>
  %8 = spmd.all_gather %3 dim=0 axes={"y"} : (tensor<64xf32>) -> tensor<256xf32>
  %9 = spmd.all_gather %7 dim=0 axes={"y"} : (tensor<64xf32>) -> tensor<256xf32>
  return %8, %9 : tensor<256xf32>, tensor<256xf32>
}`, 1, fast, 2},
		// One launch is saved, but both weights are in memory together.
		{"combine_gathers", `func.func @main(%x: tensor<64x256xf32>, %v: tensor<64x256xf32>, %w: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %0 = spmd.all_gather %v dim=0 axes={"y"} : (tensor<64x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %2 = spmd.all_gather %w dim=0 axes={"y"} : (tensor<64x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}`, 2, late, 1},
	} {
		t.Run(tc.pass, func(t *testing.T) {
			m := ir.MustParse("sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n" + tc.text)
			for _, run := range []struct {
				machine *cost.Machine
				want    int
			}{{nil, tc.normal}, {cost.Default(), tc.normal}, {machineWithLink("x", ordinary), tc.normal}, {machineWithLink("y", tc.link), tc.want}} {
				out, err := compile.RunSPMDPass(m, tc.pass, run.machine)
				require.NoError(t, err)
				require.Len(t, cost.Collectives(m.Meshes[0].Mesh, out.Main()), run.want, "%v\n%s", run.machine, out)
			}
		})
	}
}

// sumThenColumns has a sum over model, an op on it, and a product that needs full rows of the
// result.
const sumThenColumns = `
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%a: tensor<65536x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %w: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>},
    %u: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<65536x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<65536x1024xf32>, tensor<1024x64xf32>) -> tensor<65536x64xf32>
  %1 = stablehlo.tanh %0 : tensor<65536x64xf32>
  %2 = stablehlo.dot_general %1, %u, contracting_dims = [1] x [0] : (tensor<65536x64xf32>, tensor<64x256xf32>) -> tensor<65536x256xf32>
  return %2 : tensor<65536x256xf32>
}`

// If a launch along the axis is expensive, one all_reduce is cheaper than a reduce_scatter and an
// all_gather with the op on shards between them.
func TestMachineDecidesShardings(t *testing.T) {
	kinds := func(machine *cost.Machine) (out []cost.Kind) {
		p, err := compile.Compile(t.Context(), ir.MustParse(sumThenColumns), compile.Options{Machine: machine})
		require.NoError(t, err)
		for _, c := range report.New(p).Collectives {
			out = append(out, c.Kind)
		}
		return out
	}
	onShards := []cost.Kind{cost.ReduceScatter, cost.AllGather}
	require.Equal(t, onShards, kinds(nil))
	require.Equal(t, onShards, kinds(cost.Default()))
	require.Equal(t, onShards, kinds(machineWithLink("data", late)), "nothing is sent along data")
	require.Equal(t, []cost.Kind{cost.AllReduce}, kinds(machineWithLink("model", late)))
}

func TestMachineInReport(t *testing.T) {
	p, err := compile.Compile(t.Context(), ir.MustParse(sumThenColumns), compile.Options{})
	require.NoError(t, err)
	r := report.New(p)
	require.Equal(t, r, report.NewFor(p, cost.Default()))
	far := report.NewFor(p, machineWithLink("model", late))
	require.Less(t, far.SpeedUp.Total, r.SpeedUp.Total)
	require.Equal(t, r.SpeedUp.Arithmetic, far.SpeedUp.Arithmetic)
	require.Contains(t, far.String(), "with 160 flops per byte sent and 4,096 bytes of latency per collective; along model 160 and 1,000,000,000\n")
	require.Equal(t, r.SpeedUp, report.NewFor(p, machineWithLink("data", late)).SpeedUp)
}

func TestMachineMustFitTheMesh(t *testing.T) {
	_, err := compile.Compile(t.Context(), ir.MustParse(columnsTwice), compile.Options{Machine: machineWithLink("hosts", late)})
	require.ErrorContains(t, err, `Axes names "hosts", the mesh has the axes [data model]: name one of those`)
	require.True(t, strings.HasPrefix(err.Error(), "compile: "), err)
	_, err = compile.Compile(t.Context(), ir.MustParse(columnsTwice), compile.Options{Machine: &cost.Machine{Name: "no links", FlopsPerSecond: 1}})
	require.ErrorContains(t, err, `Options.Machine: cost: machine "no links": the bandwidth of Link is 0`)
}

// columnsTwice has two layers whose kernels are sharded by columns.
const columnsTwice = `
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %x: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w1: tensor<4096x256xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d1/kernel"),
    %w2: tensor<256x64xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d2/kernel"))
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x4096xf32>, tensor<4096x256xf32>) -> tensor<64x256xf32> loc("d1")
  %r = stablehlo.tanh %h : tensor<64x256xf32> loc("d1")
  %y = stablehlo.dot_general %r, %w2, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32> loc("d2")
  return %y : tensor<64x64xf32>
}`
