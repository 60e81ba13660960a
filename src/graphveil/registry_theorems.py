"""Which theorems, checked by Coq in proofs/, the guarantee of each row of the registry rests on.

A key is where the algorithm is, as in `registry_table`. A row in `UNPROVED` still needs what its text says, and names
the test that tries it on all small graphs instead. `tests/test_proofs.py` holds these lists to the measurements that
each algorithm makes and to what Coq checked.
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
    "central.edge.transitivity:Transitivity": _TRIANGLES + _TWO_STARS,
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
    "papers.peers.tmf:TopMFilter": ("edges_sensitivity", "pairs_sensitivity"),
    "papers.peers.dp_1k:DpDegrees": ("falling_degrees_sensitivity",),
    "papers.peers.dgg:DegreeBlocks": ("degrees_sensitivity",),
    "papers.peers.privskg:PrivSkg": ("young_tiles_sensitivity", "triangles_ladder"),
}
