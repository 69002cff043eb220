-- Who may want a notification of a message in a channel is found from these people, and not from everybody with a device:
-- those who asked for notifications of this channel, and those who ask for them of every channel.
CREATE INDEX subscriptions_push ON subscriptions (channel_id, user_id) WHERE is_active AND push_notifications;
CREATE INDEX users_stream_push ON users (id) WHERE settings->>'enable_stream_push_notifications' = 'true';
