-- What people recognise a browser by in the list of those that are notified, such as `Firefox on Linux`.
ALTER TABLE web_push_subscriptions
  ADD device text NOT NULL DEFAULT '' CHECK (length(device) <= 100);
