package main

// This file says which tests of GoMLX fail on gospmd only, and why.

// known holds the reasons by package and test.
var known = map[string]string{}
