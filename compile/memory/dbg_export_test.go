package memory

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

var dbgParts func(p *problem, c choice, u, u2 cost.Usage)

func Dbg(pr *program.Program, part float64) {
	f := pr.Module.Main()
	don := func(r int) int {
		return slices.IndexFunc(pr.Inputs, func(in program.Input) bool { return in.Alias == r })
	}
	m := cost.Default()
	u := m.MemoryOf(f, don)
	limit := int(part * float64(u.Peak()))
	p, b := newProblem(f, u, m, pr.Mesh, limit)
	dbgB = b
	fmt.Println("peak", u.Peak(), "limit", limit, "values", len(p.values), "steps", len(p.base))
	at := 0
	for t := range p.base {
		if p.base[t] > p.base[at] {
			at = t
		}
	}
	fmt.Println("peak step", at, u.Curve[at].Op.FullName())
	for i, v := range p.values {
		if v.made <= at && v.last >= at {
			fmt.Printf("  live %d %s %d bytes made %d last %d early %d late %v unused %v movable %v reads %v path %s\n", i, v.op.FullName(), v.bytes, v.made, v.last, v.early, v.late, v.unused, v.movable, v.reads, v.op.Loc.Path)
		}
	}
	c, fits := solve(p)
	e := newEvaluator(p)
	e.run(c)
	fmt.Println("fits", fits, "peak", e.memory[e.peak], "at", e.peak, "seconds", e.seconds, "evals")
	for i := range p.values {
		if e.copies[i].from != none || c.kept[i] {
			fmt.Println("  copy", p.values[i].bytes, p.values[i].holds != nil, i, p.values[i].op.FullName(), e.copies[i], c.evicted[i], c.kept[i])
		}
	}
	g := b.rewrite(p, c, e.copies, false)
	u2 := m.MemoryOf(g, don)
	for _, uu := range []cost.Usage{u, u2} {
		groups := map[string][2]int{}
		for _, l := range uu.Live {
			k := l.Op.FullName() + " " + l.Type.String()
			groups[k] = [2]int{groups[k][0] + 1, groups[k][1] + l.Bytes}
		}
		for k, v := range groups {
			if v[1] > 60000 {
				fmt.Println("  GROUP", v[1], v[0], k)
			}
		}
		fmt.Println("----", uu.Temporary)
	}
	fmt.Println("after", u2.Peak())
	at = 0
	for t := range u2.Curve {
		if u2.Curve[t].Bytes > u2.Curve[at].Bytes {
			at = t
		}
	}
	fmt.Println("peak step after", at, u2.Curve[at].Op.FullName())
	for _, l := range u2.Live {
		fmt.Println("   ", l.Op.FullName(), l.Bytes, l.Type)
	}
	dbgParts(p, c, u, u2)
}

func init() {
	dbgParts = func(p *problem, c choice, u, u2 cost.Usage) {
		for i, v := range p.values {
			if v.holds != nil && v.bytes > 60000 {
				fmt.Printf("PART %d of %s for %s(%v,%v) bytes %d made %d last %d evicted %v reads %v\n", i, v.op.FullName(), v.holds.FullName(), v.holds.Operands[0].Type, v.holds.Operands[len(v.holds.Operands)-1].Type, v.bytes, v.made, v.last, c.evicted[i], v.reads)
			}
		}
		for _, l := range u2.Lifetimes {
			if l.Peak && l.Bytes > 60000 {
				k := u2.Curve[l.Last].Op
				fmt.Println("LIVE", l.Op.FullName(), l.Type, l.Bytes, l.First, l.Last, "last:", k.FullName(), k.Results[0].Type, "by", func() string {
					if d := k.Operands[0].Def(); d != nil {
						return d.FullName()
					}
					return "param"
				}())
			}
		}
	}
}

func init() {
	old := dbgParts
	dbgParts = func(p *problem, c choice, u, u2 cost.Usage) {
		old(p, c, u, u2)
		st := map[*ir.Op][]int{}
		for t, mo := range u2.Curve {
			st[mo.Op] = append(st[mo.Op], t)
		}
		for _, l := range u2.Lifetimes {
			if l.Peak && l.Op.Kind == ir.OpTanh {
				fmt.Println("TANH", st[l.Op])
				for us := range l.Op.Result().Uses() {
					fmt.Println("TANH   use", us.Op.FullName(), st[us.Op])
					for us := range us.Op.Result().Uses() {
						fmt.Println("TANH       use", us.Op.FullName(), st[us.Op], us.Op.Result().Type)
						for us := range us.Op.Result().Uses() {
							fmt.Println("TANH           use", us.Op.FullName(), st[us.Op], us.Op.Result().Type)
						}
					}
				}
			}
		}
	}
}

var dbgB *builder

func init() {
	old := dbgParts
	dbgParts = func(p *problem, c choice, u, u2 cost.Usage) {
		old(p, c, u, u2)
		fmt.Printf("V159 %+v\n", p.values[159])
		for i, v := range p.values {
			for _, d := range v.reads {
				if d == 159 {
					fmt.Println("R159", i, v.op.FullName(), v.op.Results[0].Type, v.made, v.holds != nil, dbgB.steps[v.op], v.reads)
				}
			}
		}
	}
}
