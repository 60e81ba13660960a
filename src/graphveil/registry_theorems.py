"""Which theorems, checked by Coq in proofs/, the guarantee of each row of the registry rests on.

A key is where the algorithm is, as in `registry_table`. A row in `UNPROVED` still needs what its text says, and names
the test that tries it on all small graphs instead. `tests/test_proofs.py` holds these lists to the measurements that
each algorithm makes and to what Coq checked. Every draw rests besides on `laplace_noise` or `ladder_noise`, and every
release on `composition` and `post_processing`.
"""

from __future__ import annotations

_EDGES = ("edges_sensitivity",)
_TRIANGLES = ("triangles_ladder", "most_common_sensitivity")
_TWO_STARS = ("stars_ladder", "degree_sum_sensitivity")
_NODE_DEGREES = ("h_index_sensitivity", "nodes_sensitivity", "node_tiles_sensitivity")

THEOREMS: dict[str, tuple[str, ...]] = {
    "central.edge.edges:EdgeCount": _EDGES,
    "central.edge.max_degree:MaximumDegree": ("max_degree_sensitivity",),
    "central.edge.degree_histogram:DegreeHistogram": ("young_tiles_sensitivity",),
    "central.edge.degree_distribution:DegreeDistribution": ("young_tiles_sensitivity",),
    "central.edge.degree_sequence:YoungDegreeSequence": ("young_tiles_sensitivity",),
    "central.edge.isotonic_degree_sequence:DegreeSequence": ("falling_degrees_sensitivity",),
    "central.edge.triangles:LadderTriangles": _TRIANGLES,
    "papers.peers.published_ladder:PublishedLadderTriangles": _TRIANGLES,
    "papers.peers.smooth_sensitivity:SmoothSensitivityTriangles": _TRIANGLES,
    "central.edge.k_stars:TwoStars": _TWO_STARS,
    "central.edge.k_stars:ThreeStars": ("stars_ladder", "max_degree_sensitivity"),
    "central.edge.k_stars:KStars": ("stars_ladder", "max_degree_sensitivity"),
    "central.edge.transitivity:Transitivity": _TRIANGLES + _TWO_STARS,
    "central.edge.joint_degrees:JointDegrees": ("soft_joint_degrees_sensitivity",),
    "central.edge.components:ComponentCount": ("components_sensitivity",),
    "central.degeneracy:Degeneracy": ("degeneracy_edge_sensitivity",),
    "central.choices.most_connected:MostConnected": ("degree_scores_monotone",),
    "central.choices.top_people:TopPeople": ("degrees_sensitivity",),
    "central.choices.top_m_filter:TopMFilter": ("edges_sensitivity", "pairs_sensitivity"),
    "central.choices.noisy_adjacency:NoisyAdjacency": ("pairs_sensitivity",),
    "central.node.nodes:NodeCount": ("nodes_sensitivity",),
    "central.node.h_index:HIndex": ("h_index_sensitivity",),
    "central.degeneracy:NodeDegeneracy": ("degeneracy_node_sensitivity",),
    "central.node.edges:NodeEdgeCount": ("h_index_sensitivity", "kept_edges_sensitivity"),
    "central.node.degree_histogram:NodeDegreeHistogram": _NODE_DEGREES,
    "central.node.degree_distribution:NodeDegreeDistribution": _NODE_DEGREES,
    "central.node.stars:NodeTwoStars": ("h_index_sensitivity", "kept_two_stars_sensitivity"),
    "central.node.stars:NodeThreeStars": ("h_index_sensitivity", "kept_three_stars_sensitivity"),
    "central.directed.degree_histograms:InDegreeHistogram": ("in_degree_tiles_sensitivity",),
    "central.directed.degree_histograms:OutDegreeHistogram": ("out_degree_tiles_sensitivity",),
    "central.directed.reciprocity:Reciprocity": ("dyads_sensitivity",),
    "central.directed.dyads:Dyads": ("dyads_sensitivity",),
    "central.weighted.total:WeightedTotal": ("weight_classes_sensitivity", "weighted_total_sensitivity"),
    "central.weighted.strength_histogram:StrengthHistogram": (
        "weight_classes_sensitivity",
        "strength_tiles_sensitivity",
    ),
    "central.attributes.mixing:Mixing": ("mixing_sensitivity",),
    "central.attributes.homophily:Homophily": ("mixing_sensitivity",),
    "central.attributes.histogram:AttributeHistogram": ("attribute_histogram_sensitivity",),
    "central.attributes.mean:AttributeMean": ("attribute_mean_sensitivity",),
    "synthetic.dk2.soft:SoftDk2": (
        "edges_sensitivity",
        "young_tiles_sensitivity",
        "soft_joint_degrees_sensitivity",
    ),
    "papers.peers.tmf:TopMFilter": ("edges_sensitivity", "pairs_sensitivity"),
    "papers.peers.dp_1k:DpDegrees": ("falling_degrees_sensitivity",),
    "papers.peers.dgg:DegreeBlocks": ("degrees_sensitivity",),
    "papers.peers.privskg:PrivSkg": ("young_tiles_sensitivity", "triangles_ladder"),
}

# Protocols: what one entry of a list changes in each message, then what entries and relationships cost.
_REPORT = ("entry_loss", "relationship_loss")
_ENTRIES = ("entries_sensitivity", *_REPORT)
_COUNTED = ("entries_sensitivity", "accepted_edges_rise", "local_count_change", *_REPORT)
THEOREMS |= {
    "local.degrees.noisy:NoisyDegrees": _ENTRIES,
    "local.triangles.veil:VeilTriangles": _COUNTED,
    "local.triangles.veil:TwoRoundTriangles": _COUNTED,
    "local.triangles.veil:LowDownloadTriangles": _COUNTED,
    "local.triangles.one_end:OneEndTriangles": _COUNTED,
    "local.clustering.veil:VeilSequence": _COUNTED,
    "local.clustering.veil:VeilClustering": _COUNTED,
    "local.clustering.plain:PlainSequence": _COUNTED,
    "local.clustering.transitivity:VeilTransitivity": _COUNTED,
    "local.joint.veil:JointVeil": _COUNTED,
    "papers.gs_ldp.rnl:RandomisedListsTotal": _ENTRIES,
    "papers.gs_ldp.rnl:RandomisedLists": _ENTRIES,
    "papers.gs_ldp.rnl:RandomisedListsClustering": _ENTRIES,
}

# Published algorithms that are kept for study -> the theorem that refutes their claim.
REFUTATIONS: dict[str, str] = {
    "papers.gs_ldp.degrees:GroupedDegreeProtocol": "grouped_degrees_have_no_epsilon",
    "papers.gs_ldp.triangles:EdgeTotal": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.triangles:NodeTotal": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.triangles:EdgeSequence": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.triangles:NodeSequence": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.clustering:EdgeClustering": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.clustering:NodeClustering": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.simultaneous:EdgeTogether": "pruned_lists_have_no_epsilon",
    "papers.gs_ldp.simultaneous:NodeTogether": "pruned_lists_have_no_epsilon",
    "papers.bcpa.dk_pa:DkPa": "tuples_that_occur_have_no_epsilon",
    "papers.bcpa.drc:Drc": "tuples_that_occur_have_no_epsilon",
    "papers.bcpa.bcpa:Bcpa": "groups_of_tuples_are_not_independent",
}

_CHANNEL = (
    "any two lists may differ, so no sensitivity is used; the ratio of its channel is computed exactly in "
    "tests/local/test_exact_loss.py"
)
_CLASSES = "the sensitivity of capped sums of clustering; tests/central/test_clustering_by_degree.py"
_PRODUCTS = "the ladder of degree products; tests/central/test_query_losses.py"
_TRUNCATED = "the ladder of counts in which people keep their first edges; tests/central/test_node_ladder.py"
_CELLS = "one person in cells that are truncated each by itself; tests/central/test_node_attributes.py"
_PROGRAMS = "the linear programs over the patterns of each person; tests/central/test_node_patterns.py"
_CLIQUES = "the ladders of cliques and cycles; tests/central/test_cliques_and_cycles.py"
_TUPLES = "noise on pairs of degrees that grows with the degree; tests/statistics/test_tuple_noise.py"
_PREFERENCE = "the mixed units of its people; tests/local/test_preference.py"
_LIST = "the count of a whole list under the unit node; tests/local/test_sequence_loss.py"
_PEER = "the count of the published protocol; tests/local/test_triangle_privacy.py"

_TRIADS = "the ladders of directed patterns; tests/central/test_triads.py"

# What is not proved yet -> what is missing, and the test that tries it by brute force.
UNPROVED: dict[str, str] = {
    "central.edge.average_clustering:AverageClustering": "the ladder of sums of local clustering; "
    "tests/central/test_average_clustering.py",
    "central.edge.class_rows:ClassRows": "plans of several passes; one pass is `ordered_reading_sensitivity` and the "
    "choice between plans `level_tiles_sensitivity`; tests/central/test_class_rows.py",
    "central.edge.clustering_by_degree:ClusteringByDegree": _CLASSES,
    "central.edge.assortativity:Assortativity": _PRODUCTS,
    "central.directed.triads:TransitiveTriples": _TRIADS,
    "central.directed.triads:CyclicTriples": _TRIADS,
    "central.directed.triads:MutualTriangles": _TRIADS,
    "central.directed.triads:TwoPaths": _TRIADS,
    "central.weighted.node_total:NodeWeightedTotal": "one person in the kept weight; tests/central/test_weighted.py",
    "central.attributes.node_mixing:NodeMixing": _CELLS,
    "central.attributes.node_mixing:NodeHomophily": _CELLS,
    "central.choices.best_partition:BestPartition": "one edge in modularity; tests/central/test_choices.py",
    "central.node.triangles:NodeTriangles": _TRUNCATED,
    "papers.peers.race_to_the_top:RaceEdges": _PROGRAMS,
    "papers.peers.race_to_the_top:RaceTwoStars": _PROGRAMS,
    "papers.peers.race_to_the_top:RaceTriangles": _PROGRAMS,
    "central.edge.patterns.cliques_and_cycles:FourCliques": _CLIQUES,
    "central.edge.patterns.cliques_and_cycles:FiveCliques": _CLIQUES,
    "central.edge.patterns.cliques_and_cycles:FourCycles": _CLIQUES,
    "central.node.patterns.queries:BoundedEdges": _PROGRAMS,
    "central.node.patterns.queries:BoundedTwoStars": _PROGRAMS,
    "central.node.patterns.queries:BoundedTriangles": _PROGRAMS,
    "central.node.transitivity:NodeTransitivity": _TRUNCATED,
    "synthetic.veil.veil:Veil": f"{_PRODUCTS}; {_CLASSES}; the ladder of tests/central/test_close_pairs.py",
    "papers.bcpa.private:PrivateBcpa": _TUPLES,
    "papers.peers.dp_2k:DpJointDegrees": _TUPLES,
    "papers.peers.privgraph:PrivGraph": "weighted degrees within communities; tests/papers/test_peer_sensitivities.py",
    "local.attributes.shares:AttributeShares": _CHANNEL,
    "local.attributes.class_rows:LocalClassRows": "one end counts the other; tests/local/test_local_class_rows.py",
    "local.suggestions.protocol:FriendSuggestions": "one owner for each pair; tests/local/test_suggestions.py",
    "local.degrees.veil:VeilDegrees": _CHANNEL,
    "local.degrees.veil:VeilQuantiles": _CHANNEL,
    "local.degrees.square_wave:SmoothedWave": _CHANNEL,
    "local.degrees.frequency:OptimalUnaryDegrees": _CHANNEL,
    "local.degrees.frequency:SymmetricUnaryDegrees": _CHANNEL,
    "local.degrees.frequency:KaryDegrees": _CHANNEL,
    "local.degrees.two_stage:TwoStageDegrees": _CHANNEL,
    "local.degrees.preference:PreferredDegrees": _PREFERENCE,
    "local.triangles.preference:PreferredTriangles": _PREFERENCE,
    "local.clustering.preference:PreferredSequence": _PREFERENCE,
    "local.clustering.preference:PreferredClustering": _PREFERENCE,
    "local.clustering.plain:NodePlainSequence": _LIST,
    "papers.gs_ldp.projected_degrees:NodeProjected": _CHANNEL,
    "papers.gs_ldp.projected_degrees:EdgeProjected": _CHANNEL,
    "papers.gs_ldp.random_jump:RandomJump": "its reading in the literature is open; docs/not-reproduced.md",
    "papers.gs_ldp.lf_gdpr:LfGdpr": _PEER,
    "papers.peers.vc_triangles:VcTriangles": _PEER,
    "papers.peers.local2rounds:Local2Rounds": _PEER,
    "papers.peers.local2rounds:NodeLocal2Rounds": _PEER,
    "papers.peers.local2rounds_sequence:EdgeTwoRounds": _PEER,
    "papers.peers.local2rounds_sequence:NodeTwoRounds": _PEER,
    "papers.peers.local2rounds_sequence:EdgeTwoRoundClustering": _PEER,
    "papers.peers.local2rounds_sequence:NodeTwoRoundClustering": _PEER,
    "papers.peers.arr_triangles:ArrFull": _PEER,
    "papers.peers.arr_triangles:ArrOneNs": _PEER,
    "papers.peers.arr_triangles:ArrTwoNs": _PEER,
    "papers.peers.arr_triangles:NodeArrTwoNs": _PEER,
}
