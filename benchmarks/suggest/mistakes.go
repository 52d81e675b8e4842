package main

// This file lists the mistakes that are seeded into the layouts of the models.

// mistake spoils the layout of a model, by flags -layout of gospmd.
type mistake struct {
	model, mesh string
	name        string
	flags       []string
}

// The meshes.
const (
	m2x4   = "data=2,model=4"
	m4x2   = "data=4,model=2"
	m8x1   = "data=8,model=1"
	m1x8   = "data=1,model=8"
	m2x2x2 = "data=2,fsdp=2,model=2"
)

// mistakes in the order in which they are tried.
var mistakes = []mistake{
	{"mlp", m2x4, "wrong dimension of a columns layer", []string{"d1/kernel=model,-"}},
	{"mlp", m2x4, "wrong dimension of a rows layer", []string{"d2/kernel=-,model"}},
	{"mlp", m2x4, "wrong dimension of a later layer", []string{"d3/kernel=model,-"}},
	{"mlp", m2x4, "wrong axis of a columns layer", []string{"d1/kernel=-,data"}},
	{"mlp", m2x4, "wrong axis of a rows layer", []string{"d2/kernel=data,-"}},
	{"mlp", m2x4, "wrong axis and dimension", []string{"d3/kernel=data,-"}},
	{"mlp", m2x4, "two layers exchanged", []string{"d1/kernel=model,-", "d2/kernel=-,model"}},
	{"mlp", m2x4, "one rule for all kernels", []string{"d[1-4]/kernel=-,model"}},
	{"mlp", m2x4, "a kernel left replicated", []string{"d2/kernel=-,-"}},
	{"mlp", m2x4, "slots replicated", []string{"adam/d1_kernel_.*=-,-"}},
	{"mlp", m2x4, "slots on another dimension", []string{"adam/d2_kernel_.*=-,model"}},
	{"mlp", m2x4, "all slots replicated", []string{"adam/d._kernel_.*=-,-"}},
	{"mlp", m2x4, "batch not split", []string{"x=-,-", "y=-,-"}},
	{"mlp", m2x4, "batch split by the other axis", []string{"x=model,-", "y=model,-"}},
	{"mlp", m4x2, "wrong dimension of a rows layer", []string{"d2/kernel=-,model"}},
	{"mlp", m4x2, "wrong axis of a columns layer", []string{"d3/kernel=-,data"}},
	{"mlp", m1x8, "two layers exchanged", []string{"d3/kernel=model,-", "d4/kernel=-,model"}},
	{"mlp", m8x1, "batch not split", []string{"x=-,-", "y=-,-"}},
	{"mlp", m8x1, "a kernel split by the batch's axis", []string{"d1/kernel=-,data"}},
	{"mlp", m2x2x2, "wrong axis of a columns layer", []string{"d1/kernel=-,fsdp"}},
	{"mlp", m2x2x2, "batch split by one axis of two", []string{"x=data,-", "y=data,-"}},

	{"conv", m2x4, "wrong channels of a convolution", []string{"c1/kernel=-,-,model,-"}},
	{"conv", m2x4, "wrong channels of a later convolution", []string{"c4/kernel=-,-,-,model"}},
	{"conv", m2x4, "a window split", []string{"c2/kernel=model,-,-,-"}},
	{"conv", m2x4, "wrong axis", []string{"c3/kernel=-,-,-,data"}},
	{"conv", m2x4, "two convolutions exchanged", []string{"c3/kernel=-,-,model,-", "c4/kernel=-,-,-,model"}},
	{"conv", m2x4, "one rule for all convolutions", []string{"c[1-4]/kernel=-,-,-,model"}},
	{"conv", m2x4, "slots replicated", []string{"adam/c4_kernel_.*=-,-,-,-"}},
	{"conv", m2x4, "batch not split", []string{"x=-,-,-,-", "y=-,-"}},
	{"conv", m2x4, "wrong dimension of the classifier", []string{"d2/kernel=-,model"}},
	{"conv", m4x2, "wrong axis", []string{"c2/kernel=-,-,data,-"}},
	{"conv", m2x2x2, "wrong axis", []string{"c4/kernel=-,-,fsdp,-"}},

	{"transformer", m2x4, "wrong dimension of the attention's output", []string{".*attention_output/kernel=-,-,model"}},
	{"transformer", m2x4, "wrong dimension of all queries", []string{".*query/kernel=model,-,-"}},
	{"transformer", m2x4, "wrong dimension of queries, keys and values", []string{".*(query|key|value)/kernel=model,-,-"}},
	{"transformer", m2x4, "head dimension of one layer's values", []string{"block2_attention/value/kernel=-,-,model"}},
	{"transformer", m2x4, "wrong dimension of all ups", []string{".*up/kernel=model,-"}},
	{"transformer", m2x4, "wrong dimension of all downs", []string{".*down/kernel=-,model"}},
	{"transformer", m2x4, "wrong dimension of one up", []string{"block1_up/kernel=model,-"}},
	{"transformer", m2x4, "wrong axis of all ups", []string{".*up/kernel=-,data"}},
	{"transformer", m2x4, "wrong axis of one down", []string{"block3_down/kernel=data,-"}},
	{"transformer", m2x4, "up and down exchanged", []string{".*up/kernel=model,-", ".*down/kernel=-,model"}},
	{"transformer", m2x4, "query and output exchanged", []string{".*query/kernel=model,-,-", ".*attention_output/kernel=-,model,-"}},
	{"transformer", m2x4, "wrong dimension of the embedding", []string{"tokens/embeddings=-,model"}},
	{"transformer", m2x4, "wrong dimension of the head", []string{"head/kernel=model,-"}},
	{"transformer", m2x4, "embedding and head exchanged", []string{"tokens/embeddings=-,model", "head/kernel=model,-"}},
	{"transformer", m2x4, "slots of all downs replicated", []string{"adam/.*down_kernel_.*=-,-"}},
	{"transformer", m2x4, "slots of one up on another dimension", []string{"adam/block0_up_kernel_.*=model,-"}},
	{"transformer", m2x4, "batch not split", []string{"x=-,-", "y=-,-,-"}},
	{"transformer", m2x4, "biases split by the other axis", []string{".*up/bias=data"}},
	{"transformer", m4x2, "wrong dimension of all downs", []string{".*down/kernel=-,model"}},
	{"transformer", m2x2x2, "wrong axis of all ups", []string{".*up/kernel=-,fsdp"}},

	{"embedding", m2x4, "wrong dimension of the embedding", []string{"items/embeddings=-,model"}},
	{"embedding", m2x4, "wrong axis of the embedding", []string{"items/embeddings=data,-"}},
	{"embedding", m2x4, "embedding left replicated", []string{"items/embeddings=-,-"}},
	{"embedding", m2x4, "slots of the embedding replicated", []string{"adam/items_embeddings_.*=-,-"}},
	{"embedding", m2x4, "slots of the embedding on the other dimension", []string{"adam/items_embeddings_.*=-,model"}},
	{"embedding", m2x4, "wrong dimension of the scores", []string{"scores/kernel=model,-"}},
	{"embedding", m2x4, "embedding and scores exchanged", []string{"items/embeddings=-,model", "scores/kernel=model,-"}},
	{"embedding", m2x4, "two layers exchanged", []string{"d1/kernel=model,-", "d2/kernel=-,model"}},
	{"embedding", m2x4, "batch not split", []string{"x=-,-", "y=-,-"}},
	{"embedding", m4x2, "wrong axis of the scores", []string{"scores/kernel=-,data"}},
	{"embedding", m1x8, "wrong dimension of the embedding", []string{"items/embeddings=-,model"}},
}
