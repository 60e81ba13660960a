"""Predicting people's classes from noisy counts of the classes among their neighbours; nothing here sees a graph.

Where to start reading, for public tables (unit edge):

- `people` and `features`: a table of people, and what a model is given of its columns;
- `roles`: who counts whom, and what each pair of people pays; `central.edge.class_rows` asks the graph for it;
- `inference`: from noisy counts to predictions, block by block. Its steps are `softmax` (what features say), `affinity`
  (which classes know each other), `likelihood` (what a row of counts says) and `combine` (both together);
- `estimator`: the classifier that a release becomes.

For private tables (unit record): `records`, `descent` (noisy gradients), `record_model` and `record_estimator`;
`central.record_reading` asks the graph.

Another model of features belongs into `softmax`, another column type into `features`, another use of rows into
`combine`. None of them can cost epsilon; only a change of the plan in `roles` can.
"""
