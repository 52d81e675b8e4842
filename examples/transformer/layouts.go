package main

// This file lays the model out on a mesh.

import "github.com/gospmd/gospmd/keras/distribution"

// megatron splits every block as Megatron-LM does (Shoeybi et al., 2019): the
// heads of the attention and the middle of the MLP over the axis model, so that
// each of the two needs one all-reduce forward and one backward. The embedding
// and the head are split along the vocabulary, which need not divide. What has
// no rule is on every device.
var megatron = []struct {
	path string
	axes []string
}{
	{"tokens/embeddings", []string{"model", ""}},
	{".*attention/(query|key|value)/kernel", []string{"", "model", ""}},
	{".*attention/(query|key|value)/bias", []string{"model", ""}},
	{".*attention/attention_output/kernel", []string{"model", "", ""}},
	{".*up/kernel", []string{"", "model"}},
	{".*up/bias", []string{"model"}},
	{".*down/kernel", []string{"model", ""}},
	{"head/kernel", []string{"", "model"}},
}

// distribution returns what -mesh asks for, nil for one device.
func (c config) distribution() (distribution.Distribution, error) {
	if err := distribution.Initialize(distribution.Options{Devices: devices}); err != nil {
		return nil, err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil || mesh == nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(mesh)
	for _, rule := range megatron {
		if err := layouts.Set(rule.path, rule.axes...); err != nil {
			return nil, err
		}
	}
	return distribution.NewModelParallel(layouts, "data")
}
