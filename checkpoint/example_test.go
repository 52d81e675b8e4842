package checkpoint_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/layout"
)

// Example saves a tensor with the number of the step and metadata, opens the newest checkpoint, and
// reads a part of the tensor.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := checkpoint.NewStore(filepath.Join(dir, "run"), 3)
	if err != nil {
		log.Fatal(err)
	}
	tensors := []checkpoint.Tensor{{Name: "d1/kernel", Source: constant(7)}}
	if err := store.Save(context.Background(), 100, tensors, []byte(`{"epoch":2}`)); err != nil {
		log.Fatal(err)
	}
	c, step, err := store.Latest()
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	kernel, err := c.Tensor("d1/kernel")
	if err != nil {
		log.Fatal(err)
	}
	part := make([]byte, 8)
	if err := kernel.Read([]layout.Range{{Start: 5, Limit: 6}}, part); err != nil {
		log.Fatal(err)
	}
	fmt.Println(step, kernel.Type(), part[0], string(c.Metadata()))
	// Output: 100 tensor<131072xui64> 7 {"epoch":2}
}

// ExampleStore_SaveAsync is a training that saves each step in the background, logs failed saves,
// and waits for the last file.
func ExampleStore_SaveAsync() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := checkpoint.NewStore(dir, 3)
	if err != nil {
		log.Fatal(err)
	}
	for step := range 5 {
		tensors := []checkpoint.Tensor{{Name: "d1/kernel", Source: constant(step)}} // what the step has computed
		if err := store.Wait(); err != nil {
			log.Print(err) // the save before has failed
		}
		if err := store.SaveAsync(ctx, step, tensors, nil); err != nil {
			log.Fatal(err)
		}
		// The next step may change the tensors now.
	}
	if err := store.Close(); err != nil { // the last save has failed
		log.Fatal(err)
	}
	fmt.Println(store.Steps())
	// Output: [2 3 4] <nil>
}

// ExampleSaveSafetensors writes the weights of a model to a file for other programs, and reads a
// part of it.
func ExampleSaveSafetensors() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "model.safetensors")
	tensors := []checkpoint.Tensor{{Name: "d1/kernel", Source: constant(7)}}
	if err := checkpoint.SaveSafetensors(context.Background(), name, tensors, nil); err != nil {
		log.Fatal(err)
	}
	c, err := checkpoint.OpenSafetensors(name)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	kernel, err := c.Tensor("d1/kernel")
	if err != nil {
		log.Fatal(err)
	}
	part := make([]byte, 8)
	if err := kernel.Read([]layout.Range{{Start: 5, Limit: 6}}, part); err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Names(), kernel.Type(), part[0])
	// Output: [d1/kernel] tensor<131072xui64> 7
}
