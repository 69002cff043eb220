-- What bots keep here between two messages: a few words of their own under names of their own.
CREATE TABLE bot_storage (
  user_id integer NOT NULL REFERENCES users,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (user_id, key)
);

-- What clients explain once: what each person has been shown.
CREATE TABLE seen_onboarding_steps (
  user_id integer NOT NULL REFERENCES users,
  step text NOT NULL,
  PRIMARY KEY (user_id, step)
);
