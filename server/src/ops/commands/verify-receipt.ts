// `rialto verify-receipt`: checks the venue's receipt for an order, alone or against its public log. It needs no
// database, no settings and no network.
import {
  OrderTrace,
  checkReceipt,
  logFault,
  type AskedTerms,
  type Receipt,
  type ReceiptVerdict,
} from '@rialto/public-log';
import { readKeys, readingOf, verifyLogFiles } from './verify-log.ts';

export interface VerifyReceiptOptions {
  readonly key: string;
  readonly log?: readonly string[];
  readonly order?: string;
}

const MEMBERS = [
  'accountId',
  'clientOrderId',
  'orderId',
  'engineSeq',
  'time',
  'parametersHash',
  'keyId',
  'signature',
] as const;

/** A receipt, alone or in the answer that brought it. */
function parseReceipt(text: string): Receipt {
  const parsed = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
  const answer = (parsed?.['result'] ?? parsed) as Readonly<Record<string, unknown>> | null;
  const found = (answer?.['receipt'] ?? answer) as Readonly<Record<string, unknown>> | null;
  for (const name of MEMBERS) {
    if (typeof found?.[name] !== 'string') throw new Error(`a receipt has "${name}" as text.`);
  }
  return found as unknown as Receipt;
}

function parseTerms(text: string): AskedTerms {
  const parsed = JSON.parse(text) as unknown;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('an order is a JSON object with the parameters that were sent.');
  }
  return parsed;
}

export async function verifyReceiptFile(
  file: string,
  { key, log = [], order }: VerifyReceiptOptions,
): Promise<{ receipt: Receipt; verdict: ReceiptVerdict }> {
  const receipt = readingOf(file, parseReceipt);
  const terms = order === undefined ? undefined : readingOf(order, parseTerms);
  const message = checkReceipt(receipt, readKeys(key), terms);
  if (message !== undefined) return { receipt, verdict: { ok: false, message } };
  if (log.length === 0) return { receipt, verdict: { ok: true, facts: [] } };
  const trace = new OrderTrace(receipt, terms);
  const found = await verifyLogFiles(log, { key }, trace.onEvent);
  const verdict: ReceiptVerdict = found.ok
    ? trace.verdict()
    : { ok: false, message: logFault(found) };
  return { receipt, verdict };
}

/** The verdict in words. */
export function renderReceipt(receipt: Receipt, verdict: ReceiptVerdict): string {
  if (!verdict.ok) return `WRONG: ${verdict.message}.`;
  const { orderId, accountId, engineSeq, time, keyId } = receipt;
  return [
    `RIGHT: the venue signed with key ${keyId} that it took order ${orderId} of account ${accountId} in step ${engineSeq}, at ${time}.`,
    ...verdict.facts,
  ].join('\n');
}
