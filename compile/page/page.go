package page

// This file defines Page, the data of the HTML file.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/mesh"
)

// Page is the data of the HTML file, in the form that its scripts read.
type Page struct {
	Program string   `json:"program"`
	Mesh    meshData `json:"mesh"`
	Machine machine  `json:"machine"`
	Totals  totals   `json:"totals"`

	// Strings are all texts. Columns hold indices into it.
	Strings []string `json:"strings"`
	// AxisSets are the sets of axes that ops send along, as indices in Mesh.Axes. AxisTexts has
	// their texts, such as data,model:(1)2.
	AxisSets  [][]int  `json:"axisSets"`
	AxisTexts []string `json:"axisTexts"`

	Ops     ops      `json:"ops"`
	Kernels kernels  `json:"kernels"`
	Values  values   `json:"values"`
	Layers  layers   `json:"layers"`
	Memory  memory   `json:"memory"`
	Fitting *fitting `json:"fitting,omitempty"` // nil where nothing was done to save memory

	Stories   stories        `json:"stories"`
	Shardings []shardingData `json:"shardings"`

	Findings []Finding `json:"findings"`

	strings table
}

// meshData is the mesh.
type meshData struct {
	Axes    []axis `json:"axes"`
	Devices []int  `json:"devices,omitempty"` // in the order of the mesh; absent if they are 0, 1, …
}

type axis struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// machine is a cost.Machine, with its links by axis of the mesh. If Scale is false, its times are
// only relative: the page shows fractions of the step.
type machine struct {
	Name      string      `json:"name"`
	Scale     bool        `json:"scale"`
	Flops     float64     `json:"flops"` // per second
	Roofs     []cost.Roof `json:"roofs"`
	Bandwidth float64     `json:"bandwidth"` // bytes per second of the memory
	Memory    int         `json:"memory,omitempty"`
	Links     []link      `json:"links"`
}

type link struct {
	Latency   float64 `json:"latency"`
	Bandwidth float64 `json:"bandwidth"`
}

// totals are the figures of the report.
type totals struct {
	Devices      int                 `json:"devices"`
	Collectives  int                 `json:"collectives"`
	Bytes        int                 `json:"bytes"`
	Flops        int                 `json:"flops"`
	LoopsUnknown bool                `json:"loopsUnknown,omitempty"`
	Memory       []report.MemoryPart `json:"memory"`
	Peak         int                 `json:"peak"`
	Seconds      float64             `json:"seconds"` // predicted
	// the predicted speed-up over one device; null if it is not known
	SpeedUp *report.SpeedUp `json:"speedUp"`
}

// New makes the page for the program that e explains, on machine m; nil stands for cost.Default. If
// there is no program, it returns the error that says why.
func New(e *explain.Explanation, m *cost.Machine) (*Page, error) {
	p := e.Program()
	if p == nil {
		return nil, e.Err
	}
	if m == nil {
		m = cost.Default()
	}
	page := &Page{ // empty lists must not be null in JSON
		Program: p.Name, Mesh: meshData{Axes: []axis{}},
		Machine:  machine{Name: m.Name, Scale: m.HasScale(), Flops: m.FlopsPerSecond, Roofs: m.Roofs(), Bandwidth: m.MemoryBandwidth, Memory: m.Memory, Links: []link{}},
		AxisSets: [][]int{}, AxisTexts: []string{},
		Shardings: []shardingData{},
	}
	for _, a := range p.Mesh.Axes() {
		page.Mesh.Axes = append(page.Mesh.Axes, axis{a.Name, a.Size})
		l := m.LinkOver(mesh.FullAxes(a.Name))
		page.Machine.Links = append(page.Machine.Links, link{l.Latency, l.Bandwidth})
	}
	if devices := p.Mesh.Devices(); !isInOrder(devices) {
		page.Mesh.Devices = devices
	}
	r := report.NewFor(p, m)
	page.addTotals(r)
	page.Totals.Seconds = m.Seconds(p.Mesh, p.Module.Main())
	page.addOps(p, e, m, r.Usage()).addFindings(e, r)
	page.Fitting = fittingOf(p, r.Usage())
	page.Strings = page.strings.Strings
	return page, nil
}

func isInOrder(devices []int) bool {
	for i, d := range devices {
		if d != i {
			return false
		}
	}
	return true
}

func (p *Page) addTotals(r *report.Report) {
	m := r.Memory
	p.Totals = totals{
		Devices: r.Devices, Collectives: len(r.Collectives), Bytes: r.Bytes, Flops: r.Flops,
		LoopsUnknown: r.LoopsUnknown, Peak: m.Peak, SpeedUp: r.SpeedUp,
		Memory: m.Parts(),
	}
}

// addAxes adds a set of axes, unless the page has it, and returns its index.
func (p *Page) addAxes(axes []mesh.AxisRef) int {
	text := ""
	var set []int
	for i, name := range report.AxisNames(axes) {
		if i > 0 {
			text += ","
		}
		text += name
		set = append(set, p.axis(axes[i].Name))
	}
	if at := slices.Index(p.AxisTexts, text); at >= 0 {
		return at
	}
	p.AxisSets, p.AxisTexts = append(p.AxisSets, set), append(p.AxisTexts, text)
	return len(p.AxisSets) - 1
}

// axis returns the index of the axis of that name in p.Mesh, -1 if there is none.
func (p *Page) axis(name string) int {
	return slices.IndexFunc(p.Mesh.Axes, func(a axis) bool { return a.Name == name })
}
