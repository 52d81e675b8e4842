// Package distribution defines how models are sharded over devices: keras.distribution.
//
//	err := distribution.Initialize(ctx, distribution.Options{Devices: 8}) // 8 virtual CPU devices
//	mesh, err := distribution.NewDeviceMesh([]int{2, 4}, []string{"data", "model"}, nil)
//	layouts := distribution.NewLayoutMap(mesh)
//	layouts.Set("d1/kernel", distribution.None, "model")
//	layouts.Set("d2/output", "data", distribution.None)
//	d, err := distribution.NewModelParallel(layouts, "data")
//	distribution.SetDistribution(d)
//
// Models that are made afterwards are distributed. Nothing else in them changes.
//
// Several processes, on one machine or several, run the same program on a mesh of all their
// devices. Then the arguments of Initialize say which process this is, or Initialize finds that out
// under a scheduler. The program ends with Close.
//
// It moves no data: it returns the layout of a variable, a batch or a layer's output, which the
// compiler follows. It also owns the devices of the process (Client), because in Keras meshes
// consist of device names.
//
// Order of use: Initialize if there are no accelerators, NewDeviceMesh, NewDataParallel or
// NewModelParallel, SetDistribution.
//
//	file             what it holds
//	distribution.go  Distribution, the current one, options, DataParallel and ModelParallel; VariableSharding, OutputSharding, DataSharding
//	mesh.go          NewDeviceMesh, ParseMesh, Keras' names for types of packages mesh and layout
//	devices.go       ListDevices, ListPhysicalDevices, SetVisibleDevices
//	client.go        the process' client: Initialize, UseClient, Client, Close
//	job.go           jobs of several processes: their options and environment variables, ProcessID, NumProcesses
//	tensor.go        DistributeTensor
package distribution
