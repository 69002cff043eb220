-- Moves of more messages than one transaction takes (decision 0097). A row says what is still to do. It is there from
-- the first step to the last, so a move that a crash has interrupted is found and finished.
CREATE TABLE topic_moves (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor_id integer NOT NULL REFERENCES users,
  -- When it was asked for. Each message has this time in its history, whenever its step came.
  at timestamptz NOT NULL,
  conversation_id integer NOT NULL REFERENCES conversations,
  topic text NOT NULL CHECK (length(topic) <= 60),
  -- The same as before where only the other of the two changes.
  to_conversation_id integer NOT NULL REFERENCES conversations,
  to_topic text NOT NULL CHECK (length(to_topic) <= 60),
  propagate_mode text NOT NULL CHECK (propagate_mode IN ('change_later', 'change_all')),
  is_resolve_toggle boolean NOT NULL,
  tells_old_thread boolean NOT NULL,
  tells_new_thread boolean NOT NULL,
  -- The new topic had messages of its own before.
  joins_others boolean NOT NULL,
  -- In a channel with protected history: the numbers of the messages that the actor could read at the beginning.
  readable int8multirange,
  first_id bigint NOT NULL,
  -- Messages up to this one are done.
  after_id bigint NOT NULL,
  -- The newest message at the beginning. One more step takes what was sent since.
  through_id bigint NOT NULL,
  moved integer NOT NULL CHECK (moved > 0),
  stepped_at timestamptz NOT NULL DEFAULT now()
);
-- A topic is moved by one move at a time.
CREATE UNIQUE INDEX topic_moves_from ON topic_moves (conversation_id, lower(topic));
