// Checks and shortens the text of messages, drafts and scheduled messages.
import { badRequest } from '../../http/errors.ts';
import { LIMITS } from '../../limits.ts';

const TRUNCATION_MARK = '\n[message truncated]';

/** The text as it is stored: without NUL, not empty, not too long. */
export function normalizeContent(text: string): string {
  const content = text.trimEnd().replace(/^\n+/, '');
  if (content === '') throw badRequest('Message must not be empty');
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes');
  return truncate(content, LIMITS.max_message_length, TRUNCATION_MARK);
}

/** Cuts to at most `max` characters, which end with `mark` if something was cut. Counts code points. */
export function truncate(text: string, max: number, mark: string): string {
  if (text.length <= max) return text;
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  return characters.slice(0, max - mark.length).join('') + mark;
}
