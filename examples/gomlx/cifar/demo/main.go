// Command demo trains the example cifar.
//
//	go run ./examples/gomlx/cifar/demo -set="train_steps=100"
package main

import "github.com/gospmd/gospmd/examples/gomlx/cifar"

func main() { cifar.Program.Main() }
