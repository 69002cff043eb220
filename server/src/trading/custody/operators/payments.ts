// What operators do with a payment that does not go on. Whether a customer gets coins or the amount back is for two of them
// to decide; a chain lets at most one version be mined, so nobody gets both.
import type { Operator } from '../../../accounts/operators/operator.ts';
import { sameOperator } from '../../../accounts/operators/errors.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { noSuchPayment, paymentNotSo } from '../errors.ts';
import {
  dropPayment,
  hasBytes,
  isLastOfSender,
  listOutputs,
  lockPayment,
  updatePayment,
  type PaymentRow,
} from '../payments/access.ts';
import { holdOwner, lockWithdrawal } from '../withdrawals/access.ts';
import { doAct } from './note.ts';
import {
  countDeciders,
  insertDecision,
  listDecisions,
  listOpenPayments,
  type Decision,
  type OpenPayment,
} from './store.ts';

/** `retry`: the signer is asked once more. The others end the payment, and take two operators. */
export const WAYS = ['retry', 'void', 'drop'] as const;
export type Way = (typeof WAYS)[number];

/** Operators who must decide the same, where a payment ends. */
export const DECIDERS_NEEDED = 2;
const SHOWN_MAX = 200;

export interface PaymentUnderWay extends OpenPayment {
  /** What operators have decided about it so far. */
  readonly decisions: readonly Decision[];
}

/** Payments that have not ended, the oldest first. */
export async function listPaymentsUnderWay(ctx: Context): Promise<PaymentUnderWay[]> {
  const payments = await listOpenPayments(ctx.db, SHOWN_MAX);
  const decisions = Map.groupBy(
    await listDecisions(
      ctx.db,
      payments.map(({ paymentId }) => paymentId),
    ),
    ({ paymentId }) => paymentId,
  );
  return payments.map((payment) => ({
    ...payment,
    decisions: decisions.get(payment.paymentId) ?? [],
  }));
}

async function hold(tx: Tx, paymentId: bigint): Promise<PaymentRow> {
  const payment = await lockPayment(tx, paymentId);
  if (payment === undefined) throw noSuchPayment(paymentId);
  if (payment.state === 'done') throw paymentNotSo(paymentId, 'has ended');
  return payment;
}

/** A higher fee with the next look, as far as the limits of the network go. */
export const bumpPayment = (ctx: Context, by: Operator, paymentId: bigint) =>
  doAct(ctx, by, { act: 'custody bump', subject: `P${paymentId}` }, async (tx) => {
    const { state } = await hold(tx, paymentId);
    if (state !== 'broadcasting' && state !== 'confirming') {
      throw paymentNotSo(paymentId, `is ${state}: only what was sent can cost more`);
    }
    await updatePayment(tx, paymentId, { isUrgent: true }, new Date(ctx.clock.now()));
  });

export interface Resolved {
  /** Whether it was done, or waits for another operator. */
  readonly isDone: boolean;
  readonly deciders: number;
}

export async function resolvePayment(
  ctx: Context,
  by: Operator,
  paymentId: bigint,
  way: Way,
  reason: string,
): Promise<Resolved> {
  const act = {
    act: 'custody resolve',
    subject: `P${paymentId}`,
    details: { way, reason },
  } as const;
  const resolved = await doAct(
    ctx,
    by,
    act,
    async (tx, operator): Promise<Resolved> => {
      const payment = await hold(tx, paymentId);
      if (way === 'retry') {
        await askAgain(ctx, tx, payment);
        return { isDone: true, deciders: 1 };
      }
      await checkNotOwn(tx, operator, paymentId);
      await checkPossible(tx, payment, way);
      const at = new Date(ctx.clock.now());
      if (!(await insertDecision(tx, { paymentId, way, operatorId: operator.id, reason, at }))) {
        throw sameOperator(`the end of P${paymentId}`);
      }
      const deciders = await countDeciders(tx, paymentId, way);
      if (deciders < DECIDERS_NEEDED) return { isDone: false, deciders };
      // A void is made by the payer, which knows the keys and what the network costs.
      if (way === 'drop') await dropPayment(ctx, tx, payment);
      return { isDone: true, deciders };
    },
    ({ isDone, deciders }) => ({ isDone, deciders }),
  );
  ringEngine(ctx);
  return resolved;
}

async function askAgain(
  ctx: Context,
  tx: Tx,
  { paymentId, state, kind }: PaymentRow,
): Promise<void> {
  if (kind === 'from_cold') {
    throw paymentNotSo(paymentId, 'is signed where the cold wallet is, and not by the signer');
  }
  if (state !== 'needs_operator' && state !== 'signing') {
    throw paymentNotSo(paymentId, `is ${state}: the signer has signed it`);
  }
  const change = { state: 'signing', reason: '', retryAt: null } as const;
  await updatePayment(tx, paymentId, change, new Date(ctx.clock.now()));
}

/** Nobody decides about their own money. */
async function checkNotOwn(tx: Tx, operator: Operator, paymentId: bigint): Promise<void> {
  for (const { withdrawId } of await listOutputs(tx, paymentId)) {
    const row = await lockWithdrawal(tx, withdrawId);
    const owner = row && (await holdOwner(tx, row.accountId));
    if (owner?.userId === operator.id) throw sameOperator(`P${paymentId}`);
  }
}

async function checkPossible(tx: Tx, payment: PaymentRow, way: 'void' | 'drop'): Promise<void> {
  const { paymentId } = payment;
  if (way === 'drop' && (await hasBytes(tx, paymentId))) {
    throw paymentNotSo(paymentId, 'was signed, and its bytes may be mined at any time. Void it');
  }
  if (way === 'drop' && payment.state !== 'needs_operator') {
    throw paymentNotSo(paymentId, `is ${payment.state}: the signer may be signing it now`);
  }
  if (way === 'drop' && !(await isLastOfSender(tx, paymentId))) {
    throw paymentNotSo(paymentId, 'has later payments, which wait for its number. Void it');
  }
  if (way === 'void' && payment.kind !== 'payout') {
    throw paymentNotSo(paymentId, `is a ${payment.kind}, which pays nobody else. Retry or drop it`);
  }
}
