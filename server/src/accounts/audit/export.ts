// The audit log as a file: one entry per line, in JSON, so that somebody without the database can
// follow the chain.
import type { ChainedEntry } from './entry.ts';

const HASH = /^[0-9a-f]{64}$/;
const NUMBER = /^[1-9]\d{0,17}$/;

export const toLine = (entry: ChainedEntry): string =>
  JSON.stringify({
    seq: String(entry.seq),
    at: entry.at.toISOString(),
    operator: entry.operator,
    act: entry.act,
    subject: entry.subject,
    details: entry.details,
    outcome: entry.outcome,
    command: entry.commandId === null ? null : String(entry.commandId),
    previousHash: entry.previousHash.toString('hex'),
    hash: entry.hash.toString('hex'),
  });

/** Undefined for a line that is not an entry. */
export function parseLine(line: string): ChainedEntry | undefined {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const text = (name: string): string => {
    const given = value[name];
    return typeof given === 'string' ? given : '';
  };
  const at = new Date(text('at'));
  const command = value['command'];
  const isEntry =
    NUMBER.test(text('seq')) &&
    !Number.isNaN(at.getTime()) &&
    HASH.test(text('previousHash')) &&
    HASH.test(text('hash')) &&
    (command === null || NUMBER.test(text('command')));
  if (!isEntry) return undefined;
  return {
    seq: BigInt(text('seq')),
    at,
    operator: text('operator'),
    act: text('act'),
    subject: text('subject'),
    details: text('details'),
    outcome: text('outcome'),
    commandId: command === null ? null : BigInt(text('command')),
    previousHash: Buffer.from(text('previousHash'), 'hex'),
    hash: Buffer.from(text('hash'), 'hex'),
  };
}
