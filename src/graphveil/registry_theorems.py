"""Which theorems, checked by Coq in proofs/, the guarantee of each row of the registry rests on.

A key is where the algorithm is, as in `registry_table`. Every row has its theorems today. A new row without one goes to
`UNPROVED`: its text says what is missing, and names the test that tries it on all small graphs instead.
`tests/test_proofs.py` holds these lists to the measurements that each algorithm makes and to what Coq checked. Every
draw rests besides on `laplace_noise` or `ladder_noise`, and every release on `composition` and `post_processing`.
"""

from __future__ import annotations

_EDGES = ("edges_sensitivity",)
_TRIANGLES = ("triangles_ladder", "most_common_sensitivity")
_TWO_STARS = ("stars_ladder", "degree_sum_sensitivity")
_DEGREE_PRODUCTS = ("degree_products_ladder", "level_sensitivity")
_SOFT_TABLE = ("edges_sensitivity", "young_tiles_sensitivity", "soft_joint_degrees_sensitivity")
_NODE_CELLS = ("h_index_sensitivity", "node_cells_sensitivity")
_NODE_DEGREES = ("h_index_sensitivity", "nodes_sensitivity", "node_tiles_sensitivity")
_NODE_TRIANGLES = ("h_index_sensitivity", "nodes_sensitivity", "first_edges_triangles_ladder")

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
    "central.edge.patterns.cliques_and_cycles:FourCliques": ("cliques_ladder", "level_sensitivity"),
    "central.edge.patterns.cliques_and_cycles:FiveCliques": ("cliques_ladder", "level_sensitivity"),
    "central.edge.patterns.cliques_and_cycles:FourCycles": ("four_cycles_ladder", "level_sensitivity"),
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
    "central.node.triangles:NodeTriangles": _NODE_TRIANGLES,
    "central.node.transitivity:NodeTransitivity": (*_NODE_TRIANGLES, "first_edges_two_stars_ladder"),
    "central.node.stars:NodeTwoStars": ("h_index_sensitivity", "kept_two_stars_sensitivity"),
    "central.node.stars:NodeThreeStars": ("h_index_sensitivity", "kept_three_stars_sensitivity"),
    "central.directed.degree_histograms:InDegreeHistogram": ("in_degree_tiles_sensitivity",),
    "central.directed.degree_histograms:OutDegreeHistogram": ("out_degree_tiles_sensitivity",),
    "central.directed.reciprocity:Reciprocity": ("dyads_sensitivity",),
    "central.directed.dyads:Dyads": ("dyads_sensitivity",),
    "central.directed.triads:TransitiveTriples": ("transitive_triples_ladder", "triad_bounds_sensitivity"),
    "central.directed.triads:CyclicTriples": ("cyclic_triples_ladder", "triad_bounds_sensitivity"),
    "central.directed.triads:MutualTriangles": ("mutual_triangles_ladder", "triad_bounds_sensitivity"),
    "central.directed.triads:TwoPaths": ("two_paths_ladder", "triad_bounds_sensitivity"),
    "central.weighted.total:WeightedTotal": ("weight_classes_sensitivity", "weighted_total_sensitivity"),
    "central.weighted.strength_histogram:StrengthHistogram": (
        "weight_classes_sensitivity",
        "strength_tiles_sensitivity",
    ),
    "central.weighted.node_total:NodeWeightedTotal": ("kept_weight_sensitivity",),
    "central.attributes.group_triangles:GroupTriangles": ("group_triangles_ladders", "kind_bound_sensitivity"),
    "central.attributes.node_mixing:NodeMixing": _NODE_CELLS,
    "central.attributes.node_mixing:NodeHomophily": _NODE_CELLS,
    "central.node.patterns.queries:BoundedEdges": ("h_index_sensitivity", "edge_program_sensitivity"),
    "central.node.patterns.queries:BoundedTwoStars": ("h_index_sensitivity", "two_star_program_sensitivity"),
    "central.node.patterns.queries:BoundedTriangles": ("h_index_sensitivity", "triangle_program_sensitivity"),
    "papers.peers.race_to_the_top:RaceEdges": ("edge_program_sensitivity",),
    "papers.peers.race_to_the_top:RaceTwoStars": ("two_star_program_sensitivity",),
    "papers.peers.race_to_the_top:RaceTriangles": ("triangle_program_sensitivity",),
    "central.choices.best_partition:BestPartition": ("modularity_range",),
    "central.edge.class_rows:ClassRows": ("level_tiles_sensitivity", "reading_by_roles", "table_of_pair"),
    "central.attributes.mixing:Mixing": ("mixing_sensitivity",),
    "central.attributes.homophily:Homophily": ("mixing_sensitivity",),
    "central.attributes.histogram:AttributeHistogram": ("attribute_histogram_sensitivity",),
    "central.attributes.mean:AttributeMean": ("attribute_mean_sensitivity",),
    "central.edge.average_clustering:AverageClustering": ("clustering_ladder", "largest_change_sensitivity"),
    "central.edge.clustering_by_degree:ClusteringByDegree": (
        "degree_class_sums_sensitivity",
        "soft_classes_sensitivity",
    ),
    "central.edge.assortativity:Assortativity": (
        *_EDGES,
        "stars_ladder",
        *_DEGREE_PRODUCTS,
        "max_degree_sensitivity",
    ),
    "synthetic.veil.veil:Veil": (
        *_SOFT_TABLE,
        "degree_products_ladder",
        "triangles_ladder",
        "degree_class_sums_sensitivity",
        "pairs_sensitivity",
    ),
    "synthetic.dk2.soft:SoftDk2": _SOFT_TABLE,
    "papers.bcpa.private:PrivateBcpa": (*_SOFT_TABLE, "degree_pairs_sensitivity"),
    "papers.peers.dp_2k:DpJointDegrees": ("degree_pairs_sensitivity",),
    "papers.peers.privgraph:PrivGraph": ("mixing_sensitivity", "friends_in_monotone", "communities_sensitivity"),
    "papers.peers.tmf:TopMFilter": ("edges_sensitivity", "pairs_sensitivity"),
    "papers.peers.dp_1k:DpDegrees": ("falling_degrees_sensitivity",),
    "papers.peers.dgg:DegreeBlocks": ("degrees_sensitivity",),
    "papers.peers.privskg:PrivSkg": ("young_tiles_sensitivity", "triangles_ladder"),
}

# Protocols: what each message costs by its randomizer and by what it says, then what entries (or whole lists) and
# relationships cost.
_REPORT = ("entry_loss", "relationship_loss")
_ENTRIES = ("entries_sensitivity", *_REPORT)
_COUNTED = ("entries_sensitivity", "accepted_edges_rise", "local_count_change", *_REPORT)
_LOOKED = ("entries_sensitivity", "accepted_edges_rise", "looked_count_change", *_REPORT)
_WHOLE_LISTS = ("any_change_of_a_list", "accepted_edges_at_most", "whole_list_count_range", *_REPORT)
_PROJECTED = ("kary_loss", "cut_degree_sensitivity", *_REPORT)
THEOREMS |= {
    "local.degrees.noisy:NoisyDegrees": _ENTRIES,
    "local.degrees.out_lists:NoisyOutDegrees": ("entries_sensitivity", "entry_loss"),
    "local.degrees.out_lists:VeilOutDegrees": ("subset_loss", "wave_loss", "entry_loss"),
    "local.degrees.veil:VeilDegrees": ("subset_loss", "wave_loss", *_REPORT),
    "local.degrees.veil:VeilQuantiles": ("wave_loss", *_REPORT),
    "local.degrees.square_wave:SmoothedWave": ("wave_loss", *_REPORT),
    "local.degrees.frequency:OptimalUnaryDegrees": ("unary_loss", *_REPORT),
    "local.degrees.frequency:SymmetricUnaryDegrees": ("unary_loss", *_REPORT),
    "local.degrees.frequency:KaryDegrees": ("kary_loss", *_REPORT),
    "local.degrees.two_stage:TwoStageDegrees": ("two_stage_loss", *_REPORT),
    "local.degrees.preference:PreferredDegrees": ("subset_loss", "wave_loss", *_ENTRIES),
    "local.attributes.shares:AttributeShares": ("kary_loss", "unary_loss", *_REPORT),
    "local.attributes.class_rows:LocalClassRows": ("labelled_entries_sensitivity", *_REPORT),
    "local.suggestions.protocol:FriendSuggestions": _ENTRIES,
    "local.triangles.veil:VeilTriangles": _COUNTED,
    "local.triangles.veil:TwoRoundTriangles": _COUNTED,
    "local.triangles.veil:LowDownloadTriangles": _COUNTED,
    "local.triangles.one_end:OneEndTriangles": _COUNTED,
    "local.triangles.preference:PreferredTriangles": _COUNTED,
    "local.clustering.veil:VeilSequence": _COUNTED,
    "local.clustering.veil:VeilClustering": _COUNTED,
    "local.clustering.plain:PlainSequence": _COUNTED,
    "local.clustering.plain:NodePlainSequence": ("any_change_of_a_list", "cut_list_count_range", *_REPORT),
    "local.clustering.preference:PreferredSequence": ("wave_loss", *_COUNTED),
    "local.clustering.preference:PreferredClustering": ("wave_loss", *_COUNTED),
    "local.clustering.transitivity:VeilTransitivity": _COUNTED,
    "local.joint.veil:JointVeil": _COUNTED,
    "papers.gs_ldp.rnl:RandomisedListsTotal": _ENTRIES,
    "papers.gs_ldp.rnl:RandomisedLists": _ENTRIES,
    "papers.gs_ldp.rnl:RandomisedListsClustering": _ENTRIES,
    "papers.gs_ldp.lf_gdpr:LfGdpr": _ENTRIES,
    "papers.gs_ldp.projected_degrees:NodeProjected": _PROJECTED,
    "papers.gs_ldp.projected_degrees:EdgeProjected": _PROJECTED,
    "papers.peers.vc_triangles:VcTriangles": _COUNTED,
    "papers.peers.local2rounds:Local2Rounds": _COUNTED,
    "papers.peers.local2rounds:NodeLocal2Rounds": _WHOLE_LISTS,
    "papers.peers.local2rounds_sequence:EdgeTwoRounds": _COUNTED,
    "papers.peers.local2rounds_sequence:NodeTwoRounds": _WHOLE_LISTS,
    "papers.peers.local2rounds_sequence:EdgeTwoRoundClustering": _COUNTED,
    "papers.peers.local2rounds_sequence:NodeTwoRoundClustering": _WHOLE_LISTS,
    "papers.peers.arr_triangles:ArrFull": _COUNTED,
    "papers.peers.arr_triangles:ArrOneNs": (
        "entries_sensitivity",
        "accepted_edges_rise",
        "looked_count_change",
        *_REPORT,
    ),
    "papers.peers.arr_triangles:ArrTwoNs": _COUNTED,
    "papers.peers.arr_triangles:NodeArrTwoNs": _WHOLE_LISTS,
}

# What has no row, by the name under which `graphveil audit` tries it: counts over time, sums of two servers, graphs
# with attributes, and the accounting of GAP, which is refuted. Learning from private records has no audit.
_TILES_OF_TWO = ("two_server_tiles_sensitivity",)
_TRIANGLES_OF_TWO = ("two_server_entry_sensitivity",)
_HUBS_OF_TWO = ("entries_sensitivity", "kary_loss", "two_server_hubs_sensitivity")  # degrees, answers and the count
THEOREMS_WITHOUT_ROW: dict[str, tuple[str, ...]] = {
    "stream-edges": ("tree_sensitivity", "edges_sensitivity"),
    "stream-two-stars": ("tree_sensitivity", "stars_over_time_sensitivity"),
    "stream-triangles": ("tree_sensitivity", "first_triangles_over_time_sensitivity"),
    "stream-degrees": ("tree_sensitivity", "bands_over_time_sensitivity"),
    "stream-new-edges": ("edges_sensitivity",),
    "stream-of-several": ("tree_sensitivity", "edges_sensitivity", "stars_over_time_sensitivity", *_TRIANGLES),
    "stream-people": ("tree_sensitivity", "nodes_sensitivity"),
    "stream-person-edges": ("tree_sensitivity", "first_friendships_over_time_sensitivity"),
    "synthesize-attributes": ("mixing_sensitivity",),
    "two-servers-edges": ("entries_sensitivity",),
    "two-servers-edges-relationship": ("entries_sensitivity", "group_privacy"),
    "two-servers-degree-distribution": _TILES_OF_TWO,
    "two-servers-degree-histogram": _TILES_OF_TWO,
    "two-servers-k-stars": ("entries_sensitivity", "two_server_stars_sensitivity"),
    "two-servers-triangles": _HUBS_OF_TWO,
    "two-servers-triangles-relationship": (*_HUBS_OF_TWO, "group_privacy"),
    "two-servers-transitivity": (*_HUBS_OF_TWO, "two_server_stars_sensitivity"),
    "two-servers-triangles-public-limit": _TRIANGLES_OF_TWO,
    "two-servers-triangles-public-limit-relationship": (*_TRIANGLES_OF_TWO, "two_server_relationship_sensitivity"),
    "two-servers-attribute-shares": ("two_server_answers_sensitivity",),
    "gap-entry": ("gap_counts_one_entry_of_two",),
    "learn-records": (
        "record_counts_sensitivity",
        "record_sums_sensitivity",
        "readers_h_index_sensitivity",
        "record_rows_sensitivity",
    ),
}
UNPROVED_WITHOUT_ROW: dict[str, str] = {}

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
    "papers.gs_ldp.random_jump:RandomJump": "nearby_jumps_do_not_cover_a_list",
}

# What is not proved yet -> what is missing, and the test that tries it by brute force.
UNPROVED: dict[str, str] = {}
