-- Those who do not want to be told that others type. They are few, and are looked for with every such notice.
CREATE INDEX users_not_told_of_typing ON users (id)
  WHERE settings -> 'receives_typing_notifications' = 'false';
