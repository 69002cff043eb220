// Whether the master key opens what is stored.
import type pg from 'pg';
import { openChatKey } from '../accounts/chat-keys/key.ts';
import { secretOwner } from '../accounts/trading-keys/actions.ts';
import { opensRing } from '../platform/secrets/ring.ts';
import { SealError, type Secrets } from '../platform/secrets/secrets.ts';

/** Undefined while nothing is stored that could tell. */
export async function opensStored(
  client: pg.Client,
  secrets: Secrets,
): Promise<boolean | undefined> {
  const opens = await opensRing(client, secrets);
  return opens === false ? false : ((await opensKeys(client, secrets)) ?? opens);
}

/** The oldest and the newest of each kind: a key that was changed in between shows in one of them. */
async function opensKeys(client: pg.Client, secrets: Secrets): Promise<boolean | undefined> {
  const { rows: chat } = await client.query<{ lookup: Buffer; sealed: Buffer }>(
    `WITH kept AS (SELECT id, chat_key_lookup AS lookup, chat_key_sealed AS sealed FROM users
                    WHERE NOT is_system AND length(chat_key_sealed) > 0)
     (SELECT lookup, sealed FROM kept ORDER BY id LIMIT 1)
     UNION ALL
     (SELECT lookup, sealed FROM kept ORDER BY id DESC LIMIT 1)`,
  );
  const { rows: trading } = await client.query<{ id: string; account: string; sealed: Buffer }>(
    `(SELECT key_id AS id, account_id::text AS account, secret_sealed AS sealed
        FROM trading_keys ORDER BY created_at LIMIT 1)
     UNION ALL
     (SELECT key_id, account_id::text, secret_sealed
        FROM trading_keys ORDER BY created_at DESC LIMIT 1)`,
  );
  if (chat.length + trading.length === 0) return undefined;
  try {
    for (const { lookup, sealed } of chat) {
      openChatKey(secrets, { chatKeyLookup: lookup, chatKeySealed: sealed });
    }
    for (const { id, account, sealed } of trading) {
      secrets.open(secretOwner(BigInt(account), id), sealed);
    }
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
