// Admits tries of codes, which are short enough to be guessed. Each is counted as wrong before it is looked at, so that
// neither many at once nor a process that dies in between gives one more.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { findDeviceOf } from '../known-places/actions.ts';
import { admit, isOwnRefusal, toRefusal } from './admit.ts';
import { codeSubject, codeTake, knownCodeTake, noticeTake, type CodeLane } from './lanes.ts';
import { addFailure, endStreaks, refill, takeToken } from './store.ts';
import { takeInTurn } from './turns.ts';

export interface CodeTry<T> {
  /** Spends the code; undefined if it is wrong. What it changes is committed together with the count. */
  spend(tx: Tx): Promise<T | undefined>;
  /** Runs in the same transaction when it was wrong. */
  failed(tx: Tx, failuresInRow: number): Promise<void>;
}

/** Looks at one code of the account, or refuses with a 429 when there were too many. */
export async function tryCode<T>(
  ctx: Context,
  userId: number,
  device: string | undefined,
  { spend, failed }: CodeTry<T>,
): Promise<T | undefined> {
  const { config, secrets } = ctx;
  const tokenLookup = await findDeviceOf(ctx.db, secrets, userId, device);
  const lane: CodeLane = tokenLookup === undefined ? 'code' : 'code device';
  const take =
    tokenLookup === undefined
      ? codeTake(config, secrets, userId)
      : knownCodeTake(config, secrets, userId, tokenLookup);
  let failures = 0;
  const admitOne = () =>
    admit(ctx, lane, [take], async (tx) => {
      failures = await addFailure(tx, [take.subject]);
    });
  const end = await takeInTurn(
    `${ctx.id} ${take.subject.toString('hex')}`,
    admitOne,
    isOwnRefusal,
  ).catch((error: unknown) => {
    throw toRefusal(error);
  });
  try {
    return await ctx.inTransaction(async (tx) => {
      const spent = await spend(tx);
      if (spent === undefined) {
        await failed(tx, failures);
        return undefined;
      }
      // A known browser opens what strangers have closed; a stranger's success is worth its own lane.
      if (lane === 'code device') await endStreaks(tx, [codeSubject(secrets, userId)]);
      await refill(tx, [take.subject]);
      await refill(tx, [noticeTake(secrets, userId).subject]);
      return spent;
    });
  } finally {
    end();
  }
}

/** Opens the codes of an account to unknown browsers, after a proof that cannot be guessed. */
export const openCodes = async (tx: Tx, { secrets }: Context, userId: number): Promise<void> =>
  endStreaks(tx, [codeSubject(secrets, userId)]);

/** Whether the notice that somebody knows the password is due. */
export const takeNotice = (tx: Tx, { secrets }: Context, userId: number): Promise<boolean> =>
  takeToken(tx, noticeTake(secrets, userId));
