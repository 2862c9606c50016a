PRAGMA user_version = 4;
BEGIN TRANSACTION;
CREATE TABLE games (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    mode TEXT NOT NULL, board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL,
    seed INTEGER NOT NULL, seeded INTEGER NOT NULL, undo INTEGER NOT NULL, made REAL NOT NULL,
    ended REAL, state TEXT NOT NULL, clicks INTEGER NOT NULL, helped INTEGER NOT NULL,
    switches TEXT NOT NULL, played REAL NOT NULL, heard REAL, interrupted INTEGER NOT NULL
, shown INTEGER NOT NULL DEFAULT 0);
INSERT INTO "games" VALUES(1,'jUkWItEl3BJr9y4Y','41fb37b62e3cae163ae563972bdaf78a','ordinary','9x9x10','moore','safe',7119750869656646,0,0,1.79486343769952774044e+09,1794863438.12943,'won',50,0,'{"zero":false,"simple":false,"set":false,"autoplay":false,"solvers":false,"probabilities":false,"approximate":false}',4.100856781005859375e-01,NULL,0,0);
INSERT INTO "games" VALUES(2,'sSmio2z5o81eO8bh','41fb37b62e3cae163ae563972bdaf78a','ordinary','16x16x40','hex','any',1307045369507957,0,1,1.79486343814039325719e+09,1.79486343816836094863e+09,'lost',2,0,'{"zero":false,"simple":false,"set":false,"autoplay":false,"solvers":false,"probabilities":false,"approximate":false}',5.5696964263916015625e-03,NULL,0,0);
INSERT INTO "games" VALUES(3,'32O5Txn1_Ss4k6RQ','41fb37b62e3cae163ae563972bdaf78a','ordinary','30x16x99','moore','safe',7,1,0,1.7948634381766138077e+09,NULL,'playing',2,1,'{"zero":false,"simple":true,"set":false,"autoplay":false,"solvers":false,"probabilities":true,"approximate":false}',5.73825836181640625e-03,1.79486343819129633907e+09,0,0);
INSERT INTO "games" VALUES(4,'iz8qaVDXEsJ0Ii2x','d1087b012731f6e3344e1154a76d32da','ordinary','9x9x10','moore','safe',6979050221475369,0,0,1.79486343819574213024e+09,NULL,'playing',1,0,'{"zero":false,"simple":false,"set":false,"autoplay":false,"solvers":false,"probabilities":false,"approximate":false}',0.0,1.79486343820085167887e+09,0,0);
INSERT INTO "games" VALUES(5,'yqhZmbSTvgexRyI3','d1087b012731f6e3344e1154a76d32da','ordinary','9x9x10','moore','safe',2749200019082500,0,0,1.79486343820448827736e+09,NULL,'ready',0,0,'{"zero":false,"simple":false,"set":false,"autoplay":false,"solvers":false,"probabilities":false,"approximate":false}',0.0,NULL,0,0);
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO "meta" VALUES('secret',X'81DFA6B442CCF1691D5C6D4B5F92D48D5CFEF83CA72CA62C9A5EECA024B0CF25');
CREATE TABLE people (person TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
INSERT INTO "people" VALUES('41fb37b62e3cae163ae563972bdaf78a',1.79486343770017361641e+09);
INSERT INTO "people" VALUES('d1087b012731f6e3344e1154a76d32da',1.79486343819597148896e+09);
CREATE TABLE puzzles (
    person TEXT NOT NULL REFERENCES people ON DELETE CASCADE, code TEXT NOT NULL,
    marks TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (person, code)
) WITHOUT ROWID;
INSERT INTO "puzzles" VALUES('41fb37b62e3cae163ae563972bdaf78a','day-2026-01-31','{"marks":"./","done":true}',1.79486343822853589057e+09);
CREATE TABLE results (
    game TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    mode TEXT NOT NULL, board TEXT NOT NULL, topology TEXT NOT NULL, start TEXT NOT NULL,
    outcome TEXT NOT NULL, helped INTEGER NOT NULL, interrupted INTEGER NOT NULL,
    seconds REAL NOT NULL, bbbv INTEGER, clicks INTEGER NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
INSERT INTO "results" VALUES('iz8qaVDXEsJ0Ii2x','d1087b012731f6e3344e1154a76d32da','ordinary','9x9x10','moore','safe','left',0,0,0.0,NULL,1,1.79486343820471429821e+09);
INSERT INTO "results" VALUES('jUkWItEl3BJr9y4Y','41fb37b62e3cae163ae563972bdaf78a','ordinary','9x9x10','moore','safe','won',0,0,4.100856781005859375e-01,14,50,1794863438.12943);
INSERT INTO "results" VALUES('sSmio2z5o81eO8bh','41fb37b62e3cae163ae563972bdaf78a','ordinary','16x16x40','hex','any','lost',0,0,5.5696964263916015625e-03,NULL,2,1.79486343816836094863e+09);
CREATE TABLE strokes (
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL,
    kind INTEGER NOT NULL, cell INTEGER, auto INTEGER NOT NULL, milliseconds INTEGER NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
INSERT INTO "strokes" VALUES(1,0,0,0,0,0);
INSERT INTO "strokes" VALUES(1,1,0,2,0,18);
INSERT INTO "strokes" VALUES(1,2,0,3,0,26);
INSERT INTO "strokes" VALUES(1,3,0,4,0,38);
INSERT INTO "strokes" VALUES(1,4,0,6,0,52);
INSERT INTO "strokes" VALUES(1,5,0,10,0,74);
INSERT INTO "strokes" VALUES(1,6,0,18,0,107);
INSERT INTO "strokes" VALUES(1,7,0,19,0,111);
INSERT INTO "strokes" VALUES(1,8,0,27,0,162);
INSERT INTO "strokes" VALUES(1,9,0,29,0,166);
INSERT INTO "strokes" VALUES(1,10,0,37,0,293);
INSERT INTO "strokes" VALUES(1,11,0,38,0,298);
INSERT INTO "strokes" VALUES(1,12,0,47,0,350);
INSERT INTO "strokes" VALUES(1,13,0,48,0,355);
INSERT INTO "strokes" VALUES(1,14,0,57,0,410);
INSERT INTO "strokes" VALUES(2,0,0,0,0,0);
INSERT INTO "strokes" VALUES(2,1,0,1,0,6);
INSERT INTO "strokes" VALUES(3,0,0,247,0,0);
INSERT INTO "strokes" VALUES(3,1,1,0,0,6);
INSERT INTO "strokes" VALUES(4,0,0,40,0,0);
CREATE INDEX people_seen ON people (seen);
CREATE INDEX games_of ON games (person, made);
CREATE INDEX results_of ON results (person, at);
COMMIT;
