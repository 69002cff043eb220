// Makes, changes, rotates and deletes chat keys besides the main one.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import type { User } from '../user.ts';
import { invalidTerms, noSuchKey, tooManyKeys } from './errors.ts';
import { chatKeyReplaced } from './events.ts';
import { createChatKey } from './key.ts';
import {
  deleteChatKey,
  deleteExpiredChatKeys,
  deleteOldestAppKeys,
  insertChatKey,
  listChatKeys,
  lockChatKey,
  replaceChatKeyRow,
  updateChatKey,
  type ChatKeyRow,
  type ChatKeyTerms,
} from './store.ts';
import { APP_KEYS_MAX, checkTerms, OWN_KEYS_MAX } from './terms.ts';

export { listChatKeys, type ChatKeyRow, type ChatKeyTerms };

/** Removes keys that have ended; returns how many. */
export const forgetEndedKeys = ({ db }: Context): Promise<number> => deleteExpiredChatKeys(db);

/** A key in plain text, which is shown this once. */
export interface MadeKey {
  readonly id: bigint;
  readonly key: string;
}

/** `owner` must be locked, so that nobody gets more keys by asking twice at once. */
export async function makeOwnKey(
  ctx: Context,
  tx: Tx,
  owner: User,
  terms: ChatKeyTerms,
): Promise<MadeKey> {
  const nowMs = ctx.clock.now();
  checkTerms(owner, terms, { createdMs: nowMs, nowMs });
  const own = (await listChatKeys(tx, owner.id)).filter(({ kind }) => kind === 'own');
  if (own.length >= OWN_KEYS_MAX) throw tooManyKeys(OWN_KEYS_MAX);
  const made = await insert(ctx, tx, owner, 'own', terms);
  noteKey(tx, 'chat_key create', owner, made.id, terms);
  return made;
}

/** For an app that was signed in by a browser: it stands for its owner as the main key does. The oldest goes. */
export async function makeAppKey(
  ctx: Context,
  tx: Tx,
  owner: User,
  label: string,
): Promise<MadeKey> {
  await deleteOldestAppKeys(tx, owner.id, APP_KEYS_MAX - 1);
  const terms: ChatKeyTerms = {
    label,
    can: ['read', 'write'],
    channelIds: null,
    direct: true,
    addresses: null,
    expiresAt: null,
  };
  const made = await insert(ctx, tx, owner, 'app', terms);
  noteKey(tx, 'chat_key create', owner, made.id, terms);
  return made;
}

async function insert(
  ctx: Context,
  tx: Tx,
  owner: User,
  kind: 'app' | 'own',
  terms: ChatKeyTerms,
): Promise<MadeKey> {
  const { key, stored } = createChatKey(ctx.secrets);
  const id = await insertChatKey(tx, {
    ...terms,
    userId: owner.id,
    kind,
    lookup: stored.chatKeyLookup,
  });
  emitSecurity(tx, owner.id, 'key');
  const notice = kind === 'app' ? 'new_app' : 'chat_key_created';
  await tellPerson(tx, ctx, owner, notice, { name: terms.label });
  return { id, key };
}

/** Changes the terms that are given. An app's key has a label to change, and nothing else. */
export async function changeKey(
  ctx: Context,
  tx: Tx,
  owner: User,
  id: bigint,
  changes: Partial<ChatKeyTerms>,
): Promise<void> {
  const before = await accessKey(tx, owner, id);
  const terms = { ...termsOf(before), ...changes };
  if (before.kind === 'app' && Object.keys(changes).some((name) => name !== 'label')) {
    throw invalidTerms('The key of an app has a label that can be changed, and nothing else.');
  }
  if (before.replacedBy !== null) {
    throw invalidTerms('This key has a successor and ends soon. Change the successor.');
  }
  checkTerms(owner, terms, { createdMs: before.createdAt.getTime(), nowMs: ctx.clock.now() });
  await updateChatKey(tx, id, terms);
  letGo(tx, owner);
  noteKey(tx, 'chat_key update', owner, id, terms);
}

/** Makes a successor with the same terms. Both work until the overlap is over. */
export async function rotateKey(
  ctx: Context,
  tx: Tx,
  owner: User,
  id: bigint,
  overlapSeconds: number,
): Promise<MadeKey> {
  const before = await accessKey(tx, owner, id);
  if (before.kind !== 'own') throw invalidTerms('Only keys of your own can be rotated.');
  if (before.replacedBy !== null) throw invalidTerms('This key has a successor already.');
  // Otherwise rotating again and again would make any number of keys.
  const others = await listChatKeys(tx, owner.id);
  if (others.some(({ replacedBy }) => replacedBy === id)) {
    throw invalidTerms(
      'The key before this one still works. Delete it, or wait until it has ended.',
    );
  }
  const made = await insert(ctx, tx, owner, 'own', termsOf(before));
  await replaceChatKeyRow(tx, id, made.id, overlapSeconds);
  if (overlapSeconds === 0) letGo(tx, owner);
  noteAct(tx, {
    act: 'chat_key rotate',
    subject: owner.email,
    details: { userId: owner.id, key: Number(id), successor: Number(made.id), overlapSeconds },
  });
  return made;
}

export async function removeKey(tx: Tx, owner: User, id: bigint): Promise<void> {
  const { label } = await accessKey(tx, owner, id);
  await deleteChatKey(tx, owner.id, id);
  letGo(tx, owner);
  noteAct(tx, {
    act: 'chat_key delete',
    subject: owner.email,
    details: { userId: owner.id, key: Number(id), label },
  });
}

async function accessKey(tx: Tx, owner: User, id: bigint): Promise<ChatKeyRow> {
  const found = await lockChatKey(tx, owner.id, id);
  if (found === undefined) throw noSuchKey();
  return found;
}

const termsOf = ({
  label,
  can,
  channelIds,
  direct,
  addresses,
  expiresAt,
}: ChatKeyRow): ChatKeyTerms => ({ label, can, channelIds, direct, addresses, expiresAt });

/** Ends the polls that wait with the key: they authenticate again. */
function letGo(tx: Tx, owner: User): void {
  tx.emit(chatKeyReplaced(), { users: [] }, { rightsOf: [owner.id] });
  emitSecurity(tx, owner.id, 'key');
}

function noteKey(
  tx: Tx,
  act: 'chat_key create' | 'chat_key update',
  owner: User,
  id: bigint,
  terms: ChatKeyTerms,
): void {
  const { label, can, channelIds, direct, addresses, expiresAt } = terms;
  noteAct(tx, {
    act,
    subject: owner.email,
    details: {
      userId: owner.id,
      key: Number(id),
      label,
      can: [...can],
      channelIds: channelIds && [...channelIds],
      direct,
      addresses: addresses && [...addresses],
      expiresAt: expiresAt && expiresAt.toISOString(),
    },
  });
}
