package coordination

// This file finds addresses of this machine.

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// FreeAddress returns an address on which no program listens, such as "127.0.0.1:41234". Only
// programs on this machine can reach it.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// LocalHost returns the IP address of this machine in the network of the coordinator. Other
// processes of the job can reach this process there. A coordinator's host without an address, or
// without a route to it, is an error.
func (s *Service) LocalHost(ctx context.Context) (string, error) {
	endpoint := s.options.endpoints()[0]
	host, port, err := net.SplitHostPort(endpoint)
	if err != nil {
		return "", err
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return "", fmt.Errorf("coordination: the coordinator's host: %w", err)
	}
	// The machine's own name may stand for an address that other machines cannot reach.
	ip := ips[max(0, slices.IndexFunc(ips, func(ip netip.Addr) bool { return !ip.IsLoopback() }))]
	// sends no packet: it only asks the kernel for the route
	c, err := net.Dial("udp", net.JoinHostPort(ip.Unmap().String(), port))
	if err != nil {
		return "", fmt.Errorf("coordination: there is no route to the coordinator at %s: %w", endpoint, err)
	}
	defer c.Close()
	local, _, err := net.SplitHostPort(c.LocalAddr().String())
	return local, err
}
