-- What one person, with their bots, has caused on a day (UTC) that others have to live with: channels and groups that
-- they made, places in either that they gave to others. It is counted in the transaction that does it, so what is
-- refused is not counted.
CREATE TABLE daily_allowances (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('channels', 'groups', 'places')),
  day date NOT NULL,
  spent integer NOT NULL CHECK (spent >= 0),
  PRIMARY KEY (user_id, kind)
);
