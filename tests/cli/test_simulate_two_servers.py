"""`collect simulate --trust two-servers`: what is printed, and what is refused."""

import json

WORDS = "collect simulate {} --statistic triangles --unit edge --epsilon 1 --seed 4 --trust"


def test_a_simulation_with_two_servers_says_against_whom_it_protects(run, friends):
    words = WORDS.format(friends).split()
    document = json.loads(run(*words, "two-servers", "--option", "hubs=0", "--json").stdout)
    assert document["facts"]["hubs"] == 0
    assert document["guarantee"]["trust"] == "two-servers"
    assert document["guarantee"]["against"]
    assert document["guarantee"]["assumes"]
    assert document["cost"]["dealer"]
    shown = run(*words, "two-servers").stdout
    assert "against:" in shown
    assert "assumes:" in shown


def test_unknown_trust_and_options_are_refused_before_the_graph_is_read(run):
    words = WORDS.format("missing.csv").split()
    refused = run(*words, "three-servers")
    assert (refused.returncode, "allowed: local, two-servers" in refused.stderr) == (2, True)
    refused = run(*words, "two-servers", "--option", "bubs=1")
    assert (refused.returncode, "hubs, max_degree" in refused.stderr) == (2, True)
    refused = run(*" ".join(words).replace("triangles", "edges").split(), "local")
    assert (refused.returncode, "by two servers only" in refused.stderr) == (2, True)
    refused = run(*words, "two-servers", "--protocol", "rnl")
    assert (refused.returncode, "leave out --protocol" in refused.stderr) == (2, True)


def test_a_public_degree_limit_is_an_option_of_protocols(run, friends):
    done = run(*WORDS.format(friends).split(), "two-servers", "--option", "max_degree=30", "--json")
    assert json.loads(done.stdout)["facts"]["max_degree"] == 30
