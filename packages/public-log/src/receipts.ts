// Receipts: the venue's word to one account that its order arrived, when, and in which form.
import type { KeyObject } from 'node:crypto';
import { sha256Hex } from './chain.ts';
import { canonicalText } from './events.ts';
import { isSignature, keyIdOf, signText } from './keys.ts';
import type { KeyRing } from './keys.ts';

export interface ReceiptFacts {
  accountId: string;
  /** Empty where the order has none. */
  clientOrderId: string;
  orderId: string;
  /** The step of the engine that accepted the order, and its time in milliseconds. */
  engineSeq: string;
  time: string;
  /** `parametersHash` of the terms as asked. */
  parametersHash: string;
}

export interface Receipt extends ReceiptFacts {
  keyId: string;
  /** 64 bytes in base64, over `receiptText`. */
  signature: string;
}

/** The terms of an order, in the order in which their canonical text has them. */
export const TERMS = [
  'symbol',
  'side',
  'type',
  'timeInForce',
  'postOnly',
  'stpMode',
  'price',
  'stopPrice',
  'trailingDelta',
  'volume',
  'total',
  'visibleVolume',
  'expireTime',
] as const;

export type TermName = (typeof TERMS)[number];
/** What was asked for. An absent member and an empty one mean the same. */
export type AskedTerms = Readonly<Partial<Record<TermName, string | number | boolean>>>;

const DECIMALS: ReadonlySet<TermName> = new Set([
  'price',
  'stopPrice',
  'volume',
  'total',
  'visibleVolume',
]);

/** A decimal without zeros that change nothing: 064250.10 is 64250.1. */
function plainDecimal(name: string, text: string): string {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text);
  if (match === null) throw new Error(`${name} must be a plain decimal, but is "${text}".`);
  const whole = (match[1] ?? '').replace(/^0+(?=\d)/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The canonical text of an order's terms: every member of `TERMS`, empty where it was not asked for,
 * decimals without zeros that change nothing. Two defaults are written out, since they are the same
 * order: `timeInForce` of a limit order is GTC, `postOnly` is false.
 */
export function parametersText(terms: AskedTerms): string {
  return canonicalText(
    TERMS.map((name) => {
      let value = String(terms[name] ?? '');
      if (name === 'postOnly' && value === '') value = 'false';
      if (name === 'timeInForce' && value === '' && /(^|_)limit$/.test(String(terms.type))) {
        value = 'GTC';
      }
      if (DECIMALS.has(name) && value !== '') value = plainDecimal(name, value);
      return [name, value] as const;
    }),
  );
}

export const parametersHash = (terms: AskedTerms): string => sha256Hex(parametersText(terms));

/** The text that is signed. A client id may have a slash, which no event has. */
export function receiptText(receipt: ReceiptFacts & { keyId: string }): string {
  const { accountId, clientOrderId, orderId, engineSeq, time, parametersHash, keyId } = receipt;
  return JSON.stringify({
    accountId,
    clientOrderId,
    orderId,
    engineSeq,
    time,
    parametersHash,
    keyId,
  });
}

export function signReceipt(facts: ReceiptFacts, key: KeyObject): Receipt {
  const { accountId, clientOrderId, orderId, engineSeq, time, parametersHash } = facts;
  const full = {
    accountId,
    clientOrderId,
    orderId,
    engineSeq,
    time,
    parametersHash,
    keyId: keyIdOf(key),
  };
  return { ...full, signature: signText(receiptText(full), key) };
}

/** Says what is wrong with the signature of a receipt, or its terms; undefined if they are right. */
export function checkReceipt(
  receipt: Receipt,
  keys: KeyRing,
  terms?: AskedTerms,
): string | undefined {
  const key = keys.get(receipt.keyId);
  if (key === undefined) {
    return `the receipt is signed with key ${receipt.keyId}, which is not among the keys given (${[...keys.keys()].join(', ')})`;
  }
  if (!isSignature(receiptText(receipt), receipt.signature, key)) {
    return `the signature does not fit the text of the receipt and key ${receipt.keyId}`;
  }
  if (terms !== undefined) {
    const expected = parametersHash(terms);
    if (expected !== receipt.parametersHash) {
      return `the receipt is for other terms: those given hash to ${expected}, the receipt says ${receipt.parametersHash}`;
    }
  }
  return undefined;
}
