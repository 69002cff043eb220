// The format of requests and answers: one per line. JSON and base64 contain no line break.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EngineFailure, type EngineCaller, type FailureKind } from './door.ts';

export interface EngineRequest {
  readonly kind: 'command' | 'read';
  readonly deadlineMs: number;
  readonly by: EngineCaller;
  readonly text: string;
}

/** For requests without an account, such as a price feed. */
export const NOBODY: EngineCaller = { account: 0, keyId: '' };

const requestLine = (kind: string, deadlineMs: number, by: EngineCaller, text: string): string =>
  `${kind}${Math.floor(deadlineMs)} ${by.account} ${by.keyId} ${text}`;

export const commandLine = (text: string, deadlineMs: number, by: EngineCaller): string =>
  requestLine('c', deadlineMs, by, text);
export const queryLine = (name: string, query: object, by: EngineCaller): string =>
  requestLine('r', 0, by, JSON.stringify({ name, ...query }));

const REQUEST = /^([cr])(\d{1,15}) (\d{1,15}) ([\w-]{0,64}) /;

/** Undefined when the line is not one of ours. */
export function parseRequest(line: string): EngineRequest | undefined {
  const found = REQUEST.exec(line);
  if (found === null) return undefined;
  const [{ length }, kind, deadlineMs, account, keyId = ''] = found;
  return {
    kind: kind === 'r' ? 'read' : 'command',
    deadlineMs: Number(deadlineMs),
    by: { account: Number(account), keyId },
    text: line.slice(length),
  };
}

export const outcomeLine = (members: string): string => `o{${members}}`;
export const queryAnswerLine = (json: string): string => `r${json}`;
export const failureLine = (kind: FailureKind, message: string): string => `e${kind} ${message}`;

/** One line for all requests of a message, because separate answers would cost too much. */
export const refusalOfAll = (kind: FailureKind, message: string): string =>
  `a${failureLine(kind, message)}`;

/** The answers to this many requests. */
export function splitAnswers(text: string, count: number): string[] {
  if (text.startsWith('a')) return Array.from({ length: count }, () => text.slice(1));
  return splitLines(text, ANSWERS_BYTES_MAX);
}

/** The text of an answer, or the failure it contains. */
export function openAnswer(line: string): string {
  if (!line.startsWith('e')) return line.slice(1);
  const space = line.indexOf(' ');
  throw new EngineFailure(line.slice(1, space) as FailureKind, line.slice(space + 1));
}

/** A long message is compressed: the bus takes less than a megabyte, and orders are repetitive. */
const PACK_ABOVE = 256 * 1024;
/** Far more than one message of order batches can hold. */
export const REQUESTS_BYTES_MAX = 4 * 1024 * 1024;
const ANSWERS_BYTES_MAX = 256 * 1024 * 1024;

export function joinLines(lines: readonly string[]): string {
  const text = lines.join('\n');
  if (text.length <= PACK_ABOVE) return text;
  return `z${deflateRawSync(text, { level: 1 }).toString('base64')}`;
}

/**
 * Throws when compressed data is damaged, or longer than `bytesMax`: a kilobyte may expand to a
 * megabyte.
 */
export function splitLines(text: string, bytesMax: number): string[] {
  const plain = text.startsWith('z')
    ? inflateRawSync(Buffer.from(text.slice(1), 'base64'), {
        maxOutputLength: bytesMax,
      }).toString()
    : text;
  return plain.split('\n');
}
