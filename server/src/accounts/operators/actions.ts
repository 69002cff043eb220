// How a person becomes an operator, authenticates as one, and stops being one. Every act is in the
// audit log, and so is every wrong secret.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { hashPassword, verifyPassword } from '../passwords/hash.ts';
import { findUserByEmail } from '../users/access.ts';
import type { User } from '../user.ts';
import { accessAgain, accessOperator, accessPerson, ENROLMENT_HOURS } from './access.ts';
import {
  agreedAlready,
  noEnrolment,
  noOwnEnrolment,
  noSecret,
  notAnOperator,
  notProven,
  otherFingerprint,
  tooFewToReplace,
  tooManyWrong,
  twoMustStay,
} from './errors.ts';
import { note, orDenied } from './notes.ts';
import { whyNotOperator, type Operator } from './operator.ts';
import { createOperatorSecret, fingerprintOf, SECRET_CHARACTERS_MAX } from './secret.ts';
import {
  deleteEnrolment,
  deleteSecret,
  findEnrolment,
  listOperatorIds,
  lockOperators,
  lockSecret,
  updateEnrolmentApproved,
  updateFailures,
  upsertEnrolment,
  upsertSecret,
  type SecretRow,
} from './store.ts';

/** After this many wrong secrets in a row none is checked for a while; for this one person only. */
const FAILURES_MAX = 5;
const FAILURES_SECONDS = 15 * 60;
const EMAIL_CHARACTERS_MAX = 320;
/** How many operators always stay, and how many must approve another one's secret. */
const OPERATORS_MIN = 2;

export interface OperatorClaim {
  readonly email: string;
  readonly secret: string;
  readonly via: string;
}

/**
 * Authenticates an operator by their secret. Attempts for one person are checked one after the
 * other, so that concurrent attempts cannot exceed the allowed number of guesses; an unknown
 * address takes as long.
 */
export async function proveOperator(ctx: Context, claim: OperatorClaim): Promise<Operator> {
  const { secret, via } = claim;
  // No address is longer, and the database stores no NUL.
  const email = claim.email.replaceAll('\0', '').slice(0, EMAIL_CHARACTERS_MAX);
  const user = email === claim.email ? await findUserByEmail(ctx.db, email) : undefined;
  const verdict = await ctx.inTransaction((tx) => judge(tx, user, secret));
  if (verdict.kind === 'proven' && user !== undefined) {
    return { id: user.id, email: user.email, role: verdict.role, via, proof: 'secret' };
  }
  const refusal =
    verdict.kind === 'locked' ? tooManyWrong(email, verdict.seconds) : notProven(email);
  await ctx.inTransaction((tx) =>
    note(tx, ctx, { email, via }, 'operator prove', email, 'denied', { refusal: refusal.code }),
  );
  throw refusal;
}

type Verdict =
  | { readonly kind: 'proven'; readonly role: User['role'] }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly seconds: number };

async function judge(tx: Tx, user: User | undefined, secret: string): Promise<Verdict> {
  const row = user && (await lockSecret(tx, user.id));
  const isFresh = row === undefined || (row.failedSecondsAgo ?? Infinity) >= FAILURES_SECONDS;
  const failures = isFresh ? 0 : row.failures;
  if (row !== undefined && failures >= FAILURES_MAX)
    return { kind: 'locked', seconds: restOf(row) };
  const given = secret.length <= SECRET_CHARACTERS_MAX ? secret : '';
  const matches = await verifyPassword(row?.secretHash ?? null, given, 'known');
  if (user === undefined || row === undefined) return { kind: 'wrong' };
  if (!matches) {
    await updateFailures(tx, user.id, failures + 1);
    return { kind: 'wrong' };
  }
  if (row.failures > 0) await updateFailures(tx, user.id, 0);
  // Checked now, not as it was before the secret was verified.
  const { role } = await accessOperator(tx, user.email, '');
  return { kind: 'proven', role };
}

const restOf = ({ failedSecondsAgo }: SecretRow): number =>
  Math.max(1, Math.ceil(FAILURES_SECONDS - (failedSecondsAgo ?? 0)));

export interface Enrolment {
  readonly email: string;
  /** For the person alone, and never shown again. */
  readonly secret: string;
  readonly fingerprint: string;
  readonly status: 'enrolled' | 'awaiting_approval';
  /** How many other operators must approve. */
  readonly approvals: number;
}

/** The person at the command line of the deployment's host, where no operator is named. */
export interface Host {
  /** For the audit log: `host: root@venue-1`. */
  readonly email: string;
  readonly via: string;
}

/**
 * Creates a secret for a person, who asks at the host's command line. It is valid at once while
 * there is no other operator; otherwise others must approve it first, and they never see it.
 */
export async function enrolOperator(ctx: Context, host: Host, email: string): Promise<Enrolment> {
  const secret = createOperatorSecret();
  const secretHash = await hashPassword(secret);
  return ctx.inTransaction(async (tx) => {
    const user = await accessPerson(tx, email);
    const why = whyNotOperator(user);
    if (why !== undefined) throw notAnOperator(user.email, why);
    return { ...(await addSecret(tx, ctx, host, user, secretHash)), secret };
  });
}

async function addSecret(
  tx: Tx,
  ctx: Context,
  host: Host,
  user: User,
  secretHash: string,
): Promise<Omit<Enrolment, 'secret'>> {
  await lockOperators(tx);
  const { others, isEnrolled } = await standingOf(tx, user);
  if (isEnrolled && others.length === 1) throw tooFewToReplace(user.email);
  const approvals = Math.min(OPERATORS_MIN, others.length);
  const fingerprint = fingerprintOf(secretHash);
  const status = approvals === 0 ? 'enrolled' : 'awaiting_approval';
  if (status === 'enrolled') await upsertSecret(tx, user.id, secretHash);
  else await upsertEnrolment(tx, user.id, secretHash);
  const outcome = status === 'enrolled' ? 'done' : 'awaiting_approval';
  const details = { fingerprint, approvals, operators: others.length };
  await note(tx, ctx, host, 'operator enrol', user.email, outcome, details);
  return { email: user.email, fingerprint, status, approvals };
}

async function standingOf(
  tx: Tx,
  user: User,
): Promise<{ others: readonly number[]; isEnrolled: boolean }> {
  const all = await listOperatorIds(tx);
  return { others: all.filter((id) => id !== user.id), isEnrolled: all.includes(user.id) };
}

/** Approves the secret that a person has requested; `fingerprint` is what that person was shown. */
export async function approveEnrolment(
  ctx: Context,
  operator: Operator,
  email: string,
  fingerprint: string,
): Promise<'enrolled' | 'awaiting_approval'> {
  return orDenied(ctx, operator, 'operator approve', email, async (tx) => {
    await lockOperators(tx);
    const { id } = await accessOperator(tx, operator.email, operator.via);
    const user = await accessPerson(tx, email);
    if (user.id === id) throw noOwnEnrolment();
    const waiting = await findEnrolment(tx, user.id, ENROLMENT_HOURS);
    if (waiting === undefined) throw noEnrolment(user.email);
    if (fingerprintOf(waiting.secretHash) !== fingerprint) {
      throw otherFingerprint(user.email, fingerprint);
    }
    if (waiting.approvedById === id) throw agreedAlready(user.email);
    const { others, isEnrolled } = await standingOf(tx, user);
    const needed = isEnrolled ? OPERATORS_MIN : Math.min(OPERATORS_MIN, others.length);
    // Approvals of people who are no longer operators do not count.
    const before = others.includes(waiting.approvedById ?? -1) ? 1 : 0;
    const isEnough = before + 1 >= needed;
    if (isEnough) {
      await deleteEnrolment(tx, user.id);
      await upsertSecret(tx, user.id, waiting.secretHash);
    } else {
      await updateEnrolmentApproved(tx, user.id, id);
    }
    const outcome = isEnough ? 'done' : 'approved';
    await note(tx, ctx, operator, 'operator approve', user.email, outcome, { fingerprint });
    return isEnough ? 'enrolled' : 'awaiting_approval';
  });
}

/** Replaces the secret of an operator who has just authenticated with it. */
export async function changeOperatorSecret(ctx: Context, operator: Operator): Promise<string> {
  const secret = createOperatorSecret();
  const secretHash = await hashPassword(secret);
  await ctx.inTransaction(async (tx) => {
    await lockOperators(tx);
    const { id } = await accessOperator(tx, operator.email, operator.via);
    await upsertSecret(tx, id, secretHash);
    await note(tx, ctx, operator, 'operator change_secret', operator.email, 'done', {});
  });
  return secret;
}

/** Revokes a person's secret and pending request, at once. One operator is enough; two stay. */
export async function revokeOperator(
  ctx: Context,
  operator: Operator,
  email: string,
): Promise<void> {
  await orDenied(ctx, operator, 'operator revoke', email, async (tx) => {
    await lockOperators(tx);
    await accessAgain(tx, operator, 'everything');
    const user = await accessPerson(tx, email);
    const { others, isEnrolled } = await standingOf(tx, user);
    if (isEnrolled && others.length < OPERATORS_MIN) throw twoMustStay(user.email);
    const hadSecret = await deleteSecret(tx, user.id);
    const hadAsked = await deleteEnrolment(tx, user.id);
    if (!hadSecret && !hadAsked) throw noSecret(user.email);
    await note(tx, ctx, operator, 'operator revoke', user.email, 'done', {});
  });
}
