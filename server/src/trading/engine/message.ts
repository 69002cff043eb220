// How requests and answers are written: one a line. JSON and base64 hold no line break.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EngineFailure, type FailureKind } from './door.ts';

export type Request =
  | { readonly kind: 'command'; readonly text: string; readonly deadlineMs: number }
  | { readonly kind: 'read'; readonly text: string };

export const commandLine = (text: string, deadlineMs: number): string => `c${deadlineMs} ${text}`;
export const readLine = (name: string, query: object): string =>
  `r ${JSON.stringify({ name, ...query })}`;

export function parseRequest(line: string): Request {
  const space = line.indexOf(' ');
  const text = line.slice(space + 1);
  if (line.startsWith('r')) return { kind: 'read', text };
  return { kind: 'command', text, deadlineMs: Number(line.slice(1, space)) };
}

export const outcomeLine = (members: string): string => `o{${members}}`;
export const readAnswerLine = (json: string): string => `r${json}`;
export const failureLine = (kind: FailureKind, message: string): string => `e${kind} ${message}`;

/** One line for all requests of a message, because telling each apart would cost what is short. */
export const refusalOfAll = (kind: FailureKind, message: string): string =>
  `a${failureLine(kind, message)}`;

/** The answers to so many requests. */
export function splitAnswers(text: string, count: number): string[] {
  if (text.startsWith('a')) return Array.from({ length: count }, () => text.slice(1));
  return splitLines(text);
}

/** The text of an answer, or the failure that it tells of. */
export function openAnswer(line: string): string {
  if (!line.startsWith('e')) return line.slice(1);
  const space = line.indexOf(' ');
  throw new EngineFailure(line.slice(1, space) as FailureKind, line.slice(space + 1));
}

/** A long message is packed: the bus takes less than a megabyte, and orders repeat themselves a lot. */
const PACK_ABOVE = 256 * 1024;

export function joinLines(lines: readonly string[]): string {
  const text = lines.join('\n');
  if (text.length <= PACK_ABOVE) return text;
  return `z${deflateRawSync(text, { level: 1 }).toString('base64')}`;
}

export function splitLines(text: string): string[] {
  const plain = text.startsWith('z')
    ? inflateRawSync(Buffer.from(text.slice(1), 'base64')).toString()
    : text;
  return plain.split('\n');
}
