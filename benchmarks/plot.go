package main

// This file draws plots of the results.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/atomicfile"
)

// plotted has the quantities of a suite that its plots show, the unit of their axis, and the factor
// that converts measurements to that unit.
var plotted = map[string]struct {
	quantities []string
	unit       string
	scale      float64
}{
	"step":     {[]string{"step", "fit"}, "ms", 1e3},
	"frontend": {[]string{"trace and lower"}, "ms", 1e3},
	"comm":     {[]string{"bytes sent"}, "MB", 1e-6},
	"memory":   {[]string{"predicted peak", "peak"}, "MB", 1e-6},
	"start":    {[]string{"first loss"}, "s", 1},
	"scale":    {scaleQuantities(), "ms", 1e3},
}

// bars are the bars of one color: one quantity of one worker, by mesh.
type bars struct {
	name   string
	spread map[string]spread
}

// plot writes a file SUITE_MODEL.png for each suite and model into a directory.
func (r *Results) plot(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, s := range suites {
		for _, model := range r.models(s.name) {
			if err := r.plotModel(dir, s, model); err != nil {
				return err
			}
		}
	}
	return nil
}

// models returns the models of a suite, in the order in which they were measured.
func (r *Results) models(suite string) (out []string) {
	for _, s := range r.Series {
		if s.Suite == suite && !slices.Contains(out, s.Model) {
			out = append(out, s.Model)
		}
	}
	return out
}

func (r *Results) plotModel(dir string, s suite, model string) error {
	groups, meshes := r.bars(s.name, model)
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s\n%s", model, s.about)
	p.Y.Label.Text, p.Y.Min, p.X.Label.Text = plotted[s.name].unit, 0, "mesh"
	p.Legend.Top = true
	for i, g := range groups {
		if err := g.draw(p, i, len(groups), meshes, plotted[s.name].scale); err != nil {
			return err
		}
	}
	if err := r.reference(p, s.name, model, len(meshes)); err != nil {
		return err
	}
	p.NominalX(meshes...)
	p.X.Min, p.X.Max = -0.6, float64(len(meshes))-0.4
	p.Y.Max *= 1.3 // room for the legend
	return writePNG(filepath.Join(dir, fmt.Sprintf("%s_%s.png", s.name, model)), p)
}

// bars returns the bars of a plot, a group for each worker and quantity, and the meshes under them.
// The worker oneDevice, which is a line, and fewest have none.
func (r *Results) bars(suite, model string) (groups []bars, meshes []string) {
	for _, quantity := range plotted[suite].quantities {
		for _, s := range r.Series {
			if s.Suite != suite || s.Model != model || s.Quantity != quantity || s.Worker == oneDevice || s.Worker == fewest {
				continue
			}
			name := s.Worker
			if len(plotted[suite].quantities) > 1 {
				name += ", " + quantity
			}
			i := slices.IndexFunc(groups, func(g bars) bool { return g.name == name })
			if i < 0 {
				i = len(groups)
				groups = append(groups, bars{name, map[string]spread{}})
			}
			groups[i].spread[s.Mesh] = spreadOf(s.Rounds)
			if !slices.Contains(meshes, s.Mesh) {
				meshes = append(meshes, s.Mesh)
			}
		}
	}
	return groups, meshes
}

// draw adds to p the bars, each with its quartiles. The bars are series number i of n, with one bar
// at each of meshes that has a figure; values are multiplied by scale.
func (b bars) draw(p *plot.Plot, i, n int, meshes []string, scale float64) error {
	const room = 0.8 // part of a mesh's space
	width := room / float64(n)
	var ends spreads
	for at, mesh := range meshes {
		s, ok := b.spread[mesh]
		if !ok {
			continue
		}
		left := float64(at) - room/2 + float64(i)*width
		bar, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: 0}, {X: left, Y: s.Median * scale}, {X: left + width, Y: s.Median * scale}, {X: left + width, Y: 0}})
		if err != nil {
			return err
		}
		bar.Color, bar.LineStyle.Width = plotutil.Color(i), 0
		p.Add(bar)
		if len(ends.at) == 0 {
			p.Legend.Add(b.name, bar)
		}
		ends.at = append(ends.at, plotter.XY{X: left + width/2, Y: s.Median * scale})
		ends.errors = append(ends.errors, struct{ Low, High float64 }{(s.Median - s.Low) * scale, (s.High - s.Median) * scale})
	}
	marks, err := plotter.NewYErrorBars(ends)
	if err != nil {
		return err
	}
	p.Add(marks)
	return nil
}

// spreads has the ends of bars and their quartiles, in the plotter's form.
type spreads struct {
	at     plotter.XYs
	errors plotter.YErrors
}

func (s spreads) Len() int                         { return len(s.at) }
func (s spreads) XY(i int) (x, y float64)          { return s.at[i].X, s.at[i].Y }
func (s spreads) YError(i int) (low, high float64) { return s.errors[i].Low, s.errors[i].High }

// reference draws a line over all meshes, so many, at the median of our step on one device with all
// cores, if it was measured in the suite for the model. This is the limit on a machine whose
// virtual devices share the cores.
func (r *Results) reference(p *plot.Plot, suite, model string, meshes int) error {
	quantity := plotted[suite].quantities[0]
	s := r.find(key{suite, model, steps.MeshText(single), us, quantity})
	for _, other := range r.Series {
		if s == nil && other.Suite == suite && other.Model == model && other.Worker == oneDevice && other.Quantity == quantity {
			s = other
		}
	}
	if s == nil {
		return nil
	}
	y := spreadOf(s.Rounds).Median * plotted[suite].scale
	line, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: y}, {X: float64(meshes) - 0.5, Y: y}})
	if err != nil {
		return err
	}
	line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	p.Add(line)
	p.Legend.Add("ours, one device", line)
	return nil
}

func writePNG(path string, p *plot.Plot) error {
	img := vgimg.New(18*vg.Centimeter, 12*vg.Centimeter)
	p.Draw(draw.New(img))
	return atomicfile.Write(path, func(f *os.File) error {
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(f)
		return err
	})
}
