// A topic is resolved by its name: a mark in front of it, as every client of this API understands it.

const RESOLVED = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** The name without the mark; names of old may have a heap of marks. */
export const plainTopic = (topic: string): string =>
  isResolved(topic) ? topic.replace(/^(?:✔ )+/, '') : topic;

/** The name with the mark, or without it. Undefined if it cannot have the mark: no name, or no room. */
export function markResolved(topic: string, isMarked: boolean, max: number): string | undefined {
  const plain = plainTopic(topic);
  if (!isMarked) return plain;
  if (plain === '') return undefined;
  const marked = `${RESOLVED}${plain}`;
  return Array.from(marked).length <= max ? marked : undefined;
}
