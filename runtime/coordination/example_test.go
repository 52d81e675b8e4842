package coordination_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/gospmd/gospmd/runtime/coordination"
)

// Example is what each process of a job does with its own id; here they are goroutines.
func Example() {
	ctx := context.Background()
	member := func(id int) error {
		s, err := coordination.Join(ctx, coordination.Options{Address: "127.0.0.1:23455", NumProcesses: 2, ProcessID: id})
		if err != nil {
			return err
		}
		hosts, err := s.Exchange(ctx, "hosts", fmt.Appendf(nil, "host%d", id))
		if err != nil {
			s.Fail(err) // the others need not wait for this process
			return err
		}
		if s.Rank() == 0 {
			fmt.Printf("%s\n", hosts)
		}
		return s.Leave(ctx)
	}
	var processes sync.WaitGroup
	for id := range 2 {
		processes.Go(func() {
			if err := member(id); err != nil {
				log.Println(err)
			}
		})
	}
	processes.Wait()
	// Output: [host0 host1]
}
