// What operators do for and to people: end their sessions, take their keys away, look at both.
import type { Context } from '../../platform/context.ts';
import { noteNothing, notingActs } from '../audit/actions.ts';
import { replaceChatKeyIn } from '../chat-keys/actions.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { describeName, type NameState } from '../sign-in/operators.ts';
import { findKeyOwner, listKeysOf, type ListedKey } from '../trading-keys/access.ts';
import { deleteTradingKey } from '../trading-keys/actions.ts';
import { accessPerson } from './access.ts';
import { noSuchKey } from './errors.ts';

interface About {
  readonly email: string;
  /** Recorded in the audit log. */
  readonly reason: string;
}

const KEYS_SHOWN_MAX = 1000;

/** Every request loads its key, so from the commit on the key is refused everywhere. */
export async function revokeTradingKey(
  ctx: Context,
  { keyId, reason }: { readonly keyId: string; readonly reason: string },
): Promise<{ key: string; owner: string }> {
  const owner = await findKeyOwner(ctx.db, keyId);
  if (owner === undefined) throw noSuchKey(keyId);
  const details = { owner: owner.email, account: String(owner.accountId), reason };
  const noting = notingActs(ctx, { act: 'trading_key revoke', subject: keyId, details });
  await deleteTradingKey(noting, keyId);
  return { key: keyId, owner: owner.email };
}

/** The new one is shown to nobody here: its owner asks for it. */
export async function revokeChatKeyOf(
  ctx: Context,
  { email, reason }: About,
): Promise<{ email: string }> {
  const person = await accessPerson(ctx.db, email);
  const note = { act: 'chat_key revoke', subject: person.email, details: { reason } } as const;
  await notingActs(ctx, note).inTransaction((tx) => replaceChatKeyIn(ctx, tx, person, 'all'));
  return { email: person.email };
}

export async function endSessionsOf(
  ctx: Context,
  { email, reason }: About,
): Promise<{ email: string; sessions: number }> {
  const person = await accessPerson(ctx.db, email);
  const sessions = await ctx.inTransaction(async (tx) => {
    const count = await endSessionsIn(tx, person, `ended by an operator: ${reason}`);
    if (count === 0) noteNothing(tx);
    return count;
  });
  return { email: person.email, sessions };
}

export interface PersonState {
  readonly email: string;
  readonly isActive: boolean;
  readonly keys: readonly ListedKey[];
  readonly tries: NameState;
}

/** What support needs to know of somebody, without any secret. */
export async function describePerson(ctx: Context, given: string): Promise<PersonState> {
  const { id, email, isActive } = await accessPerson(ctx.db, given);
  const keys = await listKeysOf(ctx.db, id, KEYS_SHOWN_MAX);
  return { email, isActive, keys, tries: await describeName(ctx, email) };
}
