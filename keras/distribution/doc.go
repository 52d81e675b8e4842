// Package distribution says how a model lies on devices: keras.distribution.
//
//	err := distribution.Initialize(distribution.Options{Devices: 8}) // 8 virtual CPU devices
//	mesh, err := distribution.NewDeviceMesh([]int{2, 4}, []string{"data", "model"}, nil)
//	layouts := distribution.NewLayoutMap(mesh)
//	layouts.Set("d1/kernel", distribution.None, "model")
//	layouts.Set("d2/output", "data", distribution.None)
//	d, err := distribution.NewModelParallel(layouts, "data")
//	distribution.SetDistribution(d)
//
// Models made from here on are distributed; nothing else in them changes.
//
// It is not where layouts are made true: it names the layout of a variable, a
// batch or a layer's output, and the compiler does the rest. It also holds the
// process' devices (Client), because Keras' meshes are made of device names.
//
// Order of use: Initialize where there are no accelerators, NewDeviceMesh,
// NewDataParallel or NewModelParallel, SetDistribution.
//
//	file               what it holds
//	distribution.go    Distribution, and which one is current
//	dataparallel.go    DataParallel: every device has the model and part of a batch
//	modelparallel.go   ModelParallel: a LayoutMap says what is split
//	options.go         options of both
//	lookup.go          the compiler's shardings of variables, batches and outputs
//	devices.go         ListDevices, NewDeviceMesh: devices by name
//	parse.go           ParseMesh: a mesh from a command line
//	visible.go         ListPhysicalDevices, SetVisibleDevices
//	client.go          the process' client: Initialize, UseClient, Client
//	names.go           the names of packages mesh and layout that Keras has here
package distribution
