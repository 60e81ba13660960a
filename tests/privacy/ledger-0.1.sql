PRAGMA application_id = 1735814247;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE budget (
    dataset TEXT PRIMARY KEY NOT NULL,
    unit TEXT NOT NULL,
    trust TEXT NOT NULL,
    epsilon TEXT NOT NULL,     -- exact fractions, as text
    delta TEXT NOT NULL,
    tail_delta TEXT NOT NULL,
    rho TEXT,                  -- fixed with the declaration, so that no later version moves it
    time TEXT NOT NULL,        -- UTC
    version TEXT NOT NULL      -- of the package that wrote the row
);
INSERT INTO "budget" VALUES('friends-01.csv','edge','central','1','0','0',NULL,'2026-11-16T15:52:32.706+00:00','0.1.0');
INSERT INTO "budget" VALUES('friends-02.csv','edge','central','1','0','0',NULL,'2026-11-16T15:52:44.161+00:00','0.1.0');
CREATE TABLE release (
    spend_id INTEGER PRIMARY KEY REFERENCES spend (id),
    json TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL
);
INSERT INTO "release" VALUES(1,'{"format": 1, "releases": [{"query": "edges", "value": 170, "guarantee": {"unit": "edge", "trust": "central", "epsilon": "1/4", "delta": "0", "relationship_epsilon": "1/4", "assumes": ["the set of people is public"], "proof": "central.edges", "status": "proved", "package": ""}, "accuracy": {"std": 5.642149668143987, "bands": [[0.5, 3.0, 3.0], [0.8, 6.0, 6.0], [0.9, 9.0, 9.0], [0.95, 12.0, 12.0], [0.99, 18.0, 18.0], [0.999, 28.0, 28.0]], "bias": "none", "support": [0, 1770], "scope": "", "center": null, "faultless": ""}, "provenance": {"algorithm": "edge-count", "version": "0.1.0", "parameters": {"epsilon": "1/4"}, "dataset": "friends-01.csv", "entry": 1, "noise": "system", "created": "2026-11-16T15:52:32+00:00", "derived": {}}, "stages": [["counted the edges: one edge more or less changes the count by 1", "0"], ["added whole-number Laplace noise of scale 4", "1/4"], ["cut the result to the range that is publicly possible", "0"]]}]}','2026-11-16T15:52:32.889+00:00','0.1.0');
INSERT INTO "release" VALUES(2,'{"format": 1, "releases": [{"query": "edges", "value": 173, "guarantee": {"unit": "edge", "trust": "central", "epsilon": "1/4", "delta": "0", "relationship_epsilon": "1/4", "assumes": ["the set of people is public"], "proof": "central.edges", "status": "proved", "package": ""}, "accuracy": {"std": 5.642149668143987, "bands": [[0.5, 3.0, 3.0], [0.8, 6.0, 6.0], [0.9, 9.0, 9.0], [0.95, 12.0, 12.0], [0.99, 18.0, 18.0], [0.999, 28.0, 28.0]], "bias": "none", "support": [0, 1770], "scope": "", "center": null, "faultless": ""}, "provenance": {"algorithm": "edge-count", "version": "0.1.0", "parameters": {"epsilon": "1/4"}, "dataset": "friends-01.csv", "entry": 2, "noise": "system", "created": "2026-11-16T15:52:38+00:00", "derived": {}}, "stages": [["counted the edges: one edge more or less changes the count by 1", "0"], ["added whole-number Laplace noise of scale 4", "1/4"], ["cut the result to the range that is publicly possible", "0"]]}, {"query": "triangles", "value": 0, "guarantee": {"unit": "edge", "trust": "central", "epsilon": "1/8", "delta": "0", "relationship_epsilon": "1/8", "assumes": ["the set of people is public"], "proof": "central.triangles", "status": "proved", "package": ""}, "accuracy": {"std": 767.2465296433327, "bands": [[0.5, 461.0, 461.0], [0.8, 987.0, 987.0], [0.9, 1386.0, 1386.0], [0.95, 1784.0, 1784.0], [0.99, 2704.0, 2704.0], [0.999, 4021.0, 4021.0]], "bias": "none", "support": [0, 34220], "scope": "", "center": null, "faultless": ""}, "provenance": {"algorithm": "ladder-triangles", "version": "0.1.0", "parameters": {"epsilon": "1/8"}, "dataset": "friends-01.csv", "entry": 2, "noise": "system", "created": "2026-11-16T15:52:38+00:00", "derived": {"max_common_neighbors": -32}}, "stages": [["counted the triangles, and how many of them one edge can make or break t edges from here", "0"], ["drew the answer from rungs around the count that are as wide as what one edge can change", "9/80"], ["added whole-number Laplace noise to max_common_neighbors, for the interval", "1/80"], ["cut the count to the range that is publicly possible", "0"]]}, {"query": "max-degree", "value": 10, "guarantee": {"unit": "edge", "trust": "central", "epsilon": "1/8", "delta": "0", "relationship_epsilon": "1/8", "assumes": ["the set of people is public"], "proof": "central.max_degree", "status": "proved", "package": ""}, "accuracy": {"std": 11.306346158727694, "bands": [[0.5, 6.0, 6.0], [0.8, 13.0, 13.0], [0.9, 18.0, 18.0], [0.95, 24.0, 24.0], [0.99, 37.0, 37.0], [0.999, 55.0, 55.0]], "bias": "none", "support": [0, 59], "scope": "", "center": null, "faultless": ""}, "provenance": {"algorithm": "maximum-degree", "version": "0.1.0", "parameters": {"epsilon": "1/8"}, "dataset": "friends-01.csv", "entry": 2, "noise": "system", "created": "2026-11-16T15:52:38+00:00", "derived": {}}, "stages": [["found the largest degree: one edge more or less changes it by at most 1", "0"], ["added whole-number Laplace noise of scale 8", "1/8"], ["cut the result to the range that is publicly possible", "0"]]}]}','2026-11-16T15:52:38.421+00:00','0.1.0');
INSERT INTO "release" VALUES(5,'{"format": 1, "releases": [{"query": "edges", "value": 174, "guarantee": {"unit": "edge", "trust": "central", "epsilon": "1/8", "delta": "0", "relationship_epsilon": "1/8", "assumes": ["the set of people is public"], "proof": "central.edges", "status": "proved", "package": ""}, "accuracy": {"std": 11.306346158727694, "bands": [[0.5, 6.0, 6.0], [0.8, 13.0, 13.0], [0.9, 18.0, 18.0], [0.95, 24.0, 24.0], [0.99, 37.0, 37.0], [0.999, 55.0, 55.0]], "bias": "none", "support": [0, 1770], "scope": "", "center": null, "faultless": ""}, "provenance": {"algorithm": "edge-count", "version": "0.1.0", "parameters": {"epsilon": "1/8"}, "dataset": "friends-02.csv", "entry": 5, "noise": "system", "created": "2026-11-16T15:52:44+00:00", "derived": {}}, "stages": [["counted the edges: one edge more or less changes the count by 1", "0"], ["added whole-number Laplace noise of scale 8", "1/8"], ["cut the result to the range that is publicly possible", "0"]]}]}','2026-11-16T15:52:44.437+00:00','0.1.0');
CREATE TABLE spend (
    id INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL REFERENCES budget (dataset),
    epsilon TEXT,              -- pure: epsilon; approximate: epsilon and delta; zCDP: rho
    delta TEXT,
    rho TEXT,
    request_id TEXT UNIQUE,
    what TEXT NOT NULL,
    time TEXT NOT NULL,
    version TEXT NOT NULL,
    CHECK ((rho IS NULL) <> (epsilon IS NULL) AND (delta IS NULL OR rho IS NULL))
);
INSERT INTO "spend" VALUES(1,'friends-01.csv','1/4',NULL,NULL,'monday','[{"epsilon": "1/4", "method": null, "options": {}, "query": "edges"}]','2026-11-16T15:52:32.758+00:00','0.1.0');
INSERT INTO "spend" VALUES(2,'friends-01.csv','1/4',NULL,NULL,NULL,'[{"epsilon": "1/4", "method": null, "options": {}, "query": "edges"}, {"epsilon": "1/8", "method": null, "options": {}, "query": "triangles"}, {"epsilon": "1/8", "method": null, "options": {}, "query": "max-degree"}]','2026-11-16T15:52:38.038+00:00','0.1.0');
INSERT INTO "spend" VALUES(3,'friends-01.csv','1/8',NULL,NULL,NULL,'	part of entry 2','2026-11-16T15:52:38.038+00:00','0.1.0');
INSERT INTO "spend" VALUES(4,'friends-01.csv','1/8',NULL,NULL,NULL,'	part of entry 2','2026-11-16T15:52:38.038+00:00','0.1.0');
INSERT INTO "spend" VALUES(5,'friends-02.csv','1/8',NULL,NULL,NULL,'[{"epsilon": "1/8", "method": null, "options": {}, "query": "edges"}]','2026-11-16T15:52:44.211+00:00','0.1.0');
CREATE INDEX spend_of_dataset ON spend (dataset, id);
CREATE TRIGGER budget_no_update BEFORE UPDATE ON budget BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER budget_no_delete BEFORE DELETE ON budget BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER budget_no_replace BEFORE INSERT ON budget
    WHEN EXISTS (SELECT 1 FROM budget WHERE dataset = NEW.dataset)
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER spend_no_update BEFORE UPDATE ON spend BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER spend_no_delete BEFORE DELETE ON spend BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER spend_no_replace BEFORE INSERT ON spend
    WHEN EXISTS (SELECT 1 FROM spend WHERE id = NEW.id OR request_id = NEW.request_id)
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_no_update BEFORE UPDATE ON release BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_no_delete BEFORE DELETE ON release BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_no_replace BEFORE INSERT ON release
    WHEN EXISTS (SELECT 1 FROM release WHERE spend_id = NEW.spend_id)
    BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
COMMIT;
