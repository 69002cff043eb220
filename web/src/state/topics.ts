// Topics of channels whose list was fetched. New messages keep it right; moved and deleted ones make it worth asking again.
import type { Topic } from './entities.ts';
import type { State } from './state.ts';

/** Gives whether the list changed. */
export function noteMessageInTopic(
  state: State,
  channelId: number,
  topic: string,
  id: number,
): boolean {
  const known = state.topics.get(channelId);
  if (known === undefined) return false;
  const isSame = ({ name }: Topic) => name.toLowerCase() === topic.toLowerCase();
  const before = known.find(isSame);
  if (before !== undefined && before.maxId >= id) return false;
  const others = known.filter((one) => !isSame(one));
  const rows = [...others, { name: before?.name ?? topic, maxId: id }];
  state.topics.set(
    channelId,
    rows.sort((a, b) => b.maxId - a.maxId),
  );
  return true;
}

export function noteTopicsChanged(state: State, channelIds: readonly number[]): void {
  for (const id of channelIds) if (state.topics.has(id)) state.staleTopics.add(id);
}
