// Normalizes the topic in every request.
import { badRequest } from '../../http/errors.ts';
import { truncate } from '../../text/markdown/content.ts';
import { EMPTY_TOPIC_DISPLAY_NAME, LIMITS } from '../../limits.ts';

const SPELLINGS_OF_EMPTY: ReadonlySet<string> = new Set(['(no topic)', EMPTY_TOPIC_DISPLAY_NAME]);
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** The topic as it is stored: trimmed, empty for both names of the empty topic, not too long. */
export function normalizeTopic(text: string): string {
  const topic = text.trim();
  if (SPELLINGS_OF_EMPTY.has(topic)) return '';
  const found = UNPRINTABLE.exec(topic);
  if (found !== null) {
    const position = Array.from(topic.slice(0, found.index)).length + 1;
    throw badRequest(`Invalid character in topic, at position ${position}!`);
  }
  return truncate(topic, LIMITS.max_topic_length, '...');
}
