// Adding, replacing and removing codes by time, and the recovery codes that go with every factor.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { readOrganizationName } from '../organization.ts';
import { noteFactor } from '../sessions/access.ts';
import type { User } from '../user.ts';
import { toBase32 } from './base32.ts';
import { checkRemovable, lockFactors, noteFactorAdded, noteFactorRemoved } from './changes.ts';
import { noSuchFactor, noTotpBegun, secondFactorNeeded, wrongFirstCode } from './errors.ts';
import { hasFactor } from './factor.ts';
import { noteFactorDue } from './policy.ts';
import { createRecoveryCodes, normalizeRecoveryCode, recoveryLookup } from './recovery-codes.ts';
import { totpOwner } from './sealed.ts';
import {
  confirmEnrolment,
  deleteTotp,
  findEnrolment,
  findFactors,
  replaceRecoveryCodes,
  upsertEnrolment,
} from './store.ts';
import { createTotpSecret, findStep, normalizeCode, totpUri } from './totp.ts';

/** A secret that was shown must be confirmed within this time. */
const ENROLMENT_MINUTES = 60;

export interface TotpOffer {
  /** In base32, for typing. */
  readonly secret: string;
  /** For the picture. */
  readonly uri: string;
}

/** Makes a secret. It becomes a factor when its owner has shown a first code. */
export async function beginTotp(ctx: Context, user: User): Promise<TotpOffer> {
  const secret = createTotpSecret();
  const sealed = ctx.secrets.seal(totpOwner(user.id), secret.toString('hex'));
  await ctx.inTransaction(async (tx) => {
    await upsertEnrolment(tx, user.id, sealed);
    noteNothing(tx);
  });
  return offerOf(ctx, user, secret);
}

/** The secret that waits for its first code, to show it once more; undefined if none does. */
export async function findTotpOffer(ctx: Context, user: User): Promise<TotpOffer | undefined> {
  const row = await findEnrolment(ctx.db, user.id, ENROLMENT_MINUTES);
  if (row === undefined) return undefined;
  return offerOf(ctx, user, openSecret(ctx, user.id, row.sealed));
}

async function offerOf(ctx: Context, { email }: User, secret: Buffer): Promise<TotpOffer> {
  const name = (await readOrganizationName(ctx.db)) ?? ctx.config.ORGANIZATION_NAME;
  return { secret: toBase32(secret), uri: totpUri(secret, { organization: name, email }) };
}

const openSecret = ({ secrets }: Context, userId: number, sealed: Buffer): Buffer =>
  Buffer.from(secrets.open(totpOwner(userId), sealed), 'hex');

export interface Confirmed {
  readonly code: string;
  readonly address: string;
  /** The session in which the code was shown: it counts there as much as one at signing in. */
  readonly sessionId?: bigint | undefined;
  /** Replaces the main chat key if this is the first factor; undefined if its owner keeps the key. */
  readonly replaceKey: ((tx: Tx) => Promise<unknown>) | undefined;
}

/** Makes the waiting secret a factor, in place of an earlier one. Returns new recovery codes, to be shown once. */
export function confirmTotp(
  ctx: Context,
  user: User,
  { code, address, sessionId, replaceKey }: Confirmed,
): Promise<string[]> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockFactors(tx, user.id);
    const row = await findEnrolment(tx, user.id, ENROLMENT_MINUTES);
    if (row === undefined) throw noTotpBegun();
    const secret = openSecret(ctx, user.id, row.sealed);
    // The first code is spent too: it cannot sign anybody in.
    const step = findStep(secret, normalizeCode(code), { seconds: row.nowSeconds, lastStep: 0n });
    if (step === undefined) throw wrongFirstCode();
    await confirmEnrolment(tx, user.id, { sealed: row.sealed, step });
    const codes = await renew(ctx, tx, user);
    await noteFactorAdded(tx, ctx, user, { kind: 'totp', address }, { before, replaceKey });
    if (sessionId !== undefined) {
      await noteFactor(tx, sessionId, 'totp', new Date(ctx.clock.now()));
    }
    return codes;
  });
}

export async function removeTotp(ctx: Context, user: User, address: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const before = await lockFactors(tx, user.id);
    if (!before.totp) throw noSuchFactor();
    const after = { ...before, totp: false };
    await checkRemovable(tx, user, after);
    await deleteTotp(tx, user.id);
    await noteFactorRemoved(tx, ctx, user, { kind: 'totp', address }, after);
  });
}

/** A new set; the old one is worthless. */
export function renewRecoveryCodes(ctx: Context, user: User): Promise<string[]> {
  return ctx.inTransaction(async (tx) => {
    if (!hasFactor(await lockFactors(tx, user.id))) throw noSuchFactor();
    noteAct(tx, {
      act: 'factor recovery_codes',
      subject: user.email,
      details: { userId: user.id },
      by: user,
    });
    return renew(ctx, tx, user);
  });
}

async function renew({ secrets }: Context, tx: Tx, { id }: User): Promise<string[]> {
  const codes = createRecoveryCodes();
  const lookups = codes.map((code) =>
    recoveryLookup(secrets, id, normalizeRecoveryCode(code) ?? code),
  );
  await replaceRecoveryCodes(tx, id, lookups);
  return codes;
}

/** Refuses what a password alone must not give: the person has a factor, or should have one by now. */
export async function checkPasswordSuffices({ db }: Context, user: User): Promise<void> {
  if (hasFactor(await findFactors(db, user.id))) throw secondFactorNeeded();
  if ((await noteFactorDue(db, user)).isOverdue) throw secondFactorNeeded();
}
