// What follows a proof of identity. Every way to sign in (password, passkey, provider) ends here. The stages are password,
// factor, enrol, done; between them the browser has a token that opens nothing but the next stage.
import type { Context } from '../../platform/context.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { noteNothing } from '../audit/actions.ts';
import { findFactors } from '../second-factors/access.ts';
import { checkFactor } from '../second-factors/check.ts';
import { signInOver, wrongAnswer } from '../second-factors/errors.ts';
import type { Method } from '../method.ts';
import {
  hasFactor,
  methodsOf,
  type FactorAnswer,
  type FactorKind,
} from '../second-factors/factor.ts';
import { noteFactorDue } from '../second-factors/policy.ts';
import { openSession, type OpenedSession, type Visitor } from '../sessions/actions.ts';
import { createToken, isToken } from '../sessions/token.ts';
import type { ProviderSession } from '../sessions/provider.ts';
import type { User } from '../user.ts';
import { findUser } from '../users/access.ts';
import { openCodes } from './codes.ts';
import {
  consumeSignIn,
  countTry,
  deleteOldestSignIns,
  deleteOldSignIns,
  findSignIn,
  insertSignIn,
  type AskedStage,
} from './stages-store.ts';

const SIGN_IN_MINUTES = 10;
/** How long a browser keeps the token. */
export const SIGN_IN_COOKIE_SECONDS = SIGN_IN_MINUTES * 60;
/** Sign-ins of one person that may be under way; one more ends the oldest. */
const UNDER_WAY_MAX = 20;
/** Wrong answers after which a sign-in has to start again. */
const TRIES_MAX = 10;

export interface Proof {
  readonly user: User;
  readonly methods: readonly Method[];
  /** Whether it already counts as two factors: a verified passkey, or a provider that vouches for one. */
  readonly isStrong: boolean;
  /** A local path to go to when signed in. */
  readonly next?: string | undefined;
  /** The provider that vouched for the person, for the session that opens at the end. */
  readonly provider?: ProviderSession | undefined;
}

export type Stage =
  | { readonly stage: 'done'; readonly opened: OpenedSession; readonly next: string | undefined }
  /** The browser keeps `token` in its sign-in cookie, and shows one of `methods` next. */
  | {
      readonly stage: 'factor';
      readonly token: string;
      readonly methods: readonly FactorKind[];
    }
  /** The organization asks for a second factor, and this person has none. */
  | { readonly stage: 'enrol'; readonly token: string };

/** A sign-in that has its first proof, as the browser's token finds it. */
export interface UnderWay {
  readonly lookup: Buffer;
  readonly user: User;
  readonly stage: AskedStage;
  readonly proven: readonly Method[];
  /** What may be asked next. */
  readonly methods: readonly FactorKind[];
  /** The name that was typed at the beginning. */
  readonly name: string | undefined;
  readonly next: string | undefined;
  readonly provider: ProviderSession | undefined;
}

export async function takeProof(ctx: Context, visitor: Visitor, proof: Proof): Promise<Stage> {
  const { user, methods, isStrong, next, provider } = proof;
  for (const method of methods) ctx.metrics.signInProven(method, 'succeeded');
  const factors = await findFactors(ctx.db, user.id);
  if (!isStrong && hasFactor(factors)) {
    const token = await begin(ctx, visitor, proof, 'factor');
    return { stage: 'factor', token, methods: methodsOf(factors) };
  }
  if (isStrong) await ctx.inTransaction((tx) => openCodes(tx, ctx, user.id));
  else if ((await noteFactorDue(ctx.db, user)).isOverdue) {
    return { stage: 'enrol', token: await begin(ctx, visitor, proof, 'enrol') };
  }
  const opened = await openSession(ctx, user, visitor, { methods, isFresh: true, provider });
  return { stage: 'done', opened, next };
}

/** The sign-in that this token stands for, if it is not over. */
export async function findUnderWay(
  ctx: Context,
  token: string | undefined,
): Promise<UnderWay | undefined> {
  if (token === undefined || !isToken(token)) return undefined;
  const lookup = signInLookup(ctx.secrets, token);
  const row = await findSignIn(ctx.db, lookup);
  const user = row === undefined ? undefined : await findUser(ctx.db, row.userId);
  if (row === undefined || user === undefined || !user.isActive) return undefined;
  const { stage, methods, nameSealed, sealed, next } = row;
  return {
    lookup,
    user,
    stage,
    proven: methods,
    methods: methodsOf(await findFactors(ctx.db, user.id)),
    name: nameSealed === null ? undefined : ctx.secrets.open(nameOwner(lookup), nameSealed),
    next: next ?? undefined,
    provider:
      sealed === null
        ? undefined
        : (JSON.parse(ctx.secrets.open(providerOwner(lookup), sealed)) as ProviderSession),
  };
}

/** The stage after this answer. Throws a refusal for a wrong one. */
export async function takeFactor(
  ctx: Context,
  visitor: Visitor,
  underWay: UnderWay,
  answer: FactorAnswer,
): Promise<Stage> {
  if (underWay.stage !== 'factor') throw signInOver();
  const { address, device } = visitor;
  const place = { address, device, isSignIn: true };
  // A passkey has to answer the challenge of this very sign-in.
  const bound = answer.kind === 'passkey' ? { ...answer, boundTo: underWay.lookup } : answer;
  const method = await checkFactor(ctx, underWay.user, bound, place);
  ctx.metrics.signInProven(answer.kind, method === undefined ? 'failed' : 'succeeded');
  if (method === undefined) {
    await countTry(ctx.db, underWay.lookup, TRIES_MAX);
    throw wrongAnswer();
  }
  return finishSignIn(ctx, visitor, underWay, method);
}

/** Opens the session, once, after the last proof. */
export async function finishSignIn(
  ctx: Context,
  visitor: Visitor,
  { lookup, user, stage, proven, name, next, provider }: UnderWay,
  method: Method,
): Promise<Stage> {
  // Committed before what it allows.
  if (!(await consumeSignIn(ctx.db, lookup, stage))) throw signInOver();
  const methods = [...new Set([...proven, method])];
  if (method === 'passkey') await ctx.inTransaction((tx) => openCodes(tx, ctx, user.id));
  const how = { methods, isFresh: true, provider };
  const opened = await openSession(ctx, user, { ...visitor, name }, how);
  return { stage: 'done', opened, next };
}

/** Forgets sign-ins that are over; returns how many. */
export const forgetStages = ({ db }: Context): Promise<number> => deleteOldSignIns(db);

async function begin(
  ctx: Context,
  { name }: Visitor,
  { user, methods, next, provider }: Proof,
  stage: AskedStage,
): Promise<string> {
  // Always a new token: one that was in the browser before may be known to others.
  const token = createToken();
  const lookup = signInLookup(ctx.secrets, token);
  const nameSealed = name === undefined ? null : ctx.secrets.seal(nameOwner(lookup), name);
  const sealed =
    provider === undefined
      ? null
      : ctx.secrets.seal(providerOwner(lookup), JSON.stringify(provider));
  await ctx.inTransaction(async (tx) => {
    const row = { lookup, userId: user.id, stage, methods, nameSealed, sealed, next: next ?? null };
    await insertSignIn(tx, row, SIGN_IN_MINUTES);
    await deleteOldestSignIns(tx, user.id, UNDER_WAY_MAX);
    noteNothing(tx);
  });
  return token;
}

const signInLookup = ({ lookup }: Secrets, token: string): Buffer => lookup('sign-in token', token);

const nameOwner = (lookup: Buffer): string => `sign-in name ${lookup.toString('hex')}`;

const providerOwner = (lookup: Buffer): string => `sign-in provider ${lookup.toString('hex')}`;
