// Command demo trains the example diffusion.
//
//	go run ./examples/gomlx/diffusion/demo -set="train_steps=100"
package main

import "github.com/gospmd/gospmd/examples/gomlx/diffusion"

func main() { diffusion.Program.Main() }
