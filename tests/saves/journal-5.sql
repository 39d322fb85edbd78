BEGIN TRANSACTION;
CREATE TABLE acts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, who TEXT NOT NULL, game TEXT NOT NULL,
  act TEXT NOT NULL, detail TEXT NOT NULL, public INTEGER NOT NULL
);
INSERT INTO "acts" VALUES(1,'2026-11-21T20:00:00.000000+00:00','moderator','rose-1','pause','the game is paused (holidays).',1);
INSERT INTO "acts" VALUES(2,'2026-11-21T20:00:00.000000+00:00','moderator','rose-1','resume','the game goes on.',1);
INSERT INTO "acts" VALUES(3,'2026-11-21T20:00:00.000000+00:00','moderator','rose-1','hold','orders of Bob (white) are held back: the moderator looks at them.',1);
CREATE TABLE game_notes (
  game TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (game, key)
) WITHOUT ROWID;
INSERT INTO "game_notes" VALUES('','beats','{"seen": [["2026-11-21T20:00:00.000000+00:00", "2026-11-21T20:00:00.000000+00:00", ""]], "uptime": null}');
INSERT INTO "game_notes" VALUES('rose-1','held:white','the moderator looks at them');
CREATE TABLE intake (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
  received TEXT NOT NULL, envelope_from TEXT NOT NULL, recipient TEXT NOT NULL, sha256 TEXT NOT NULL,
  message_id TEXT NOT NULL, raw TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT NOT NULL,
  rule TEXT NOT NULL, game TEXT NOT NULL, seat TEXT NOT NULL, receipt INTEGER NOT NULL
);
INSERT INTO "intake" VALUES(1,'77eea832500f01102ab6528c86b39dcd2717530b0b38813c95de9cb74d57e4c9','stdin','2026-11-21T20:00:00.000000+00:00','ann@example.test','host+m_****@pbem.test','c9d6f88350adfae2150120a8c4072c54d6d4d71b79fc7749b5255b0bef609fab','','raw/c9d6f88350adfae2150120a8c4072c54d6d4d71b79fc7749b5255b0bef609fab.eml','done','dropped','acts-strange','','',0);
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, turn INTEGER NOT NULL, seat TEXT NOT NULL,
  kind TEXT NOT NULL, revision INTEGER NOT NULL, rcpt TEXT NOT NULL, envelope_from TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE, raw BLOB NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
  next_try TEXT NOT NULL, created TEXT NOT NULL, claimed TEXT NOT NULL, sent TEXT NOT NULL, why TEXT NOT NULL
);
CREATE TABLE rests (
  game TEXT NOT NULL PRIMARY KEY, seen TEXT NOT NULL, until TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE tellings (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, game TEXT NOT NULL, turn INTEGER NOT NULL,
  seat TEXT NOT NULL, kind TEXT NOT NULL, address TEXT NOT NULL, reader TEXT NOT NULL,
  is_theirs INTEGER NOT NULL, title TEXT NOT NULL, words TEXT NOT NULL, at TEXT NOT NULL,
  written INTEGER NOT NULL
);
INSERT INTO "tellings" VALUES(1,'rose-1.t5.notice.610b0042d5fc818b065b','rose-1',5,'red','notice','ann@example.test','Ann',1,'The game is paused','The game is paused (holidays). No deadline passes until it goes on; orders are kept.','2026-11-21T20:00:00.000000+00:00',0);
INSERT INTO "tellings" VALUES(2,'rose-1.t5.notice.2b288f5876069b367642','rose-1',5,'white','notice','bob@example.test','Bob',1,'The game is paused','The game is paused (holidays). No deadline passes until it goes on; orders are kept.','2026-11-21T20:00:00.000000+00:00',0);
INSERT INTO "tellings" VALUES(3,'rose-1.t5.notice.14f363ab82dfdf7bc1c5','rose-1',5,'red','notice','ann@example.test','Ann',1,'The game goes on','The game goes on.','2026-11-21T20:00:00.000000+00:00',0);
INSERT INTO "tellings" VALUES(4,'rose-1.t5.notice.55a6f5e26f25d5fccbbf','rose-1',5,'white','notice','bob@example.test','Bob',1,'The game goes on','The game goes on.','2026-11-21T20:00:00.000000+00:00',0);
CREATE INDEX intake_state ON intake (state, id);
CREATE INDEX intake_seat ON intake (game, seat, received);
CREATE INDEX intake_message ON intake (message_id);
CREATE INDEX outbox_state ON outbox (state, id);
CREATE INDEX outbox_seat ON outbox (game, seat, kind, turn);
CREATE INDEX outbox_sender ON outbox (lower(envelope_from));
CREATE INDEX tellings_written ON tellings (written, id);
CREATE INDEX acts_game ON acts (game, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('acts',3);
INSERT INTO "sqlite_sequence" VALUES('tellings',4);
INSERT INTO "sqlite_sequence" VALUES('intake',1);
COMMIT;
PRAGMA user_version = 5;
