// Command demo trains the example mag.
//
//	go run ./examples/gomlx/mag/demo -set="train_steps=100"
package main

import "github.com/gospmd/gospmd/examples/gomlx/mag"

func main() { mag.Program.Main() }
