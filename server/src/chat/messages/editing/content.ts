// Whether somebody may change the text of a message, and what it becomes. Pure.
import { createHash } from 'node:crypto';
import type { User } from '../../../accounts/user.ts';
import { badRequest } from '../../http/errors.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { normalizeContent } from '../../text/markdown/content.ts';
import { contentChanged } from '../message/errors.ts';
import type { PropagateMode } from '../message/move-store.ts';
import type { MessageRow } from '../message/rows.ts';
import { GRACE_SECONDS, isWithin } from '../message/time-limit.ts';

export interface EditInput {
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly channelId: number | undefined;
  readonly propagateMode: PropagateMode;
  /** The hash of the text that the client has seen. */
  readonly prevContentSha256: string | undefined;
  readonly tellsOldThread: boolean;
  readonly tellsNewThread: boolean;
}

const DELETED = '(deleted)';

/** The text that is stored for the text of a request. */
export const wordedAs = (content: string): string =>
  normalizeContent(content.trim() === '' ? DELETED : content);

/** Only the author may change the text, and only within the time limit. */
export function checkContentEdit(
  actor: Pick<User, 'id'>,
  settings: Readonly<Record<string, RealmValue>>,
  message: Pick<MessageRow, 'senderId' | 'sentAt'>,
  nowMs: number,
  graceSeconds = GRACE_SECONDS,
): void {
  if (settings['allow_message_editing'] === false) {
    throw badRequest('Your organization has turned off message editing');
  }
  if (message.senderId !== actor.id) {
    throw badRequest("You don't have permission to edit this message");
  }
  const limit = settings['message_content_edit_limit_seconds'] as number | null;
  if (!isWithin(limit, message.sentAt, nowMs, graceSeconds)) {
    throw badRequest('The time limit for editing this message has passed');
  }
}

export function checkExpected(content: string, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  const actual = createHash('sha256').update(content).digest('hex');
  if (sha256.toLowerCase() !== actual) throw contentChanged();
}
