package main

// This file says of which lines we know that they are worse than XLA's, and why.

// known holds the reasons by step, target and what is worse.
var known = map[string]string{}

func (r result) key(what string) string { return r.Step + " " + r.Target + " " + what }
