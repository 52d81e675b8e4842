package main

// This file draws step times and bytes by mesh shape.

import (
	"fmt"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// plotRuns writes a PNG file with two panels: the time of a step and the bytes that a
// device sends.
func plotRuns(runs []outcome, path string) error {
	times, sent, names := make(plotter.Values, len(runs)), make(plotter.Values, len(runs)), make([]string, len(runs))
	for i, r := range runs {
		times[i], sent[i], names[i] = 1e3*r.StepSeconds, float64(r.Report.Bytes)/1e6, r.Mesh
	}
	upper, err := bars("Training step by mesh shape", "ms a step", times, names, color.RGBA{R: 0x33, G: 0x66, B: 0xaa, A: 0xff})
	if err != nil {
		return err
	}
	lower, err := bars("", "MB sent by a device", sent, names, color.RGBA{R: 0xcc, G: 0x77, B: 0x22, A: 0xff})
	if err != nil {
		return err
	}
	const width, height = 16 * vg.Centimeter, 16 * vg.Centimeter
	img := vgimg.New(width, height)
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadTop: vg.Millimeter, PadBottom: vg.Millimeter, PadLeft: vg.Millimeter, PadRight: vg.Millimeter, PadY: 4 * vg.Millimeter}
	plots := [][]*plot.Plot{{upper}, {lower}}
	for i, canvases := range plot.Align(plots, tiles, draw.New(img)) {
		plots[i][0].Draw(canvases[0])
	}
	err = atomicfile.Write(path, func(f *os.File) error {
		_, err := vgimg.PngCanvas{Canvas: img}.WriteTo(f)
		return err
	})
	if err != nil {
		return fmt.Errorf("-plot: %w", err)
	}
	return nil
}

// bars returns a bar chart with the given title and unit, with a bar of that color and a name for
// each of values.
func bars(title, unit string, values plotter.Values, names []string, fill color.Color) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Y.Label.Text, p.Y.Min = title, unit, 0
	chart, err := plotter.NewBarChart(values, vg.Centimeter)
	if err != nil {
		return nil, err
	}
	chart.Color, chart.LineStyle.Width = fill, 0
	p.Add(chart)
	p.NominalX(names...)
	return p, nil
}
