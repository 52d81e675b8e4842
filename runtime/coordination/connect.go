package coordination

// This file connects to the store of the job.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/gospmd/gospmd/runtime/coordination/internal/schema"
	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// maxHangUp is how long a coordinator may close connections. Until then it is taken for one that is
// about to end, and a new one is awaited.
const maxHangUp = 3 * time.Second

// reach tries until a store answers at one of the endpoints, and w tells meanwhile what it waits
// for. It fails when ctx ends, when the store that answers does not suit this process, or when it
// hangs up for maxHangUp. The error is a *ProcessError of the Coordinator, but if ctx is canceled,
// it wraps the cause.
func (s *Service) reach(ctx context.Context, w *waiting) error {
	last := errors.New("it was not tried")
	config := s.clientTLS()
	var hangsUp time.Time // the time since which all connections have been closed
	for {
		err := s.probe(ctx, config)
		if err == nil {
			return nil
		}
		isFinal := errors.As(err, new(*mismatch))
		switch {
		case !isHangUp(err):
			hangsUp = time.Time{}
		case hangsUp.IsZero():
			hangsUp = time.Now()
		case time.Since(hangsUp) > maxHangUp: // the coordinator is not about to end
			isFinal = true
		}
		if !isOver(ctx) { // else the end of ctx may be the reason of err
			last = err
			w.setf("the coordinator at %s: %v; %s", s.options.storeName(), last, s.options.howToStart())
		}
		if isFinal || !wait(ctx, retryPause) {
			break
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("waiting for the coordinator at %s (%v): %w", s.options.storeName(), last, context.Cause(ctx))
	}
	why := fmt.Sprintf("at %s does not answer process %d (%s): %v", s.options.storeName(), s.Rank(), s.options.Name, last)
	if !errors.As(last, new(*mismatch)) {
		why += "; " + s.options.howToStart()
	}
	return &ProcessError{Rank: Coordinator, Why: why}
}

// isOver reports whether ctx has ended or its deadline has passed. Package net looks at the
// deadline itself: it may fail a moment before ctx ends.
func isOver(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(deadline)
}

// clientTLS returns the configuration of TLS with the store; nil without TLS.
func (s *Service) clientTLS() *tls.Config {
	if s.credentials == nil {
		return nil
	}
	config := s.credentials.Config()
	config.NextProtos = []string{"h2"}
	config.VerifyConnection = func(state tls.ConnectionState) error {
		return jobtls.CheckCoordinator(state.PeerCertificates[0])
	}
	return config
}

// connect returns a client of the store. It connects at its first use, and connects again when the
// connection breaks.
func (s *Service) connect() (*clientv3.Client, error) {
	config, options := s.clientTLS(), []grpc.DialOption{grpc.WithNoProxy()}
	// otherwise the client replaces the server name by the address
	if config != nil && config.ServerName != "" {
		options = append(options, grpc.WithAuthority(config.ServerName))
	}
	return clientv3.New(clientv3.Config{
		Endpoints:             s.options.endpoints(),
		TLS:                   config,
		Logger:                zap.NewNop(),
		BackoffWaitBetween:    20 * time.Millisecond,
		MaxCallSendMsgSize:    schema.MaxValue + 1<<20,
		DialOptions:           options,
		DialKeepAliveTime:     10 * time.Second,
		DialKeepAliveTimeout:  s.options.Lease,
		RejectOldCluster:      false,
		MaxUnaryRetries:       10,
		BackoffJitterFraction: 0.1,
	})
}
