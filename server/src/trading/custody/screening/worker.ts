// Has deposits looked at before they are credited, and withdrawals before they are queued, where SCREENING_URL names who looks.
// Nothing is asked inside a transaction. Any number of processes may do so: asking twice is harmless.
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import { rarely } from '../../../platform/observe/rarely.ts';
import { pause } from '../../../platform/std/wait.ts';
import { formatAmount } from '../../amount.ts';
import { tellDeposits } from '../deposits/tell.ts';
import { giveBack, proceed } from '../withdrawals/proceed.ts';
import { lockWithdrawal } from '../withdrawals/access.ts';
import { askScreening } from './ask.ts';
import type { ScreeningAnswer } from './shapes.ts';
import {
  listUnscreenedDeposits,
  listUnscreenedWithdrawals,
  noteDeposit,
  noteWithdrawal,
  type Unscreened,
} from './store.ts';

const LOOK_EVERY_MS = 1000;
const COMPLAIN_EVERY_MS = 60_000;
/** Asked at the same time. */
const AT_ONCE_MAX = 8;
/** What is held may be allowed later: somebody looks at it there. */
const AGAIN_AFTER_MS = 60_000;

export interface ScreeningOptions {
  readonly everyMs?: number;
  readonly answerMs?: number;
  readonly againMs?: number;
}

export function startScreening(
  ctx: Context,
  options: ScreeningOptions = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await screen(ctx, options);
      } catch (error) {
        complain((keptBack) => ctx.log.warn({ err: error, keptBack }, 'Screening failed.'));
      }
      await pause(options.everyMs ?? LOOK_EVERY_MS, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function screen(ctx: Context, { answerMs, againMs }: ScreeningOptions): Promise<void> {
  const url = ctx.config.SCREENING_URL;
  if (url === '') return;
  const before = new Date(ctx.clock.now() - (againMs ?? AGAIN_AFTER_MS));
  const work = [
    ...(await listUnscreenedDeposits(ctx.db, before, AT_ONCE_MAX)).map((one) => ({
      one,
      kind: 'deposit' as const,
      decide: decideDeposit,
    })),
    ...(await listUnscreenedWithdrawals(ctx.db, before, AT_ONCE_MAX)).map((one) => ({
      one,
      kind: 'withdrawal' as const,
      decide: decideWithdrawal,
    })),
  ];
  await Promise.all(
    work.map(async ({ one, kind, decide }) => {
      const { id, accountId, amount, ...rest } = one;
      const question = {
        kind,
        id: `${kind === 'deposit' ? 'D' : 'W'}${id}`,
        account: String(accountId ?? ''),
        amount: formatAmount(amount),
        ...rest,
      };
      await decide(ctx, one, await askScreening(url, question, answerMs));
    }),
  );
}

async function decideDeposit(
  ctx: Context,
  { id }: Unscreened,
  answer: ScreeningAnswer,
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const isNews = await noteDeposit(tx, id, answer, new Date(ctx.clock.now()));
    if (isNews) await tellDeposits(tx, [id]);
  });
}

async function decideWithdrawal(
  ctx: Context,
  { id }: Unscreened,
  answer: ScreeningAnswer,
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    // Decided by somebody else meanwhile.
    if (row?.status !== 'awaiting_approval' || row.statusReason !== 'screening') return;
    await noteWithdrawal(tx, id, answer, new Date(ctx.clock.now()));
    if (answer === 'allow') {
      await proceed(ctx, tx, { ...row, screening: answer }, { isConfirmed: true });
    }
    if (answer === 'reject') await giveBack(ctx, tx, row, 'rejected', 'screening');
  });
  ringEngine(ctx);
}
