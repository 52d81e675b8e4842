package tcp_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// Example connects two processes, here goroutines, that send each other their rank.
func Example() {
	listeners, peers := make([]*tcp.Listener, 2), make([]string, 2)
	for rank := range listeners {
		l, err := tcp.Listen("127.0.0.1:0", tcp.Options{Job: "example"})
		if err != nil {
			log.Fatal(err)
		}
		listeners[rank], peers[rank] = l, l.Addr() // package coordination exchanges the addresses of real jobs
	}
	lines := make([]string, 2)
	var processes sync.WaitGroup
	for rank, l := range listeners {
		processes.Go(func() {
			t, err := l.Connect(context.Background(), rank, peers)
			if err != nil {
				log.Fatal(err)
			}
			defer t.Close(nil)
			const tag = 1
			other, got := 1-rank, make([]byte, 1)
			err = t.Exchange(context.Background(), tag, []transport.Message{{Rank: other, Data: []byte{byte(rank)}}}, []transport.Message{{Rank: other, Data: got}})
			if err != nil {
				log.Fatal(err)
			}
			lines[rank] = fmt.Sprintf("rank %d got %d", rank, got[0])
		})
	}
	processes.Wait()
	fmt.Println(lines[0])
	fmt.Println(lines[1])
	// Output:
	// rank 0 got 1
	// rank 1 got 0
}
