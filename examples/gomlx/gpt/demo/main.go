// Command demo trains the example gpt.
//
//	go run ./examples/gomlx/gpt/demo -set="train_steps=100"
package main

import "github.com/gospmd/gospmd/examples/gomlx/gpt"

func main() { gpt.Program.Main() }
