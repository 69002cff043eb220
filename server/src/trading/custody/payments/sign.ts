// Has payments signed. The bytes are stored before any node gets them.
import type { Context } from '../../../platform/context.ts';
import type { OwnNetwork } from '../networks.ts';
import type { CoinTerms } from '../deposits/rules.ts';
import { listStoppedCoins } from '../reconciliation/access.ts';
import { movementOf } from '../withdrawals/shapes.ts';
import { changeMany } from '../withdrawals/change.ts';
import type { SignOutput, Signer } from './signer.ts';
import {
  listAttempts,
  listOutputs,
  listPayments,
  lockPayment,
  storeSigned,
  updatePayment,
  type Attempt,
  type PaymentOutput,
  type PaymentRow,
} from './store.ts';
import { listSignatures } from './signature-store.ts';
import { findSignerSeq, noteSignerSeq } from './wallet-store.ts';

const AT_ONCE_MAX = 20;
/** When to ask again where the signer does not say. */
const RETRY_MS = 15_000;
/** These pass by themselves, or when operators have mended the signer. */
const PASSING = [
  'limit_hour',
  'limit_day',
  'approvals_missing',
  'memory_broken',
  'internal',
  'too_slow',
];

/** What owners read while a payment waits. A ceiling of one transaction does not pass by itself. */
const reasonFor = (reason: string): string =>
  reason === 'limit_hour' || reason === 'limit_day'
    ? 'hot_limit'
    : reason === 'approvals_missing'
      ? 'operators_sign'
      : 'signer';

export async function signPayments(
  ctx: Context,
  {
    own,
    signer,
    terms,
  }: {
    readonly own: OwnNetwork;
    readonly signer: Signer;
    readonly terms: ReadonlyMap<string, CoinTerms>;
  },
): Promise<void> {
  const at = new Date(ctx.clock.now());
  const options = { at, limit: AT_ONCE_MAX };
  for (const payment of await listPayments(ctx.db, own.network, ['signing'], options)) {
    await signPayment(ctx, payment, signer, terms);
  }
}

/** What the signer is asked, and what operators sign. */
export const requestOf = (
  { paymentId, network, kind, ownOutputs }: PaymentRow,
  { purpose, unsigned }: Pick<Attempt, 'purpose' | 'unsigned'>,
  outputs: readonly PaymentOutput[],
  /** By coin. */
  terms: ReadonlyMap<string, Pick<CoinTerms, 'contract'>>,
) => ({
  op: 'sign' as const,
  paymentId: `P${paymentId}`,
  network,
  kind,
  purpose,
  unsigned: JSON.parse(unsigned) as unknown,
  outputs:
    purpose === 'void'
      ? []
      : [
          ...outputs.map(({ withdrawId, address, amount, coin }) => ({
            withdrawId: movementOf(withdrawId),
            address,
            amount,
            ...(terms.get(coin)?.contract === '' ? {} : { coin }),
          })),
          ...(JSON.parse(ownOutputs) as SignOutput[]),
        ],
});

async function signPayment(
  ctx: Context,
  payment: PaymentRow,
  signer: Signer,
  terms: ReadonlyMap<string, CoinTerms>,
): Promise<void> {
  const { paymentId, network } = payment;
  const [attempt] = await listAttempts(ctx.db, paymentId);
  if (attempt === undefined) return;
  const outputs = await listOutputs(ctx.db, paymentId);
  // Coins are missing: it is signed when operators let the coin run again.
  const stopped = await listStoppedCoins(ctx.db);
  if (outputs.some(({ coin }) => stopped.has(coin))) return;
  const answer = await signer.sign({
    ...requestOf(payment, attempt, outputs, terms),
    approvals: await listSignatures(ctx.db, paymentId),
    afterSeq: await findSignerSeq(ctx.db),
  });
  // A void pays nobody: its withdrawals are told when it is mined.
  const ids = attempt.purpose === 'void' ? [] : outputs.map(({ withdrawId }) => withdrawId);
  await ctx.inTransaction(async (tx) => {
    const now = await lockPayment(tx, paymentId);
    // Another process was faster.
    if (now?.state !== 'signing') return;
    const at = new Date(ctx.clock.now());
    if (answer.ok) {
      await storeSigned(tx, attempt, answer, at);
      await noteSignerSeq(tx, network, answer.seq);
      await updatePayment(tx, paymentId, { state: 'broadcasting', reason: '', retryAt: null }, at);
      const { txid } = answer;
      await changeMany(tx, ids, { status: 'broadcasting', statusReason: '', txid }, at);
      return;
    }
    const { reason, message, availableAt } = answer;
    const isPassing = PASSING.includes(reason);
    const retryAt = isPassing
      ? new Date(availableAt === undefined ? at.getTime() + RETRY_MS : Number(availableAt))
      : null;
    const state = isPassing ? 'signing' : 'needs_operator';
    await updatePayment(
      tx,
      paymentId,
      { state, reason: `${reason}: ${message}`.slice(0, 300), retryAt },
      at,
    );
    await changeMany(tx, ids, { statusReason: reasonFor(reason) }, at);
    ctx.log.error(
      { network, payment: `P${paymentId}`, reason, message },
      isPassing
        ? 'The signer does not sign a payment yet.'
        : 'The signer refuses a payment. Somebody has to look at it.',
    );
  });
}
