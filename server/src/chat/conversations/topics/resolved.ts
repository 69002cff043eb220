// A topic is resolved when its name begins with a mark.
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';

/** Marks a topic as resolved. */
export const RESOLVED = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** Whether the change only resolves or unresolves the topic. */
export function isResolveToggle(from: string, to: string): boolean {
  if (isResolved(to) && !isResolved(from))
    return withoutEnd(to) === withoutEnd(RESOLVED + from, to);
  return isResolved(from) && !isResolved(to) && from === RESOLVED + to;
}

/** Adding the mark cuts off the end of a long topic. */
function withoutEnd(topic: string, like = topic): string {
  if (!like.endsWith('...')) return topic;
  return Array.from(topic)
    .slice(0, Array.from(like).length - 3)
    .join('');
}

/** The empty topic cannot be resolved: nothing would follow the mark. */
export const marksEmptyTopic = (from: string, to: string): boolean =>
  from === '' && (to === RESOLVED.trim() || to === `${RESOLVED}${EMPTY_TOPIC_DISPLAY_NAME}`);
