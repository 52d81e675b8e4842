package initializers

// This file finds initializers by name.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// class is one initializer: its class name, Keras' other names for it, and how
// to make it with defaults.
type class struct {
	name    string
	aliases []string
	make    func() Initializer
}

func withDefaults(make func(...Option) Initializer) func() Initializer {
	return func() Initializer { return make() }
}

var classes = []class{
	{"Constant", []string{"constant"}, func() Initializer { return Constant(0) }},
	{"GlorotNormal", []string{"glorot_normal"}, withDefaults(GlorotNormal)},
	{"GlorotUniform", []string{"glorot_uniform"}, withDefaults(GlorotUniform)},
	{"HeNormal", []string{"he_normal"}, withDefaults(HeNormal)},
	{"HeUniform", []string{"he_uniform"}, withDefaults(HeUniform)},
	{"Identity", []string{"identity", "IdentityInitializer"}, withDefaults(Identity)},
	{"LecunNormal", []string{"lecun_normal"}, withDefaults(LecunNormal)},
	{"LecunUniform", []string{"lecun_uniform"}, withDefaults(LecunUniform)},
	{"Ones", []string{"ones", "one"}, Ones},
	{"Orthogonal", []string{"orthogonal", "OrthogonalInitializer"}, withDefaults(Orthogonal)},
	{"RandomNormal", []string{"random_normal", "normal"}, withDefaults(RandomNormal)},
	{"RandomUniform", []string{"random_uniform", "uniform"}, withDefaults(RandomUniform)},
	{"TruncatedNormal", []string{"truncated_normal"}, withDefaults(TruncatedNormal)},
	{"VarianceScaling", []string{"variance_scaling"}, withDefaults(VarianceScaling)},
	{"Zeros", []string{"zeros", "zero"}, Zeros},
}

// Get returns the initializer that identifier names, such as "glorot_uniform"
// or "GlorotUniform", with its defaults; an Initializer is returned as it is.
func Get(identifier any) (Initializer, error) {
	switch id := identifier.(type) {
	case Initializer:
		return id, nil
	case string:
		for _, c := range classes {
			if id == c.name {
				return c.make(), nil
			}
			for _, a := range c.aliases {
				if id == a {
					return c.make(), nil
				}
			}
		}
		return nil, fmt.Errorf("initializers: no initializer is called %q%s; there are %s", id, suggest.DidYouMean(id, Names()), strings.Join(Names(), ", "))
	}
	return nil, fmt.Errorf("initializers: got a %T: want a name such as \"glorot_uniform\", or an Initializer", identifier)
}

// Names returns the names in Keras' lower-case spelling, sorted.
func Names() []string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = c.aliases[0]
	}
	return names
}
