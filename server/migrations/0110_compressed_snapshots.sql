-- How the parts of a snapshot are stored: as they are, or each compressed by zstd. A start reads a quarter of the bytes.
ALTER TABLE trading_snapshots
  ADD COLUMN encoding text NOT NULL DEFAULT 'raw' CHECK (encoding IN ('raw', 'zstd'));
-- What is compressed already is not compressed once more. Parts that exist stay as they are.
ALTER TABLE trading_snapshot_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;
