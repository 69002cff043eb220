// A topic is resolved when its name begins with a mark.
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';

/** What marks a topic as done. */
export const RESOLVED = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** Whether the change is nothing but marking the topic as done, or as not done. */
export function isResolveToggle(from: string, to: string): boolean {
  if (isResolved(to) && !isResolved(from))
    return withoutEnd(to) === withoutEnd(RESOLVED + from, to);
  return isResolved(from) && !isResolved(to) && from === RESOLVED + to;
}

/** A long topic loses its end when the mark is put before it. */
function withoutEnd(topic: string, like = topic): string {
  if (!like.endsWith('...')) return topic;
  return Array.from(topic)
    .slice(0, Array.from(like).length - 3)
    .join('');
}

/** The empty topic cannot be marked as done: there would be nothing behind the mark. */
export const marksEmptyTopic = (from: string, to: string): boolean =>
  from === '' && (to === RESOLVED.trim() || to === `${RESOLVED}${EMPTY_TOPIC_DISPLAY_NAME}`);
