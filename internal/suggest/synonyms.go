package suggest

// This file has the words that mean the same in the paths of models.

import "strings"

// meaning is what one or several words mean. Meanings of one family belong together: a model that
// has no layer called mlp may have up and down in its place.
type meaning struct {
	family string // empty if there is no family
	words  string // separated by spaces
}

// meanings are words for the same thing in models of Keras, JAX and PyTorch. A word may have several
// meanings.
var meanings = []meaning{
	{"attention", "attention attn mha mhsa sa"},
	{"attention", "query q wq"},
	{"attention", "key k wk"},
	{"attention", "value v wv"},
	{"attention", "output out o wo cproj"},
	{"mlp", "mlp ffn ffw ff feedforward fc"},
	{"mlp", "up fc1 w1 w3 wi linear1 lin1 intermediate"},
	{"mlp", "gate w1 w3 wg"},
	{"mlp", "down fc2 w2 linear2 lin2 cproj"},
	{"norm", "norm ln layernorm rmsnorm rms normalization"},
	{"norm", "bn batchnorm"},
	{"embedding", "embeddings embedding embed emb wte tokens token tok vocab"},
	{"embedding", "position positions positional pos wpe"},
	{"weight", "embeddings weight"},
	{"", "head lmhead logits classifier predictions unembed fc"},
	{"", "block blocks layer layers h"},
	{"weight", "kernel kernels weight weights w"},
	{"", "gamma scale weight"}, // of a norm
	{"", "beta offset bias"},   // of a norm
	{"", "bias biases b"},
}

// phrases replaces several words, joined by underscores, by one that means the same.
var phrases = strings.NewReplacer(
	"multi_head_attention", "attention", "multihead_attention", "attention", "feed_forward", "feedforward",
	"layer_norm", "layernorm", "rms_norm", "rmsnorm", "batch_norm", "batchnorm",
	"c_fc", "fc1", "c_proj", "cproj", "lm_head", "lmhead",
)

// fillers are words that say nothing about which layer a path means.
var fillers = map[string]bool{"proj": true, "projection": true}

// byWord has the indices in meanings of each word.
var byWord = func() map[string][]int {
	m := map[string][]int{}
	for i, x := range meanings {
		for _, w := range strings.Fields(x.words) {
			m[w] = append(m[w], i)
		}
	}
	return m
}()

// relation says how two words are related.
type relation int

const (
	unrelated relation = iota
	related            // their meanings are of one family
	synonyms           // they have a meaning in common
)

// relationOf returns how two words are related: the closest relation of any of their meanings.
func relationOf(a, b string) relation {
	r := unrelated
	for _, i := range byWord[a] {
		for _, j := range byWord[b] {
			if i == j {
				return synonyms
			}
			if f := meanings[i].family; f != "" && f == meanings[j].family {
				r = related
			}
		}
	}
	return r
}
