// A record of the memory. Each carries the code of the one before it, and a code over both that only the holder of the
// seed can make: a line that was altered, swapped, added or left out is seen.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { canonicalJson } from '../canonical.ts';
import { Kind, Output, Purpose } from '../request.ts';

const strict = { additionalProperties: false } as const;
const Texts = Type.Record(Type.String(), Type.String());

const Body = Type.Union([
  Type.Object({ type: Type.Literal('began'), fingerprint: Type.String() }, strict),
  Type.Object({ type: Type.Literal('policy'), hash: Type.String() }, strict),
  Type.Object(
    {
      type: Type.Literal('recovered'),
      by: Type.Array(Type.String()),
      memory: Type.String(),
      kept: Type.Integer(),
    },
    strict,
  ),
  Type.Object(
    {
      type: Type.Literal('signed'),
      paymentId: Type.String(),
      network: Type.String(),
      kind: Kind,
      purpose: Purpose,
      outputs: Type.Array(Output),
      spends: Type.Array(Type.String()),
      amounts: Texts,
      charges: Texts,
      txid: Type.String(),
    },
    strict,
  ),
]);
export type Body = Static<typeof Body>;

const Line = Type.Object(
  { seq: Type.Integer(), at: Type.Integer(), body: Body, prev: Type.String(), mac: Type.String() },
  strict,
);
export type MemoryRecord = Static<typeof Line>;

/** The code before the first record. */
export const NO_RECORD = '0'.repeat(64);

const macOf = (key: Uint8Array, record: Omit<MemoryRecord, 'mac'>): string =>
  createHmac('sha256', key).update(canonicalJson(record)).digest('hex');

export function makeRecord(
  key: Uint8Array,
  { seq, at, body, prev }: Omit<MemoryRecord, 'mac'>,
): MemoryRecord {
  return { seq, at, body, prev, mac: macOf(key, { seq, at, body, prev }) };
}

export const toLine = (record: MemoryRecord): string => `${canonicalJson(record)}\n`;

/** The record of a line, or undefined if this signer did not write it so. */
export function readLine(key: Uint8Array, line: string): MemoryRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Value.Check(Line, value)) return undefined;
  const { mac, ...rest } = value;
  const expected = Buffer.from(macOf(key, rest));
  const came = Buffer.from(mac);
  return came.length === expected.length && timingSafeEqual(came, expected) ? value : undefined;
}
