package page

// This file adds what was done to save memory: the curve of the memory in use, before and after.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/program"
)

// fitting is a program.Fitting. Before and After are the memory in use during the run, before and
// after the changes. Their points are equal parts of the run.
type fitting struct {
	Limit   int     `json:"limit"` // 0: there is none
	Parts   int     `json:"parts"` // the number of micro-batches
	Seconds float64 `json:"seconds"`
	// Placement is where the limit has put weights and the optimizer's state; nil if both stayed in
	// their places.
	Placement *placed `json:"placement,omitempty"`
	Before    column  `json:"before"`
	After     column  `json:"after"`
	Actions   []acted `json:"actions"`
}

// placed is a program.StatePlacement, and what was chosen, in words.
type placed struct {
	program.StatePlacement
	Chosen string `json:"chosen"`
}

// acted sums up the values with one action.
type acted struct {
	Action string `json:"action"`
	Count  int    `json:"count"`
	Bytes  int    `json:"bytes"`
}

// fittingOf returns what the limit and the policies did to p: its memory during a run without and
// with them, and how many values each action has. u is the memory of p. It returns nil if there are
// no policies and the limit changed nothing. It does not count micro-batches as an action.
func fittingOf(p *program.Program, u cost.Usage) *fitting {
	of := p.Fitting
	if of == nil || len(of.Curve) == 0 {
		return nil
	}
	f := &fitting{Limit: of.Limit, Parts: of.MicroBatches, Seconds: of.Seconds, Before: of.Curve, After: u.Outline(), Actions: []acted{}}
	if o := of.Placement; o != nil {
		f.Placement = &placed{*o, o.String()}
	}
	for _, action := range program.Actions {
		a := acted{Action: string(action)}
		for _, v := range of.Values {
			if v.Action == action {
				a.Count, a.Bytes = a.Count+1, a.Bytes+v.Bytes
			}
		}
		if a.Count > 0 {
			f.Actions = append(f.Actions, a)
		}
	}
	return f
}
