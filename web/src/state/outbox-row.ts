// What becomes of a message on its way: pure functions of what happened to it.
import { RialtoError } from '@rialto/sdk';
import type { Conversation, ConversationKey } from './entities.ts';

/**
 * `new`: just written, drawn without a label. `sending`: after half a second. `checking`: after ten seconds, or while
 * nobody knows whether it arrived. `sent`: the server has it, its event is still to come. `failed`: refused; it waits for
 * the person.
 */
export type OutboxState = 'new' | 'sending' | 'checking' | 'sent' | 'failed';

export interface OutboxRow {
  /** A UUID, and the key of the row in lists: it stays the same until the message has taken its place. */
  readonly localId: string;
  readonly conversation: Conversation;
  readonly key: ConversationKey;
  /** Markdown, drawn as plain text. */
  readonly content: string;
  readonly createdAtMs: number;
  readonly state: OutboxState;
  /** Known once the server has answered. */
  readonly messageId: number | undefined;
  /** Why it failed, in the words of the server. */
  readonly error:
    | { readonly message: string; readonly code: string; readonly requestId: string | undefined }
    | undefined;
}

export const SENDING_AFTER_MS = 500;
export const CHECKING_AFTER_MS = 10_000;
/** The server recognises a repeated message for a day; afterwards only the person may send it again. */
const REPEATABLE_MS = 23 * 3600 * 1000;
const PAUSE_MAX_MS = 30_000;

export const isOnItsWay = ({ state }: OutboxRow): boolean => state !== 'sent' && state !== 'failed';

/** Waiting changes the label, and nothing else. */
export function aged(row: OutboxRow, nowMs: number): OutboxRow {
  const ageMs = nowMs - row.createdAtMs;
  if (row.state !== 'new' && row.state !== 'sending') return row;
  if (ageMs >= CHECKING_AFTER_MS) return { ...row, state: 'checking' };
  if (ageMs >= SENDING_AFTER_MS)
    return row.state === 'sending' ? row : { ...row, state: 'sending' };
  return row;
}

export const answered = (row: OutboxRow, messageId: number): OutboxRow => ({
  ...row,
  state: 'sent',
  messageId,
});

/** A refusal is final. Anything else may have arrived, so it is asked again with the same id. */
export function failed(row: OutboxRow, error: unknown, nowMs: number): OutboxRow {
  const isRefused = error instanceof RialtoError && error.outcome === 'none' && !error.isRetryable;
  if (!isRefused && nowMs - row.createdAtMs < REPEATABLE_MS) return { ...row, state: 'checking' };
  const { message, code, requestId } =
    error instanceof RialtoError
      ? error
      : { message: String(error), code: 'UNKNOWN', requestId: undefined };
  return { ...row, state: 'failed', error: { message, code, requestId } };
}

/** The person asks again: as new, and the same id. */
export const renewed = (row: OutboxRow, nowMs: number): OutboxRow => ({
  ...row,
  state: 'new',
  createdAtMs: nowMs,
  error: undefined,
});

/** Doubles with every attempt; the random half keeps browsers from coming back together. */
export const pauseAfter = (attempt: number, random: number): number =>
  Math.round(Math.min(PAUSE_MAX_MS, 1000 * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random / 2));
