// Whether the master key decrypts the stored secrets.
import type pg from 'pg';
import { openChatKey } from '../accounts/chat-keys/key.ts';
import { listSampleSecrets } from '../accounts/trading-keys/access.ts';
import { secretOwner } from '../accounts/trading-keys/actions.ts';
import { listSampleKeys } from '../accounts/users/credentials.ts';
import { opensRing } from '../platform/secrets/ring.ts';
import { SealError, type Secrets } from '../platform/secrets/secrets.ts';

/** Undefined while there is no stored secret to check. */
export async function opensStored(
  client: pg.Client,
  secrets: Secrets,
): Promise<boolean | undefined> {
  const opens = await opensRing(client, secrets);
  return opens === false ? false : ((await opensKeys(client, secrets)) ?? opens);
}

/** The oldest and the newest of each kind: a change of the key in between shows in one of them. */
async function opensKeys(client: pg.Client, secrets: Secrets): Promise<boolean | undefined> {
  const chat = await listSampleKeys(client);
  const trading = await listSampleSecrets(client);
  if (chat.length + trading.length === 0) return undefined;
  try {
    for (const stored of chat) openChatKey(secrets, stored);
    for (const { id, accountId, sealed } of trading) {
      secrets.open(secretOwner(accountId, id), sealed);
    }
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
