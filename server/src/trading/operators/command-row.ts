// A row of operator_commands: an operator's command on its way to the engine and back.
import type { Result } from '@rialto/matching';
import type { ActName } from '../../accounts/audit/acts.ts';
import { assert } from '../../platform/std/assert.ts';
import type { NewCommand } from '../engine/command.ts';

export const COMMAND_STATUSES = [
  'awaiting_approval',
  'waiting',
  'done',
  'refused',
  'withdrawn',
] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

export interface CommandRow {
  readonly id: bigint;
  readonly act: string;
  readonly subject: string;
  readonly reason: string;
  /** The command's JSON. */
  readonly command: string;
  readonly requestedBy: string;
  readonly requestedById: number | null;
  readonly approvedById: number | null;
  readonly status: CommandStatus;
  /** Why the engine has seen it but not carried it out; empty when there is no reason. */
  readonly waitsFor: string;
  /** What the core answered, once it has. */
  readonly result: Result | undefined;
  readonly createdAt: Date;
  readonly doneAt: Date | null;
}

export const isFinal = (status: CommandStatus): boolean =>
  status === 'done' || status === 'refused' || status === 'withdrawn';

export function toStatus(text: string): CommandStatus {
  const found = COMMAND_STATUSES.find((status) => status === text);
  assert(found !== undefined, 'the table checks the status', { text });
  return found;
}

/** What an operator wants done: the command, and its name in the audit log. */
export interface Act {
  readonly act: ActName;
  readonly subject: string;
  readonly command: NewCommand;
  /** The reason; required where a second operator must approve. */
  readonly reason?: string;
  readonly needsApproval?: boolean;
  /** Further data for the audit log, such as the definition before and after. */
  readonly details?: Readonly<Record<string, unknown>>;
}
