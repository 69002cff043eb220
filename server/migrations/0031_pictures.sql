-- Pictures are kept as they are shown, in their own sizes and without what the camera noted. Those from before stay
-- as they came, in one size.
ALTER TABLE avatars ADD COLUMN medium bytea CHECK (octet_length(medium) <= 5242880);
ALTER TABLE avatars ALTER COLUMN medium SET STORAGE EXTERNAL;

-- A moving emoji has a picture that stands still, too.
ALTER TABLE custom_emoji ADD COLUMN still_url text;
ALTER TABLE custom_emoji_images ADD COLUMN still bytea CHECK (length(still) <= 5242880);
