// Command demo trains the example adult.
//
//	go run ./examples/gomlx/adult/demo -set="train_steps=100"
package main

import "github.com/gospmd/gospmd/examples/gomlx/adult"

func main() { adult.Program.Main() }
