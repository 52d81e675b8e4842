// Transformer trains a small GPT on the characters of a text, and lets it write. The weights are
// sharded over a mesh as in Megatron-LM.
//
//	go run ./examples/transformer                               # 2x4: two devices along data, four along model
//	go run ./examples/transformer -mesh 8x1                     # the same losses on another mesh
//	go run ./examples/transformer -text FILE -steps 2000 -sample 500
//	go run ./examples/transformer -steps 1 -report              # prints the communication of a step
//
//	file      what it holds
//	main.go   the program: batches of a text, training, and text from logits
//	model.go  the model, and how it is sharded over a mesh
package main
