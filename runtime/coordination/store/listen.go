package store

// This file opens the port of the store.

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/gospmd/gospmd/runtime/coordination/jobtls"
)

// listen listens at the address of o. It logs a warning if strangers can reach the address. An
// address that is not of this machine, or is in use, is an error.
func listen(ctx context.Context, o Options) (net.Listener, error) {
	ip, address, err := resolve(ctx, o.Address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w; give an address of this machine", o.Address, err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w; choose a free port of this machine", o.Address, err)
	}
	if o.Credentials == nil && !ip.IsLoopback() {
		o.Logger.Warn(fmt.Sprintf("gospmd: the coordinator at %s is open to all who reach that address: they can read, change and end jobs; "+
			"set GOSPMD_JOB_SECRET in all processes (%s makes one), give certificates, or listen on 127.0.0.1", listener.Addr(), jobtls.HowToMakeSecret))
	}
	return listener, nil
}

// resolve returns the IP address of the host of address (host:port), and address with it in place
// of the name. Of several it prefers one that other machines can reach.
func resolve(ctx context.Context, address string) (netip.Addr, string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return netip.Addr{}, "", err
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, "", err
	}
	ip := ips[max(0, slices.IndexFunc(ips, func(ip netip.Addr) bool { return !ip.IsLoopback() }))].Unmap()
	return ip, net.JoinHostPort(ip.String(), port), nil
}
