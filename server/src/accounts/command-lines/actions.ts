// How a command line comes to act for an operator: it asks, the operator types its code into their browser and lets it, and
// then it has a session of its own, which is short.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { appendAudit, noteAct, noteNothing } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { accessGranted } from '../operators/access.ts';
import type { Grant } from '../operators/grants.ts';
import type { Operator } from '../operators/operator.ts';
import type { Session } from '../sessions/access.ts';
import { endSession } from '../sessions/actions.ts';
import {
  endOverdueCommandLines,
  findCommandLine,
  openCommandLineIn,
} from '../sessions/command-lines.ts';
import { createToken, isToken } from '../sessions/token.ts';
import { codeLookup, createCode, normalizeCode } from './code.ts';
import { noSuchCode, notSignedIn, tooManyCodes } from './errors.ts';
import {
  countGuesses,
  decideAsk,
  endBySession,
  findAsk,
  findStatus,
  insertAsk,
  insertGuess,
  lockGuesses,
  sweep,
  updateSession,
  type CliAsk,
  type CliStatus,
} from './store.ts';

export type { CliAsk, CliStatus } from './store.ts';

/** How long a code waits for its operator. */
export const CONFIRM_MINUTES = 10;
const WRONG_CODES_MAX = 5;
const KEPT_DAYS = 90;
const NAME_CHARACTERS_MAX = 255;

const tokenLookup = ({ secrets }: Context, token: string): Buffer =>
  secrets.lookup('cli token', token);

export interface AskedLogin {
  readonly id: bigint;
  /** For the file of the command line. It opens nothing until the operator has confirmed. */
  readonly token: string;
  /** For the operator's eyes. */
  readonly code: string;
}

/** A command line asks to act for the person who confirms its code. */
export async function askLogin(
  ctx: Context,
  { host, login }: { readonly host: string; readonly login: string },
): Promise<AskedLogin> {
  const token = createToken();
  const code = createCode();
  const id = await ctx.inTransaction(async (tx) => {
    const row = {
      tokenLookup: tokenLookup(ctx, token),
      codeLookup: codeLookup(ctx.secrets, code),
      host: host.slice(0, NAME_CHARACTERS_MAX),
      login: login.slice(0, NAME_CHARACTERS_MAX),
    };
    const asked = await insertAsk(tx, row, CONFIRM_MINUTES);
    await appendAudit(tx, ctx.clock.now(), {
      operator: `host: ${login}@${host}`,
      act: 'cli ask',
      subject: `${login}@${host}`,
      details: { address: asked.address },
      outcome: 'requested',
    });
    return asked.id;
  });
  return { id, token, code };
}

export const readLogin = (ctx: Context, id: bigint): Promise<CliStatus | undefined> =>
  findStatus(ctx.db, id);

/** Who waits with this code, for an operator who may confirm it. A wrong code counts. */
export async function findLogin(ctx: Context, session: Session, typed: string): Promise<CliAsk> {
  await accessGranted(ctx.db, session.user.id, 'session', 'look');
  return guessing(ctx, session, typed, (tx, lookup) => findAsk(tx, lookup), noteNothing);
}

/** Lets the command line act for this operator. The caller has checked a factor for it. */
export async function confirmLogin(ctx: Context, session: Session, typed: string): Promise<CliAsk> {
  const { user, methods } = session;
  return guessing(
    ctx,
    session,
    typed,
    async (tx, lookup) => {
      await accessGranted(tx, user.id, 'session', 'look');
      const asked = await decideAsk(tx, lookup, 'confirmed', user.id);
      if (asked === undefined) return undefined;
      const agent = `rialto at ${asked.login}@${asked.host}`;
      const opened = {
        user,
        tokenLookup: asked.tokenLookup,
        address: asked.address,
        agent,
        methods,
      };
      await updateSession(tx, asked.id, await openCommandLineIn(tx, ctx, opened));
      return asked;
    },
    (tx, { address, host, login }) => {
      const details = { address, login, host };
      noteAct(tx, { act: 'cli confirm', subject: user.email, details, by: user });
      return tellPerson(tx, ctx, user, 'cli_grant', { address, device: `${login}@${host}` });
    },
  );
}

/** The operator did not start this command line. */
export const denyLogin = (ctx: Context, session: Session, typed: string): Promise<CliAsk> =>
  guessing(
    ctx,
    session,
    typed,
    (tx, lookup) => decideAsk(tx, lookup, 'denied', session.user.id),
    (tx, { address, host, login }) =>
      noteAct(tx, {
        act: 'cli end',
        subject: session.user.email,
        details: { address, login, host, reason: 'denied' },
        by: session.user,
      }),
  );

/** Looks at one code. What the wrong ones cost is committed, whatever follows. */
async function guessing<T extends CliAsk>(
  ctx: Context,
  { user }: Session,
  typed: string,
  look: (tx: Tx, lookup: Buffer) => Promise<T | undefined>,
  found: (tx: Tx, asked: T) => void | Promise<void>,
): Promise<T> {
  const code = normalizeCode(typed);
  const asked = await ctx.inTransaction(async (tx) => {
    await lockGuesses(tx, user.id);
    const { count, seconds } = await countGuesses(tx, user.id);
    if (count >= WRONG_CODES_MAX) throw tooManyCodes(seconds);
    const hit = code === undefined ? undefined : await look(tx, codeLookup(ctx.secrets, code));
    if (hit === undefined) {
      await insertGuess(tx, user.id);
      noteNothing(tx);
      return undefined;
    }
    await found(tx, hit);
    return hit;
  });
  if (asked === undefined) throw noSuchCode();
  return asked;
}

/** The operator whose command line has this token, if they have the grant now. */
export async function accessLogin(
  ctx: Context,
  token: string,
  via: string,
  needed: Grant,
): Promise<Operator> {
  const session = isToken(token) ? await findCommandLine(ctx, tokenLookup(ctx, token)) : undefined;
  if (session === undefined) throw notSignedIn();
  return accessGranted(ctx.db, session.user.id, via, needed);
}

/** The address of the operator who is signed in with this token. */
export async function findLoginOwner(ctx: Context, token: string): Promise<string | undefined> {
  return (await findCommandLine(ctx, tokenLookup(ctx, token)))?.user.email;
}

/** Signs a command line out; whether it was signed in. */
export async function endLogin(ctx: Context, token: string): Promise<boolean> {
  const session = isToken(token) ? await findCommandLine(ctx, tokenLookup(ctx, token)) : undefined;
  if (session === undefined) return false;
  const { id, user } = session;
  await endSession(ctx, session, 'signed out');
  await ctx.inTransaction(async (tx) => {
    await endBySession(tx, id);
    noteAct(tx, {
      act: 'cli end',
      subject: user.email,
      details: { reason: 'signed out' },
      by: user,
    });
  });
  return true;
}

/** Ends what is over, and removes what is long over. Returns how many. */
export async function forgetLogins(ctx: Context): Promise<number> {
  return (await endOverdueCommandLines(ctx)) + (await sweep(ctx.db, KEPT_DAYS));
}
