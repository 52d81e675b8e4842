// Transformer trains a small GPT on the characters of a text, sharded over a mesh as
// Megatron-LM shards the weights of such models, and lets it write.
//
//	go run ./examples/transformer                               # 2x4: two devices along data, four along model
//	go run ./examples/transformer -mesh 8x1                     # the same losses on another mesh
//	go run ./examples/transformer -text FILE -steps 2000 -sample 500
//	go run ./examples/transformer -steps 1 -report              # what a step communicates
//
//	file      what it holds
//	main.go   the program: batches of a text, training, and text from logits
//	model.go  the model, and how it is sharded over a mesh
package main
