// Coins back from the cold wallet: an operator asks for a transaction, signs it where its keys are, and brings the bytes. The
// server checks that they are the transaction that was asked for; the network decides whether the signature is right.
import { readSignedEvm, readSignedUtxo, type SignedBytes } from '@rialto/chains';
import type { Operator } from '../../../accounts/operators/operator.ts';
import type { Context } from '../../../platform/context.ts';
import { parseAmount } from '../../amount.ts';
import { findRequest, insertRequest, type ColdRequest } from '../cold/access.ts';
import { amountNotSo, noSuchNetwork, noSuchPayment, paymentNotSo } from '../errors.ts';
import { ownNetworks } from '../networks.ts';
import {
  listAttempts,
  lockPayment,
  replaceSigned,
  updatePayment,
  type PaymentRow,
} from '../payments/access.ts';
import { lockNetwork } from '../watch/access.ts';
import { doAct } from './note.ts';

/** Of signed bytes, as text: far more than fifty inputs with three signatures each. */
const TEXT_MAX = 400_000;

/** Returns the number of the request. The role custody answers it with its next look. */
export const askReturn = (
  ctx: Context,
  by: Operator,
  {
    network,
    coin,
    amount,
  }: { readonly network: string; readonly coin: string; readonly amount: string },
): Promise<bigint> =>
  doAct(
    ctx,
    by,
    { act: 'custody cold prepare', subject: network, details: { coin, amount } },
    async (tx, operator) => {
      if ((await lockNetwork(tx, network)) === undefined) throw noSuchNetwork(network);
      const units = parseAmount(amount);
      if (units === undefined || units <= 0n) throw amountNotSo(amount);
      const at = new Date(ctx.clock.now());
      return insertRequest(tx, { network, coin, amount: units, operatorId: operator.id, at });
    },
  );

export const findReturn = (ctx: Context, requestId: bigint): Promise<ColdRequest | undefined> =>
  findRequest(ctx.db, requestId);

export interface UnsignedReturn {
  /** A PSBT in base64, or the fields of a transaction as JSON. */
  readonly text: string;
  /** What it does, for the eye. */
  readonly outputs: readonly { readonly address: string; readonly amount: string }[];
  readonly from: string;
}

export async function readReturn(ctx: Context, paymentId: bigint): Promise<UnsignedReturn> {
  return ctx.inTransaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment?.kind !== 'from_cold') throw noSuchPayment(paymentId);
    const [attempt] = await listAttempts(tx, paymentId);
    if (attempt === undefined) throw noSuchPayment(paymentId);
    const parsed = JSON.parse(attempt.unsigned) as string | Record<string, unknown>;
    const outputs = JSON.parse(payment.ownOutputs) as UnsignedReturn['outputs'];
    if (typeof parsed === 'string') return { text: parsed, outputs, from: payment.sender };
    const { path: _path, ...fields } = parsed;
    const text = JSON.stringify({ type: 2, from: payment.sender, ...fields }, null, 2);
    return { text, outputs, from: payment.sender };
  });
}

/** Takes the signed bytes of a return; they are sent with the next look. Returns the id of the transaction. */
export const submitReturn = (
  ctx: Context,
  by: Operator,
  paymentId: bigint,
  text: string,
): Promise<string> =>
  doAct(
    ctx,
    by,
    { act: 'custody cold submit', subject: `P${paymentId}` },
    async (tx) => {
      const payment = await lockPayment(tx, paymentId);
      if (payment?.kind !== 'from_cold') throw noSuchPayment(paymentId);
      // Bytes that no node takes can be replaced: the network is the first that looks at the signature.
      if (payment.state !== 'needs_operator' && payment.state !== 'broadcasting') {
        throw paymentNotSo(paymentId, `is ${payment.state}: nodes have its bytes`);
      }
      const [attempt] = await listAttempts(tx, paymentId);
      if (attempt === undefined) throw noSuchPayment(paymentId);
      const signed = readSigned(ctx, payment, attempt.unsigned, text);
      const at = new Date(ctx.clock.now());
      await replaceSigned(tx, attempt, signed, at);
      await updatePayment(tx, paymentId, { state: 'broadcasting', reason: '', retryAt: null }, at);
      return signed.txid;
    },
    (txid) => ({ txid }),
  );

function readSigned(
  ctx: Context,
  payment: PaymentRow,
  unsigned: string,
  text: string,
): SignedBytes {
  const { paymentId, network, sender } = payment;
  const refuse = (why: string) => paymentNotSo(paymentId, `was not given its signed bytes: ${why}`);
  if (text.length > TEXT_MAX) throw refuse(`the text is longer than ${TEXT_MAX} characters`);
  if (ownNetworks(ctx.config).get(network)?.ownChain.family === 'utxo') {
    try {
      return readSignedUtxo(JSON.parse(unsigned) as string, text);
    } catch (error) {
      throw refuse((error as Error).message);
    }
  }
  const fields = JSON.parse(unsigned) as Record<string, string>;
  const numberOf = (name: string) => BigInt(fields[name] ?? 0);
  const raw = text
    .trim()
    .replace(/^(?!0x)/, '0x')
    .toLowerCase();
  const signed = readSignedEvm(
    {
      chainId: numberOf('chainId'),
      nonce: numberOf('nonce'),
      maxPriorityFeePerGas: numberOf('maxPriorityFeePerGas'),
      maxFeePerGas: numberOf('maxFeePerGas'),
      gas: numberOf('gas'),
      to: fields['to'] ?? '',
      value: numberOf('value'),
      data: Buffer.from((fields['data'] ?? '').slice(2), 'hex'),
    },
    raw,
  );
  if (signed === undefined) {
    throw refuse('it is not the prepared transaction, signed, in hexadecimal digits');
  }
  if (signed.sender.toLowerCase() !== sender.toLowerCase()) {
    throw refuse(`${signed.sender} signed it, and the cold wallet is ${sender}`);
  }
  return { raw, txid: signed.hash };
}
