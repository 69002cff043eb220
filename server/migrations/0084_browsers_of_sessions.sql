-- A browser that subscribed in a session is notified as long as that session lasts: a person who signs a lost phone out
-- from elsewhere must not go on sending messages to it. Browsers that subscribed before, or by a key, have none.
ALTER TABLE web_push_subscriptions
  ADD session_id bigint REFERENCES sessions ON DELETE CASCADE;
CREATE INDEX web_push_subscriptions_session ON web_push_subscriptions (session_id)
  WHERE session_id IS NOT NULL;
