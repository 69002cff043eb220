// Signing in with a provider, and linking one to an account.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { readMethodsOff } from '../organization.ts';
import type { RoleCode } from '../roles.ts';
import type { Session } from '../sessions/access.ts';
import type { Visitor } from '../sessions/actions.ts';
import { createToken, isToken } from '../sessions/token.ts';
import { openLanes } from '../sign-in/actions.ts';
import { takeProof, type Stage } from '../sign-in/stages.ts';
import { consumeStarted, insertStarted, type Consumed } from '../sign-in/started.ts';
import { hasOtherWay } from '../sign-in/ways.ts';
import { accessUserForUpdate, findUser } from '../users/access.ts';
import type { User } from '../user.ts';
import { BadClaims, checkAuthTime, checkIssuedAt, parseClaims, type Claims } from './claims.ts';
import {
  beginFlow,
  finishFlow,
  ProviderAway,
  ProviderRefused,
  renewKeys,
  type Flow,
} from './client.ts';
import { notLinked, OidcRefusal, onlyWayIn } from './errors.ts';
import { link, meet, type CreatePerson } from './first-sight.ts';
import { countsAsFactor, groupsByRules, roleByRules, type GroupsByRules } from './rules.ts';
import { callbackPathOf, type Provider } from './settings.ts';
import { deleteIdentities, findUserOfIdentity, touchIdentity } from './store.ts';

/** A longer token is not kept: then the person can sign out at the provider by hand. */
const ID_TOKEN_CHARACTERS_MAX = 12_000;

/** What only the products can do for a person who comes from a provider. */
export interface Hands {
  readonly create: CreatePerson;
  /** Gives them the role and the groups that the rules say, and tells clients. */
  applyRules(
    tx: Tx,
    user: User,
    given: { readonly role: RoleCode | undefined; readonly groups: GroupsByRules },
  ): Promise<void>;
}

/** Refuses where the organization has switched providers off. */
async function checkOn(ctx: Context): Promise<void> {
  if ((await readMethodsOff(ctx.db)).includes('OpenID Connect')) throw new OidcRefusal('off');
}

const redirectUriOf = (origin: string, provider: Provider): string =>
  `${origin}${callbackPathOf(provider)}`;

/** Where the browser goes, and the token that it keeps. */
export async function startSignIn(
  ctx: Context,
  provider: Provider,
  asked: { readonly origin: string; readonly next: string | undefined; readonly isAgain: boolean },
): Promise<{ readonly url: string; readonly token: string }> {
  await checkOn(ctx);
  const { flow, url } = await begin(ctx, provider, asked);
  const token = createToken();
  await ctx.inTransaction((tx) =>
    insertStarted(tx, ctx, {
      token,
      provider: provider.id,
      state: flow.state,
      secret: flow,
      next: asked.next,
    }),
  );
  return { url, token };
}

/** The row of a session that links a provider: the session itself is what the browser shows when it comes back. */
const linkToken = (sessionId: bigint): string => `link ${sessionId}`;

/** Begins to link a provider to the account of a session; returns where the browser goes. */
export async function startLink(
  ctx: Context,
  provider: Provider,
  asked: {
    readonly origin: string;
    readonly user: User;
    readonly sessionId: bigint;
    readonly next: string | undefined;
  },
): Promise<string> {
  await checkOn(ctx);
  const { flow, url } = await begin(ctx, provider, { ...asked, isAgain: false });
  await ctx.inTransaction((tx) =>
    insertStarted(tx, ctx, {
      token: linkToken(asked.sessionId),
      provider: provider.id,
      state: flow.state,
      userId: asked.user.id,
      secret: flow,
      next: asked.next,
    }),
  );
  return url;
}

async function begin(
  ctx: Context,
  provider: Provider,
  { origin, isAgain }: { readonly origin: string; readonly isAgain: boolean },
) {
  try {
    return await beginFlow(provider, { redirectUri: redirectUriOf(origin, provider), isAgain });
  } catch (error) {
    throw toRefusal(ctx, provider, error);
  }
}

/** The provider's answer, as the browser brings it. */
export interface Return {
  readonly origin: string;
  /** The query of the request, with its question mark. */
  readonly search: string;
  /** The token that the browser kept. */
  readonly token: string | undefined;
  /** The browser's live session, if it has one. */
  readonly session: Session | undefined;
  readonly visitor: Visitor;
}

export type Returned =
  | { readonly kind: 'signed in'; readonly user: User; readonly stage: Stage }
  | { readonly kind: 'linked'; readonly next: string | undefined }
  /** The provider has new keys, which are known now: the person begins again. */
  | { readonly kind: 'again'; readonly next: string | undefined };

/** Takes the answer. What it belongs to is spent before anything else, so no answer is good twice. */
export async function finishSignIn(
  ctx: Context,
  provider: Provider,
  given: Return,
  hands: Hands,
): Promise<Returned> {
  const outcome = await finish(ctx, provider, given, hands).catch((error: unknown) => {
    const problem = error instanceof OidcRefusal ? error.problem : 'failed';
    ctx.metrics.cameFromProvider(provider.id, problem);
    throw error;
  });
  ctx.metrics.cameFromProvider(provider.id, outcome.kind.replace(' ', '_'));
  return outcome;
}

async function finish(
  ctx: Context,
  provider: Provider,
  given: Return,
  hands: Hands,
): Promise<Returned> {
  await checkOn(ctx);
  const row = await consume(ctx, provider, given);
  const { next } = row;
  let known;
  try {
    known = await readClaims(provider, given, row);
  } catch (error) {
    if (error instanceof ProviderRefused && error.isUnknownKey && row.userId === null) {
      if (await renewKeys(provider).catch(() => false)) return { kind: 'again', next };
    }
    throw toRefusal(ctx, provider, error);
  }
  const { claims, idToken } = known;
  if (row.userId !== null) {
    await finishLink(ctx, provider, claims, { row, session: given.session });
    return { kind: 'linked', next };
  }
  const user = await findPerson(ctx, provider, claims, hands);
  const stage = await takeProof(ctx, given.visitor, {
    user,
    methods: ['oidc'],
    isStrong: countsAsFactor(provider, claims),
    next,
    provider: {
      id: provider.id,
      sid: claims.sid,
      idToken: idToken.length <= ID_TOKEN_CHARACTERS_MAX ? idToken : undefined,
    },
  });
  return { kind: 'signed in', user, stage };
}

async function consume(
  ctx: Context,
  provider: Provider,
  { search, token, session }: Return,
): Promise<Consumed> {
  const states = new URLSearchParams(search).getAll('state');
  const [state] = states;
  const tokens = [
    ...(token !== undefined && isToken(token) ? [token] : []),
    ...(session === undefined ? [] : [linkToken(session.id)]),
  ];
  if (state === undefined || states.length > 1 || tokens.length === 0) {
    throw new OidcRefusal('expired');
  }
  const row = await ctx.inTransaction((tx) => {
    // What follows is noted where it happens; it may be nothing.
    noteNothing(tx);
    return consumeStarted(tx, ctx, { tokens, provider: provider.id, state });
  });
  if (row === undefined) throw new OidcRefusal('expired');
  return row;
}

async function readClaims(
  provider: Provider,
  { origin, search }: Return,
  { secret, createdAt }: Consumed,
): Promise<{ readonly claims: Claims; readonly idToken: string }> {
  const flow = secret as Flow;
  const answer = new URL(`${redirectUriOf(origin, provider)}${search}`);
  const { claims, idToken } = await finishFlow(provider, answer, flow);
  checkIssuedAt(claims['iat'], Date.now());
  if (flow.isAgain) checkAuthTime(claims['auth_time'], createdAt.getTime());
  return { claims: parseClaims(claims), idToken };
}

/** The account of the identity, as its rules leave it. */
async function findPerson(
  ctx: Context,
  provider: Provider,
  claims: Claims,
  hands: Hands,
): Promise<User> {
  const key = { issuer: provider.issuer, subject: claims.subject };
  const found =
    (await findUserOfIdentity(ctx.db, key)) ?? (await meet(ctx, provider, claims, hands.create));
  if (!found.isActive) throw new OidcRefusal('deactivated');
  const role = roleByRules(provider, claims);
  const groups = groupsByRules(provider, claims);
  await ctx.inTransaction(async (tx) => {
    await hands.applyRules(tx, found, { role, groups });
    await touchIdentity(tx, key);
    await openLanes(tx, ctx, found);
  });
  return (await findUser(ctx.db, found.id)) ?? found;
}

async function finishLink(
  ctx: Context,
  provider: Provider,
  claims: Claims,
  { row, session }: { readonly row: Consumed; readonly session: Session | undefined },
): Promise<void> {
  // The row was found by the session, and is for its owner alone.
  if (session === undefined || session.user.id !== row.userId) throw new OidcRefusal('expired');
  const { user } = session;
  await ctx.inTransaction((tx) => link(tx, ctx, { provider, claims, user, how: 'signed in' }));
}

/** The provider no longer opens the account. Another way in has to stay. */
export function removeIdentity(ctx: Context, user: User, provider: Provider): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    // Two requests at once must not each rely on what the other removes.
    const account = await accessUserForUpdate(tx, user.id);
    if ((await deleteIdentities(tx, user.id, provider.issuer)) === 0) throw notLinked();
    if (!(await hasOtherWay(tx, ctx.config, account))) throw onlyWayIn();
    noteAct(tx, {
      act: 'identity remove',
      subject: user.email,
      details: { provider: provider.id, issuer: provider.issuer },
    });
    await tellPerson(tx, ctx, user, 'identity_removed', { name: provider.name });
  });
}

/** What a page may say; the log has the reason. */
function toRefusal(ctx: Context, provider: Provider, error: unknown): unknown {
  const known =
    error instanceof ProviderAway || error instanceof ProviderRefused || error instanceof BadClaims;
  if (!known) return error;
  const isAway = error instanceof ProviderAway;
  ctx.log.warn(
    {
      provider: provider.id,
      reason: error.message,
      cause: isAway ? String(error.cause) : undefined,
    },
    isAway ? 'A provider does not answer.' : 'The answer of a provider was refused.',
  );
  if (isAway) return new OidcRefusal('away');
  return new OidcRefusal(error instanceof ProviderRefused && error.isDenied ? 'denied' : 'refused');
}
