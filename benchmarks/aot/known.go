package main

// This file says of which lines we know that they are worse than XLA's, and why.

// known holds the reasons by step, target and what is worse.
var known = map[string]string{
	"conv_net v5e:4x4 peak":    scattered + "; libtpu lays the gathered gradient out in columns, and copies the weight and its slots there and back",
	"conv_net h100:8 peak":     scattered,
	"recommender v5e:4x4 peak": "each device gathers the gradients of all looked-up rows, 1 MB for each table, and adds up its own part of the tables: .86 of the bytes, .27 of the arithmetic",
	"transformer v5e:4x4 peak": gathered,
	"transformer h100:8 peak":  gathered,
}

const (
	scattered = "the gradient of the dense layer is scattered and gathered, which sends .81 or .69 of the bytes of a sum; the parts and the whole are in memory together"
	gathered  = "activations are sharded along the sequence and gathered for a product, which sends .26 or .17 of the bytes; the part and the whole are in memory together"
)

func (r result) key(what string) string { return r.Step + " " + r.Target + " " + what }
