package main

// This file compares our measurements with those of peers, and checks the ratios against targets.

import (
	"fmt"
	"slices"
	"strings"
)

// comparison names a quantity of a suite that the tables compare: between our worker ours, and each
// worker of peers that has measured it.
type comparison struct {
	suite, quantity string
	ours            string
	peers           []string
}

// comparisons are the rows of the tables, in their order.
var comparisons = slices.Concat([]comparison{
	{"step", "step", us, []string{"jax", "xla", "gomlx", before, oneDevice}},
	{"step", "fit", us, []string{"keras", before, oneDevice}},
	{"frontend", "trace and lower", us, []string{"jax"}},
	{"frontend", "trace and lower, CPU", us, []string{"jax"}},
	{"frontend", "XLA's compiler", us, []string{"jax"}},
	{"comm", "bytes sent", us, []string{"xla"}},
	{"comm", "collectives", us, []string{"xla"}},
	{"memory", "predicted peak", us, []string{reported}},
	{"memory", "peak", us, []string{"jax", "xla"}},
	{"start", "first loss", us, []string{"jax", "keras"}},
	{"start", "first loss", us + cached, []string{us, "jax", "keras", "jax" + cached, "keras" + cached}},
	{"start", "first loss, CPU", us, []string{"jax", "keras"}},
	{"start", "first loss, CPU", us + cached, []string{us, "jax", "keras", "jax" + cached, "keras" + cached}},
}, startComparisons(), scaleComparisons(), policyComparisons())

// Ratio is our measurement divided by a peer's, for each round that has both. Without a peer it is
// our measurement alone.
type Ratio struct {
	Suite    string  `json:"suite"`
	Quantity string  `json:"quantity"`
	Model    string  `json:"model"`
	Mesh     string  `json:"mesh"`
	Worker   string  `json:"worker"`
	Peer     string  `json:"peer,omitempty"`
	Ours     spread  `json:"ours"`
	Theirs   spread  `json:"theirs"`
	Ratio    spread  `json:"ratio"`
	Differs  float64 `json:"loss_differs,omitempty"` // relative difference of the first losses
}

// compare appends to r the ratio of each compared measurement to that of each of its peers, or the
// measurement alone without peers, and then how the ratios of these suites reach the targets.
func (r *Results) compare(suites []string) {
	for _, c := range comparisons {
		for _, s := range r.Series {
			if s.Suite != c.suite || s.Quantity != c.quantity || s.Worker != c.ours {
				continue
			}
			compared := false
			for _, peer := range c.peers {
				if ratio, ok := r.ratio(s, peer); ok {
					r.Ratios = append(r.Ratios, ratio)
					compared = true
				}
			}
			if !compared {
				r.Ratios = append(r.Ratios, Ratio{Suite: s.Suite, Quantity: s.Quantity, Model: s.Model, Mesh: s.Mesh, Worker: s.Worker, Ours: spreadOf(s.Rounds)})
			}
		}
	}
	for _, t := range targets {
		if slices.Contains(suites, t.suite) {
			r.Targets = append(r.Targets, t.check(r.Ratios))
		}
	}
}

func (r *Results) ratio(ours *Series, peer string) (Ratio, bool) {
	k := ours.key
	k.Worker = peer
	theirs := r.find(k)
	if theirs == nil {
		return Ratio{}, false
	}
	var values []float64
	for i := range min(len(ours.Rounds), len(theirs.Rounds)) {
		values = append(values, quotient(ours.Rounds[i], theirs.Rounds[i]))
	}
	out := Ratio{
		Suite: k.Suite, Quantity: k.Quantity, Model: k.Model, Mesh: k.Mesh, Worker: ours.Worker, Peer: peer,
		Ours: spreadOf(ours.Rounds), Theirs: spreadOf(theirs.Rounds), Ratio: spreadOf(values),
	}
	k.Quantity = "loss differs"
	if s := r.find(k); s != nil {
		out.Differs = s.Rounds[0]
	}
	return out, true
}

// quotient returns a/b. It is 1 if a equals b, also if both are 0, and infinite if only b is 0.
func quotient(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

// target says how large a quantity of a suite may be, as the ratio of our measurement by a peer's:
// at most most, as the geometric mean over the models and meshes, or for each of them. If absolute
// is set, it is about our measurement alone.
type target struct {
	suite, quantity string
	ours, peer      string
	models          []string // empty means all
	meshes          []string // empty means all
	each            bool     // checked for each model and mesh; otherwise for the geometric mean
	absolute        bool     // checked for our measurement, not for a ratio
	most            float64
}

var computeBound = []string{"conv_net", "resnet50", "transformer"}

var targets = append(policyTargets(), []target{
	{suite: "step", quantity: "step", ours: us, peer: "jax", most: 0.65},
	{suite: "step", quantity: "fit", ours: us, peer: "keras", most: 0.5},
	{suite: "step", quantity: "step", ours: us, peer: "jax", each: true, most: 1.05},
	{suite: "step", quantity: "step", ours: us, peer: oneDevice, models: computeBound, each: true, most: 1.05},
	{suite: "frontend", quantity: "trace and lower", ours: us, peer: "jax", models: []string{"mlp"}, most: 0.1},
	{suite: "frontend", quantity: "trace and lower", ours: us, peer: "jax", models: []string{"transformer", "resnet50"}, most: 0.3},
	{suite: "start", quantity: "first loss", ours: us, peer: "keras", most: 0.7},
	{suite: "start", quantity: "first loss", ours: us + cached, peer: "keras", most: 0.4},
	{suite: "start", quantity: "first loss", ours: us + cached, peer: us, models: []string{"transformer"}, each: true, most: 0.15},
	{suite: "comm", quantity: "bytes sent", ours: us, peer: "xla", each: true, most: 1},
	{suite: "scale", quantity: "32 layers", ours: us, peer: fewest, meshes: []string{"1024x4"}, each: true, most: 1.2},
	{suite: "scale", quantity: "32 layers", ours: us, peer: fewest, meshes: []string{"1024x4"}, absolute: true, each: true, most: 1},
}...)

// Reached says what a target allows and whether it is reached. Value is the mean or the largest of
// the ratios that it is about, 0 if nothing was measured; Most is the largest value allowed.
type Reached struct {
	Target  string  `json:"target"`
	Most    float64 `json:"most"`
	Value   float64 `json:"value"`
	Of      int     `json:"of"`              // number of pairs of model and mesh
	Worst   string  `json:"worst,omitempty"` // the pair with the largest ratio
	Reached bool    `json:"reached"`
}

func (t target) String() string {
	text := fmt.Sprintf("%s: %s, %s", t.suite, t.quantity, t.ours)
	if t.absolute {
		text += ", seconds"
	} else {
		text += " / " + t.peer
	}
	switch {
	case len(t.meshes) > 0:
		text += ", " + strings.Join(t.meshes, " ")
	case t.each:
		text += ", largest"
	default:
		text += ", geometric mean"
	}
	if len(t.models) > 0 {
		text += " of " + strings.Join(t.models, ", ")
	}
	return text
}

// isAbout reports whether the target is about the ratio r: suite, quantity, worker and peer must be
// equal. The model and the mesh must be among those of the target, if it names any.
func (t target) isAbout(r Ratio) bool {
	return r.Suite == t.suite && r.Quantity == t.quantity && r.Worker == t.ours && r.Peer == t.peer &&
		(len(t.models) == 0 || slices.Contains(t.models, r.Model)) && (len(t.meshes) == 0 || slices.Contains(t.meshes, r.Mesh))
}

// check returns what the ratios that the target is about reach: their geometric mean or, if each
// must reach it, the largest one; whether that is within the target; and the model and mesh of the
// worst. Without such ratios the target is not reached.
func (t target) check(ratios []Ratio) Reached {
	out := Reached{Target: t.String(), Most: t.most}
	var values []float64
	largest := 0.0
	for _, r := range ratios {
		if !t.isAbout(r) {
			continue
		}
		value := r.Ratio.Median
		if t.absolute {
			value = r.Ours.Median
		}
		values = append(values, value)
		if value > largest {
			largest, out.Worst = value, r.Model+" on "+r.Mesh
		}
	}
	out.Of = len(values)
	if len(values) == 0 {
		return out
	}
	out.Value = largest
	if !t.each {
		out.Value = geometricMean(values)
	}
	out.Reached = out.Value <= t.most
	return out
}
