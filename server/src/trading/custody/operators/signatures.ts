// Signatures of operators that the signer wants for large payments. An operator signs on a machine of their own
// (`rialto signer approve`); the server only keeps what it is brought, and the signer decides what it is worth.
import type { Operator } from '../../../accounts/operators/operator.ts';
import { sameOperator } from '../../../accounts/operators/errors.ts';
import type { Context } from '../../../platform/context.ts';
import { listCoinDefinitions } from '../../coins/access.ts';
import { termsOf } from '../deposits/rules.ts';
import { noSuchPayment, paymentNotSo } from '../errors.ts';
import {
  insertSignature,
  listAttempts,
  listOutputs,
  listSignatures,
  lockPayment,
  requestOf,
  updatePayment,
} from '../payments/access.ts';
import { doAct } from './note.ts';

/** As many as the signer reads. */
const SIGNATURES_MAX = 16;

/** What an operator signs, as `rialto signer approve` reads it. */
export function readSignRequest(ctx: Context, paymentId: bigint): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    const [attempt] = payment === undefined ? [] : await listAttempts(tx, paymentId);
    if (payment === undefined || attempt === undefined) throw noSuchPayment(paymentId);
    if (payment.kind === 'from_cold') {
      throw paymentNotSo(
        paymentId,
        'is signed where the cold wallet is: `custody cold prepare` wrote it',
      );
    }
    const byContract = termsOf(await listCoinDefinitions(tx), payment.network);
    const terms = new Map([...byContract.values()].map((one) => [one.coin, one]));
    const outputs = await listOutputs(tx, paymentId);
    return JSON.stringify(requestOf(payment, attempt, outputs, terms));
  });
}

/** Keeps a signature, and has the signer asked again. Returns how many the payment has. */
export const addSignature = (
  ctx: Context,
  by: Operator,
  paymentId: bigint,
  { key, signature }: { readonly key: string; readonly signature: string },
): Promise<number> =>
  doAct(
    ctx,
    by,
    { act: 'custody sign', subject: `P${paymentId}`, details: { key } },
    async (tx, operator) => {
      const payment = await lockPayment(tx, paymentId);
      if (payment === undefined || payment.kind === 'from_cold') throw noSuchPayment(paymentId);
      if (payment.state !== 'signing' && payment.state !== 'needs_operator') {
        throw paymentNotSo(paymentId, `is ${payment.state}: the signer has signed it`);
      }
      const before = await listSignatures(tx, paymentId);
      if (before.length >= SIGNATURES_MAX) throw paymentNotSo(paymentId, 'has enough signatures');
      const at = new Date(ctx.clock.now());
      const row = { paymentId, key, signature, operatorId: operator.id, at };
      if (!(await insertSignature(tx, row))) throw sameOperator(`the signature of ${key}`);
      await updatePayment(tx, paymentId, { state: 'signing', retryAt: null }, at);
      return before.length + 1;
    },
    (signatures) => ({ signatures }),
  );
