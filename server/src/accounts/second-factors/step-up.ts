// Step-up: a session that is open proves again that its owner is there, before an act that could do harm. Wrong answers
// are counted in the session, before they are looked at; too many of them end it.
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { noteAct } from '../audit/actions.ts';
import { confirmPassword, type Proof } from '../passwords/actions.ts';
import type { Session } from '../sessions/access.ts';
import { endSession, noteFactor, returnFactorTry, takeFactorTry } from '../sessions/actions.ts';
import type { User } from '../user.ts';
import type { Act, FactorPlace } from './act.ts';
import { checkFactor } from './check.ts';
import {
  endedByFailures,
  keyNeedsFactor,
  passwordIsNoFactor,
  secondFactorRequired,
  wrongFactor,
  type Demand,
  type StepUpMethod,
} from './errors.ts';
import type { Method } from '../method.ts';
import { hasFactor, type FactorAnswer, type Factors, type StepUp } from './factor.ts';
import { findFactors } from './store.ts';

type Proven = Pick<Session, 'methods' | 'factorAt'>;

/** Proofs that count where the account has a second factor: a password alone does not. */
const STRONG: readonly Method[] = ['totp', 'passkey', 'recovery', 'oidc'];

/** When the last proof of this session stops to count; undefined if there is none that counts. */
export function freshUntil(
  { methods, factorAt }: Proven,
  factors: Factors,
  minutes: number,
): number | undefined {
  if (factorAt === null) return undefined;
  // The factor may have been added after the session was opened with the password alone.
  if (hasFactor(factors) && !methods.some((method) => STRONG.includes(method))) return undefined;
  return factorAt.getTime() + minutes * MINUTE_MS;
}

export interface StepUpState {
  readonly methods: readonly StepUpMethod[];
  /** Milliseconds; undefined if the session is not fresh. */
  readonly freshUntilMs: number | undefined;
}

/** What this session can show, and until when it is fresh. */
export async function readStepUp(ctx: Context, session: Session): Promise<StepUpState> {
  const factors = await findFactors(ctx.db, session.user.id);
  const until = freshUntil(session, factors, ctx.config.STEP_UP_MINUTES);
  return {
    methods: methodsFor(session, factors),
    freshUntilMs: until !== undefined && ctx.clock.now() <= until ? until : undefined,
  };
}

/** Recovery codes are for signing in, once each, and not for this. */
function methodsFor({ methods }: Proven, factors: Factors): StepUpMethod[] {
  if (!hasFactor(factors)) return methods.includes('oidc') ? ['password', 'oidc'] : ['password'];
  return [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.totp ? (['totp'] as const) : []),
  ];
}

/** Refuses unless the session is as fresh as `level` asks, or the request carries a factor for this act. */
export async function requireStepUp(
  ctx: Context,
  session: Session,
  level: StepUp,
  act: Act,
): Promise<void> {
  if (level === 'fresh') return requireFresh(ctx, session);
  const factors = await findFactors(ctx.db, session.user.id);
  const enrol = !hasFactor(factors);
  const demand: Demand = { level, methods: enrol ? [] : methodsFor(session, factors), enrol };
  if (enrol || act.answer === undefined) throw secondFactorRequired(demand);
  await spend(ctx, session, act.answer, act.place, demand);
}

export async function requireFresh(ctx: Context, session: Session): Promise<void> {
  const { methods, freshUntilMs } = await readStepUp(ctx, session);
  if (freshUntilMs === undefined) {
    throw secondFactorRequired({ level: 'fresh', methods, enrol: false });
  }
}

/** The same for a caller with a key. Accounts without factors act as they always did. */
export async function requireKeyStepUp(
  ctx: Context,
  user: Pick<User, 'id'>,
  level: StepUp,
  isAdminKey: boolean,
): Promise<void> {
  if (level === 'fresh') {
    if (isAdminKey || !hasFactor(await findFactors(ctx.db, user.id))) return;
  }
  throw keyNeedsFactor(level);
}

/** What a person shows to make their session fresh. */
export type StepUpAnswer = FactorAnswer | { readonly kind: 'password'; readonly password: string };

/** Makes the session fresh, and returns until when. `otherwise` is another authority for passwords. */
export async function stepUp(
  ctx: Context,
  session: Session,
  answer: StepUpAnswer,
  place: FactorPlace,
  otherwise?: Proof,
): Promise<number> {
  const factors = await findFactors(ctx.db, session.user.id);
  const methods = methodsFor(session, factors);
  const demand: Demand = { level: 'fresh', methods, enrol: false };
  if (answer.kind === 'recovery') throw wrongFactor(demand);
  if (answer.kind === 'password' && hasFactor(factors)) throw passwordIsNoFactor(demand);
  if (answer.kind !== 'password' && !hasFactor(factors)) throw secondFactorRequired(demand);
  return spend(ctx, session, answer, place, demand, otherwise);
}

/** Checks one answer. A session has few tries in a row: many answers at once do not get more of them. */
async function spend(
  ctx: Context,
  session: Session,
  answer: StepUpAnswer,
  place: FactorPlace,
  demand: Demand,
  otherwise?: Proof,
): Promise<number> {
  const { id, user } = session;
  const triesMax = ctx.config.STEP_UP_TRIES_MAX;
  const tries = await takeFactorTry(ctx.db, id, triesMax);
  if (tries === undefined) throw endedByFailures(triesMax);
  let method: Method | undefined;
  try {
    method =
      answer.kind === 'password'
        ? await checkPasswordAgain(ctx, session, answer.password, place, otherwise)
        : await checkFactor(ctx, user, answer, place);
  } catch (error) {
    // Nothing was looked at: too many attempts, or something is away.
    await returnFactorTry(ctx.db, id);
    throw error;
  }
  ctx.metrics.steppedUp(method === undefined ? 'wrong' : 'proved');
  if (method === undefined) {
    if (tries < triesMax) throw wrongFactor(demand);
    await endSession(ctx, session, 'wrong answers');
    throw endedByFailures(triesMax);
  }
  const shown = method;
  const at = new Date(ctx.clock.now());
  await ctx.inTransaction(async (tx) => {
    await noteFactor(tx, id, shown, at);
    noteAct(tx, {
      act: 'session step_up',
      subject: user.email,
      details: { method: shown },
      by: user,
    });
  });
  return at.getTime() + ctx.config.STEP_UP_MINUTES * MINUTE_MS;
}

/** Undefined for a wrong password. */
async function checkPasswordAgain(
  ctx: Context,
  { id: sessionId, user }: Session,
  password: string,
  { address }: FactorPlace,
  otherwise: Proof | undefined,
): Promise<Method | undefined> {
  try {
    await confirmPassword(ctx, user, { password, address, sessionId }, otherwise);
    return 'password';
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return undefined;
    throw error;
  }
}
