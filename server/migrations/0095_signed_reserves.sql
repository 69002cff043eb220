-- The key of each address signs that it is there, as of the block of the publication.

ALTER TABLE reserve_addresses
  -- EIP-191, or the simple form of BIP-322 in base64. Empty: its key is not with the signer, as that of the cold wallet.
  ADD COLUMN signature text NOT NULL DEFAULT '' CHECK (length(signature) <= 200);
ALTER TABLE reserve_publications
  -- Where the venue was, as the signed texts name it.
  ADD COLUMN venue text NOT NULL DEFAULT '' CHECK (length(venue) <= 200);
