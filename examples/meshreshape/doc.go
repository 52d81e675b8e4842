// Meshreshape trains one model on every mesh shape of a number of devices, and says which one is
// best and why. Only the mesh differs between the runs.
//
//	go run ./examples/meshreshape                              # 8x1, 4x2, 2x4, 1x8 and 2x2x2
//	go run ./examples/meshreshape -devices 6 -axes data,model  # 6x1, 3x2, 2x3, 1x6
//	go run ./examples/meshreshape -plot meshes.png             # and a plot of times and bytes
//	go run ./examples/meshreshape -machine v5e:2x4             # and the time that is predicted for eight TPUs
//
//	file        what it holds
//	main.go     the flags, and one training after the other
//	shapes.go   the mesh shapes of a number of devices
//	model.go    the model, its layouts, and one training
//	predict.go  predicts the time of a step on absent devices
//	table.go    the table, and the best shape
//	plot.go     the plot
package main
