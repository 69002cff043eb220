-- A queue of the chat reads the log without the engine's batches, of which there may be a thousand a second, and a queue
-- that wants them finds them without the rows of the chat. The conditions name the type and not the audience, so rows
-- of earlier releases are in the right index as well. Partitions that are made later get both by LIKE.
CREATE INDEX event_log_batches ON event_log (position) WHERE type = 'trading_batch';
CREATE INDEX event_log_others ON event_log (position) WHERE type <> 'trading_batch';
