-- A market may gather orders for an auction.
ALTER TABLE markets DROP CONSTRAINT markets_phase_check;
ALTER TABLE markets ADD CONSTRAINT markets_phase_check CHECK (phase IN
  ('pre_open', 'auction', 'post_only', 'continuous', 'cancel_only', 'halted', 'delisted'));

-- How long the auction lasts that follows an automatic halt; zero: none follows.
ALTER TABLE markets ADD COLUMN auction_seconds integer NOT NULL DEFAULT 0;
