package main

// This file defines the results of a run, and their statistics.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Results are all results of a run of the command. The flag -json writes them.
type Results struct {
	Date     string                       `json:"date"`
	Commit   string                       `json:"commit"`
	Machine  string                       `json:"machine"`
	Command  []string                     `json:"command"`
	Versions map[string]map[string]string `json:"versions"` // versions, by worker
	Series   []*Series                    `json:"series"`
	Ratios   []Ratio                      `json:"ratios"`
	Targets  []Reached                    `json:"targets"`
	Failures []Failure                    `json:"failures,omitempty"`
}

// key identifies a measurement: the quantity, the worker, and the model and mesh that it runs.
type key struct {
	Suite    string `json:"suite"`
	Model    string `json:"model"`
	Mesh     string `json:"mesh"`
	Worker   string `json:"worker"`
	Quantity string `json:"quantity"`
}

// Series has the measurement of each round: seconds, bytes or a number.
type Series struct {
	key
	Rounds []float64 `json:"rounds"`
}

// Failure is a worker that could not be measured, with the error.
type Failure struct {
	Suite  string `json:"suite"`
	Model  string `json:"model"`
	Mesh   string `json:"mesh"`
	Worker string `json:"worker"`
	Error  string `json:"error"`
}

// add adds the value that one round measured for k.
func (r *Results) add(k key, value float64) {
	s := r.find(k)
	if s == nil {
		s = &Series{key: k}
		r.Series = append(r.Series, s)
	}
	s.Rounds = append(s.Rounds, value)
}

// find returns a series; nil if it does not exist.
func (r *Results) find(k key) *Series {
	i := slices.IndexFunc(r.Series, func(s *Series) bool { return s.key == k })
	if i < 0 {
		return nil
	}
	return r.Series[i]
}

// spread is the median of values, and the quartiles around it.
type spread struct {
	Low    float64 `json:"low"`
	Median float64 `json:"median"`
	High   float64 `json:"high"`
}

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, sorted, nil) }
	return spread{at(0.25), median(sorted), at(0.75)}
}

// median returns the median of sorted values: with an even number of them, the mean of the two in
// the middle. There must be at least one.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func mean(values []float64) float64 { return stat.Mean(values, nil) }

// geometricMean returns the geometric mean of positive values, NaN if there are none.
func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
