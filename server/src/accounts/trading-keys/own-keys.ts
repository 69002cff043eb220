// People make, change and rotate the trading keys of their own accounts. The caller has proved a second factor.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { randomHex } from '../../platform/std/ids.ts';
import { noteAct } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import type { User } from '../user.ts';
import { holdAccountFor, makeHmacKey } from './actions.ts';
import { isUsablePoint, parsePublicKey } from './ed25519.ts';
import { badTerm, noSuchKey, tooManyKeys } from './errors.ts';
import { lockAccount } from './family-store.ts';
import { KEY_PREFIXES, type KeyType } from './key.ts';
import {
  countKeys,
  hasLivePredecessor,
  holdOwnKey,
  listOwnKeyRows,
  replaceKey,
  updateKey,
  type OwnKey,
} from './own-store.ts';
import { insertTradingKey, type KeyTerms, type StoredProof } from './store.ts';
import { checkTerms, type AskedTerms } from './terms.ts';

export const KEYS_MAX = 30;
export const OVERLAP_DEFAULT_MS = 86_400_000;

/** Who asks, and from where. */
export interface KeyOwner {
  readonly user: User;
  readonly address: string;
}

export interface AskedKey extends AskedTerms {
  readonly type: KeyType;
  /** 64 hexadecimal digits, for an Ed25519 key only. */
  readonly publicKey: string | undefined;
  /** An open account of the person's family; their main account when undefined. */
  readonly accountId: bigint | undefined;
}

/** `secret` is shown only here; an Ed25519 key has none of ours. */
export interface MadeKey {
  readonly key: OwnKey;
  readonly secret: string;
}

export const listOwnKeys = (ctx: Context, user: Pick<User, 'id'>): Promise<OwnKey[]> =>
  listOwnKeyRows(ctx.db, user.id);

export async function createOwnKey(
  ctx: Context,
  owner: KeyOwner,
  { type, publicKey, accountId: asked, ...given }: AskedKey,
): Promise<MadeKey> {
  const { user } = owner;
  const terms = checkTerms(given, ctx.clock.now(), true);
  return ctx.inTransaction(async (tx) => {
    const accountId = await holdAccountFor(tx, user.id, asked);
    const made = makeKey(ctx, type, accountId, publicKey);
    await insertBounded(tx, user, { ...terms, keyId: made.keyId, accountId }, made.proof);
    noteAct(tx, {
      act: 'trading_key create',
      subject: user.email,
      after: { keyId: made.keyId, type, ...recordOf(terms) },
      details: { userId: user.id, accountId },
    });
    await tell(tx, ctx, owner, 'trading_key_created', made.keyId, terms.label);
    return { key: await getOwnKey(tx, user, made.keyId), secret: made.secret };
  });
}

export type KeyChanges = Partial<Omit<AskedTerms, 'expiresAt'>> & {
  readonly expiresAt?: Date | undefined;
  readonly isEnabled?: boolean | undefined;
};

export async function updateOwnKey(
  ctx: Context,
  owner: KeyOwner,
  keyId: string,
  changes: KeyChanges,
): Promise<OwnKey> {
  const { user } = owner;
  return ctx.inTransaction(async (tx) => {
    const before = await getOwnKey(tx, user, keyId);
    if (before.replacedBy !== null && changes.expiresAt !== undefined) {
      throw badTerm(
        'PARAMETER_CONFLICT',
        'expireTime',
        `The key ${before.replacedBy} takes its place, so its end stays. Change that one.`,
      );
    }
    const { isEnabled = before.isEnabled, ...rest } = changes;
    const changed = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined),
    );
    const asked: AskedTerms = { ...termsOf(before), ...changed };
    const terms = checkTerms(asked, ctx.clock.now(), changes.expiresAt !== undefined);
    await updateKey(tx, keyId, { ...terms, isEnabled });
    noteAct(tx, {
      act: 'trading_key update',
      subject: user.email,
      before: { keyId, ...recordOf(before), isEnabled: before.isEnabled },
      after: { keyId, ...recordOf(terms), isEnabled },
      details: { userId: user.id, accountId: before.accountId },
    });
    await tell(tx, ctx, owner, 'trading_key_changed', keyId, terms.label);
    return getOwnKey(tx, user, keyId);
  });
}

/** A second key with the same terms; the first ends after the overlap, so that its programs can change over. */
export async function rotateOwnKey(
  ctx: Context,
  owner: KeyOwner,
  keyId: string,
  { overlapMs, publicKey }: { overlapMs: number; publicKey: string | undefined },
): Promise<MadeKey> {
  const { user } = owner;
  return ctx.inTransaction(async (tx) => {
    const before = await getOwnKey(tx, user, keyId);
    const now = new Date(ctx.clock.now());
    await checkRotatable(tx, before, now);
    const { accountId, type } = before;
    const made = makeKey(ctx, type, accountId, publicKey);
    const terms = termsOf(before);
    await insertBounded(tx, user, { ...terms, keyId: made.keyId, accountId }, made.proof);
    const after = new Date(now.getTime() + overlapMs);
    const ends = before.expiresAt !== null && before.expiresAt < after ? before.expiresAt : after;
    await replaceKey(tx, keyId, { replacedBy: made.keyId, expiresAt: ends });
    noteAct(tx, {
      act: 'trading_key rotate',
      subject: user.email,
      before: { keyId },
      after: { keyId: made.keyId, type, ...recordOf(terms) },
      details: { userId: user.id, accountId, ends: ends.toISOString() },
    });
    await tell(tx, ctx, owner, 'trading_key_created', made.keyId, terms.label);
    return { key: await getOwnKey(tx, user, made.keyId), secret: made.secret };
  });
}

/** One rotation at a time: two keys of the same terms are in use, never three. */
async function checkRotatable(tx: Tx, key: OwnKey, now: Date): Promise<void> {
  const conflict = (message: string) => badTerm('PARAMETER_CONFLICT', 'keyId', message);
  if (key.replacedBy !== null) {
    throw conflict(`The key ${key.replacedBy} already takes its place. Rotate that one.`);
  }
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw conflict('The key has expired, and a successor would have too. Make a new key.');
  }
  if (await hasLivePredecessor(tx, key.keyId, now)) {
    throw conflict('The key that this one replaces still works. Delete it first, or wait.');
  }
}

async function getOwnKey(tx: Tx, user: Pick<User, 'id'>, keyId: string): Promise<OwnKey> {
  const key = await holdOwnKey(tx, user.id, keyId);
  if (key === undefined) throw noSuchKey();
  return key;
}

/** Counts under the account's lock, so that many requests at once make no more. */
async function insertBounded(
  tx: Tx,
  user: Pick<User, 'id'>,
  key: KeyTerms & { readonly keyId: string; readonly accountId: bigint },
  proof: StoredProof,
): Promise<void> {
  await lockAccount(tx, key.accountId, user.id);
  if ((await countKeys(tx, key.accountId)) >= KEYS_MAX) throw tooManyKeys(KEYS_MAX);
  await insertTradingKey(tx, key, proof);
}

function makeKey(
  ctx: Context,
  type: KeyType,
  accountId: bigint,
  publicKey: string | undefined,
): { keyId: string; secret: string; proof: StoredProof } {
  if (type === 'ed25519') {
    const keyId = `${KEY_PREFIXES.ed25519}${randomHex(8)}`;
    return { keyId, secret: '', proof: { type, publicKey: requirePublicKey(publicKey) } };
  }
  if (publicKey === undefined) return makeHmacKey(ctx, accountId);
  throw badTerm(
    'PARAMETER_CONFLICT',
    'publicKey',
    'A key of type hmac has a secret and no publicKey.',
  );
}

function requirePublicKey(text: string | undefined): Buffer {
  if (text === undefined) {
    throw badTerm(
      'PARAMETER_MISSING',
      'publicKey',
      'A key of type ed25519 needs publicKey, 64 lower-case hexadecimal digits.',
    );
  }
  const raw = parsePublicKey(text);
  if (raw !== undefined && isUsablePoint(raw)) return raw;
  throw badTerm(
    'PARAMETER_INVALID',
    'publicKey',
    raw === undefined
      ? 'publicKey must be 64 lower-case hexadecimal digits.'
      : 'publicKey is no point of the curve, or one of small order, under which signatures can be forged. Make a new pair.',
  );
}

const termsOf = (key: KeyTerms): KeyTerms => ({
  label: key.label,
  permissions: key.permissions,
  ipAllowlist: key.ipAllowlist,
  markets: key.markets,
  requireBoundSignature: key.requireBoundSignature,
  expiresAt: key.expiresAt,
});

/** For the audit log. */
const recordOf = ({ expiresAt, ...terms }: KeyTerms) => {
  const { label, permissions, ipAllowlist, markets, requireBoundSignature } = terms;
  const expires = expiresAt?.toISOString() ?? '';
  return { label, permissions, ipAllowlist, markets, requireBoundSignature, expires };
};

const tell = (
  tx: Tx,
  ctx: Context,
  { user, address }: KeyOwner,
  kind: 'trading_key_created' | 'trading_key_changed',
  keyId: string,
  label: string,
): Promise<void> =>
  tellPerson(tx, ctx, user, kind, { name: label === '' ? keyId : `${label} (${keyId})`, address });
