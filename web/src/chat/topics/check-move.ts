import type { TopicAt } from './acts.ts';

export type MoveProblem = 'same' | 'tooLong' | 'needsName';

/** What is wrong with a destination, before anything is asked of the server. Characters are counted as the server does. */
export function checkMove(
  from: TopicAt,
  to: TopicAt,
  { max, policy }: { readonly max: number; readonly policy: string | undefined },
): MoveProblem | undefined {
  const topic = to.topic.trim();
  if (Array.from(topic).length > max) return 'tooLong';
  if (topic === '' && policy === 'disable_empty_topic') return 'needsName';
  return to.channelId === from.channelId && topic === from.topic ? 'same' : undefined;
}
