package keras

// This file binds losses, metrics and their weights to the outputs of a model, by
// position or by name, and names their logs as Keras does.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// perOutput holds the values of an option for each output, by position or by name.
type perOutput struct {
	list   []any
	byName map[string]any
}

// perOutputOf returns the values of an option with the arguments args: one for each output, or a
// single map by names of outputs. It copies them, so that each can change the copy.
func perOutputOf(args []any) perOutput {
	if len(args) == 1 {
		if names, values, ok := data.Named(args[0]); ok {
			m := make(map[string]any, len(names))
			for i, name := range names {
				m[name] = values[i]
			}
			return perOutput{byName: m}
		}
	}
	return perOutput{list: slices.Clone(args)}
}

// each replaces the value of each output by f of it, and returns p. It changes p's list and map.
func (p perOutput) each(f func(any) any) perOutput {
	for i, v := range p.list {
		p.list[i] = f(v)
	}
	for name, v := range p.byName {
		p.byName[name] = f(v)
	}
	return p
}

// values returns all values, those of a map in the order of their names.
func (p perOutput) values() []any {
	out := slices.Clone(p.list)
	for _, name := range slices.Sorted(maps.Keys(p.byName)) {
		out = append(out, p.byName[name])
	}
	return out
}

// resolve returns the value of each output of these names, in order, nil for none. It returns an
// error, which calls the values what, for another number of values, for an unknown name, and for a
// name that several outputs have.
func (p perOutput) resolve(what string, names []string) ([]any, error) {
	if p.byName == nil {
		if len(p.list) > 0 && len(p.list) != len(names) {
			return nil, fmt.Errorf("got %d %s for %d outputs: give one for each output (nil for none), or a map by the names of the outputs", len(p.list), what, len(names))
		}
		return append(slices.Clone(p.list), make([]any, len(names)-len(p.list))...), nil
	}
	out := make([]any, len(names))
	for _, name := range slices.Sorted(maps.Keys(p.byName)) {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("got %s for an output %q%s: the outputs are %s", what, name, suggest.DidYouMean(name, names), suggest.Quote(names))
		}
		if slices.Contains(names[i+1:], name) {
			return nil, fmt.Errorf("got %s by name, and two outputs are named %q: give them by position", what, name)
		}
		out[i] = p.byName[name]
	}
	return out, nil
}

// head is an output, with the losses and metrics that Compile binds to it.
type head struct {
	loss     *losses.Loss // nil: none
	weight   float64      // of the loss
	tracker  *tracked     // the mean of this output's loss; nil if it is the only loss of the model
	metrics  []*tracked
	weighted []*tracked // those that weigh samples
}

// labelled reports whether the output needs labels: it has a loss or metrics.
func (h *head) labelled() bool { return h.loss != nil || len(h.metrics)+len(h.weighted) > 0 }

// tracked is a metric that Compile was given, the name of its log, and once it is built its state.
type tracked struct {
	log    string
	given  any             // a name or a *metrics.Metric
	metric *metrics.Metric // nil before build
}

// build makes the metric that Compile was given, for labels and predictions of these shapes, and
// its variables on dm.
func (t *tracked) build(dm *mesh.DeviceMesh, labels, predictions []int) (err error) {
	if t.metric, err = metrics.Get(t.given, labels, predictions); err != nil {
		return err
	}
	return t.metric.Build(t.log, dm, labels, predictions)
}

// OutputNames returns the names of the outputs: those given to NewModel, or of the layers that
// compute them. Compile and Fit take losses, metrics and labels by these names.
func (m *Model) OutputNames() []string { return tensorNames(m.outputs, m.outputKeys) }

// InputNames returns the names of the inputs: those of the option, or those of the input layers.
// Fit takes data by these names.
func (m *Model) InputNames() []string { return tensorNames(m.inputs, m.inputKeys) }

// bindOutputs makes a head for each output of a model that is built, with its losses, loss weights
// and metrics, and the names of their logs. It returns an error for values that do not fit the
// outputs.
func (m *Model) bindOutputs(c *compiled) (err error) {
	names := m.OutputNames()
	c.added = nil // of a graph that could not be bound
	c.heads = make([]*head, len(names))
	for i := range c.heads {
		c.heads[i] = &head{weight: 1}
	}
	if err := c.bindLosses(names); err != nil {
		return err
	}
	logs := make(map[string]int)
	if len(names) == 1 {
		names[0] = ""
	}
	if err := c.bindMetrics("metrics", c.metrics, names, logs, func(h *head) *[]*tracked { return &h.metrics }); err != nil {
		return err
	}
	if err := c.bindMetrics("weighted metrics", c.weightedMetrics, names, logs, func(h *head) *[]*tracked { return &h.weighted }); err != nil {
		return err
	}
	return m.bindAdded(c)
}

// bindAdded adds to c a mean for each number that a layer adds by AddMetric. A name that two
// layers, or another metric, use is an error.
func (m *Model) bindAdded(c *compiled) error {
	taken := make(map[string]layers.Layer)
	for _, t := range c.all() {
		taken[t.log] = nil
	}
	for _, n := range m.nodes {
		for _, name := range n.AddedMetrics() {
			if by, ok := taken[name]; ok && by == n.Layer { // which is applied twice
				continue
			} else if ok {
				return fmt.Errorf("layer %s: AddMetric: there is a log %q already: give it another name, such as %q", n.Name(), name, n.Name()+"_"+name)
			}
			taken[name] = n.Layer
			c.added = append(c.added, &tracked{log: name, given: metrics.Mean(metrics.Name(name))})
		}
	}
	return nil
}

// bindLosses sets the loss and its weight in each head; names are the names of the outputs, one for
// each head. A single given loss is that of all outputs. An output without a loss keeps nil. If
// several outputs have losses, it also sets the means that log them, name_loss for each. It returns
// an error if losses or weights do not fit the outputs, or if a loss is unknown.
func (c *compiled) bindLosses(names []string) error {
	given := c.losses
	if len(given.list) == 1 && given.list[0] != nil { // the loss of all outputs
		given.list = slices.Repeat(given.list, len(names))
	}
	list, err := given.resolve("losses", names)
	if err != nil {
		return err
	}
	weights, err := c.lossWeights.resolve("loss weights", names)
	if err != nil {
		return err
	}
	trained := 0
	for i, l := range list {
		if l == nil {
			continue
		}
		trained++
		if c.heads[i].loss, err = losses.Get(l); err != nil {
			return err
		}
		if weights[i] != nil {
			c.heads[i].weight = weights[i].(float64)
		}
	}
	for i, h := range c.heads {
		if h.loss != nil && trained > 1 {
			h.tracker = &tracked{log: names[i] + "_loss", given: metrics.Mean(metrics.Name(names[i] + "_loss"))}
		}
	}
	return nil
}

// bindMetrics adds the metrics given, an option called what, to the list that field returns of each
// head. names are the names of the outputs, which begin the names of their logs; a single output
// has the name "" and gets all metrics. logs counts the logs of each name, also of earlier calls.
// If a log's name is taken, it gets weighted_ (unless what is "metrics") or a number.
func (c *compiled) bindMetrics(what string, given perOutput, names []string, logs map[string]int, field func(*head) *[]*tracked) error {
	var list []any
	var err error
	if len(names) == 1 {
		list = []any{given.values()}
	} else if list, err = given.resolve(what, names); err != nil {
		return err
	}
	for i, of := range list {
		for _, id := range flat(of) {
			name, ok := id.(string)
			if !ok {
				metric, err := metrics.Get(id, nil, nil)
				if err != nil {
					return err
				}
				name = metric.Name()
			}
			prefix := ""
			if names[i] != "" {
				prefix = names[i] + "_"
			}
			log := prefix + name
			if logs[log] > 0 && what != "metrics" {
				log = prefix + "weighted_" + name
			}
			if logs[log]++; logs[log] > 1 {
				log += "_" + strconv.Itoa(logs[log]-1)
			}
			to := field(c.heads[i])
			*to = append(*to, &tracked{log: log, given: id})
		}
	}
	return nil
}

// flat returns the elements of v, a []any or []string in lists of any depth, in order and without
// nil. If v is no such list, the result has v alone; for nil it is empty.
func flat(v any) (out []any) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, x := range v {
			out = append(out, flat(x)...)
		}
	case []string:
		for _, x := range v {
			out = append(out, x)
		}
	default:
		out = append(out, v)
	}
	return out
}

// all returns the metrics of all heads in the order of Keras' logs: the loss, the losses of the
// heads, their metrics, their weighted metrics, and those that layers add.
func (c *compiled) all() (out []*tracked) {
	out = append(out, c.loss)
	for _, field := range []func(*head) []*tracked{
		func(h *head) []*tracked {
			if h.tracker == nil {
				return nil
			}
			return []*tracked{h.tracker}
		},
		func(h *head) []*tracked { return h.metrics },
		func(h *head) []*tracked { return h.weighted },
	} {
		for _, h := range c.heads {
			out = append(out, field(h)...)
		}
	}
	return append(out, c.added...)
}

// metricVariables returns the variables with the state of all metrics of the model that are built.
func (c *compiled) metricVariables() (out []*variable.Variable) {
	for _, t := range slices.Concat(c.all(), c.own.metrics) {
		if t.metric != nil {
			out = append(out, t.metric.Variables()...)
		}
	}
	return out
}

// logNames returns the names of a step's logs in ascending order, with one name for each number of
// a metric.
func (m *Model) logNames() []string {
	var names []string
	c := m.compiled
	for _, t := range c.all() {
		names = append(names, t.logs(nil)...)
	}
	for i, h := range c.heads { // those of several numbers, whose number the outputs say
		for _, t := range slices.Concat(h.metrics, h.weighted) {
			if logs := t.logs(m.outputs[i].Shape()); len(logs) > 1 {
				names = append(slices.DeleteFunc(names, func(name string) bool { return name == t.log }), logs...)
			}
		}
	}
	slices.Sort(names)
	return names
}

// logs returns the names of the metric's logs for predictions of the given shape: one, or with
// numbers for a metric of several numbers, such as f1_score_0.
func (t *tracked) logs(predictions []int) []string {
	metric, err := metrics.Get(t.given, nil, nil)
	if err != nil || metric.Numbers(predictions) == 1 {
		return []string{t.log}
	}
	var names []string
	for i := range metric.Numbers(predictions) {
		names = append(names, numberedLog(t.log, i))
	}
	return names
}

// numberedLog returns the name of the log of number i, from 0, of a metric with several: log_0,
// log_1 and so on.
func numberedLog(log string, i int) string { return log + "_" + strconv.Itoa(i) }

// labelsOf returns, for each output, which of n tensors is for it, -1 for none: there is a tensor
// for each output, or for each that needs labels. Another n is an error, which calls the tensors
// what.
func (c *compiled) labelsOf(what string, n int) ([]int, error) {
	index := make([]int, len(c.heads))
	needed := 0
	for i, h := range c.heads {
		index[i] = -1
		if h.labelled() {
			index[i] = needed
			needed++
		}
	}
	switch {
	case n == len(c.heads):
		for i := range index {
			index[i] = i
		}
		return index, nil
	case n == needed:
		return index, nil
	case needed < len(c.heads):
		return nil, fmt.Errorf("got %d %s, the model has %d outputs, of which %d have a loss or metrics", n, what, len(c.heads), needed)
	}
	return nil, fmt.Errorf("got %d %s, the model has %d outputs", n, what, len(c.heads))
}

// tensorNames returns a copy of the names given, or if they are nil the names of the layers that
// compute ts.
func tensorNames(ts []*layers.Tensor, given []string) []string {
	if given != nil {
		return slices.Clone(given)
	}
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = t.Producer().Name()
	}
	return names
}

// buildMetrics makes the metrics of the heads that have labels, the mean of the loss and the
// metrics that layers add, with their variables, for the shapes of the first batch b. Labels that
// do not fit the heads are an error; for a training step of the user's own, only the mean and the
// metrics of layers are made then.
func (m *Model) buildMetrics(b data.Batch) error {
	c, dm := m.compiled, m.mesh()
	labels, err := c.labelsOf("label tensors", len(b.Y))
	if err != nil && m.ownStep(trainStep) == nil {
		return err
	}
	for i, h := range c.heads {
		if err != nil || labels[i] < 0 {
			continue
		}
		trackers := slices.Concat(h.metrics, h.weighted)
		if h.tracker != nil {
			trackers = append(trackers, h.tracker)
		}
		for _, t := range trackers {
			if err := t.build(dm, b.Y[labels[i]].Shape().Dimensions, m.outputs[i].Shape()); err != nil {
				return err
			}
		}
	}
	for _, t := range append([]*tracked{c.loss}, c.added...) {
		if err := t.build(dm, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// resetMetrics sets the states of all metrics of the model that are on devices to their first
// values, on the devices of client.
func (m *Model) resetMetrics(client *runtime.Client) error {
	for _, v := range m.compiled.metricVariables() {
		if v.Array() == nil {
			continue
		}
		if err := v.Reset(client); err != nil {
			return err
		}
	}
	return nil
}
