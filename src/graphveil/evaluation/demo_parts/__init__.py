"""The five jobs as sections of the demo's report: each does its job on the demo's network and writes what came out."""
