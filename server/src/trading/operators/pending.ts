// What an operator is shown of a command that waits, and the digest of it.
import { digestOf, REQUEST_HOURS, type Shown } from '../../accounts/operators/request.ts';
import { HOUR_MS } from '../../platform/std/time.ts';
import type { CommandRow } from './command-row.ts';

const ID_PREFIX = 'command-';
const REQUEST_ID = /^command-([1-9][0-9]{0,17})$/;

export const requestIdOf = ({ id }: Pick<CommandRow, 'id'>): string => `${ID_PREFIX}${id}`;

/** The number of a command; undefined if the text names something else. */
export function parseCommandId(text: string): bigint | undefined {
  const digits = REQUEST_ID.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

export const shownOf = (command: CommandRow): Shown => ({
  act: command.act,
  subject: command.subject,
  terms: JSON.parse(command.command) as Record<string, unknown>,
  reason: command.reason,
  requestedBy: command.requestedBy,
});

export const digestOfCommand = (command: CommandRow): string =>
  digestOf(requestIdOf(command), shownOf(command));

/** What was asked for more than a day ago is asked for again: the world has moved on. */
export const isExpired = ({ status, createdAt }: CommandRow, nowMs: number): boolean =>
  status === 'awaiting_approval' && nowMs - createdAt.getTime() >= REQUEST_HOURS * HOUR_MS;
