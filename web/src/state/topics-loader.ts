// Fetches the topics of a channel, once for all who ask.
import type { Chat } from '@rialto/sdk';
import type { Core } from './core.ts';
import type { Topic } from './entities.ts';
import { noteMessageInTopic } from './topics.ts';

export function createTopics(
  chat: Pick<Chat, 'getStreamTopics'>,
  core: Core,
): (channelId: number) => Promise<readonly Topic[]> {
  const asking = new Map<number, Promise<readonly Topic[]>>();

  const fetchTopics = async (channelId: number): Promise<readonly Topic[]> => {
    const { topics } = await chat.getStreamTopics({
      stream_id: channelId,
      allow_empty_topic_name: true,
    });
    core.change(['topics', 'staleTopics'], (state) => {
      const rows = topics.map(({ name, max_id: maxId }) => ({ name, maxId }));
      state.topics.set(channelId, rows);
      state.staleTopics.delete(channelId);
      // Messages that came while the answer was under way.
      const newest = rows[0]?.maxId ?? 0;
      for (const { id, conversation: one } of state.messages.values()) {
        if (id > newest && one.kind === 'topic' && one.channelId === channelId) {
          noteMessageInTopic(state, channelId, one.topic, id);
        }
      }
    });
    return core.state.topics.get(channelId) ?? [];
  };

  return (channelId) => {
    const known = core.state.topics.get(channelId);
    if (known !== undefined && !core.state.staleTopics.has(channelId))
      return Promise.resolve(known);
    const under = asking.get(channelId);
    if (under !== undefined) return under;
    const answer = fetchTopics(channelId).finally(() => asking.delete(channelId));
    asking.set(channelId, answer);
    return answer;
  };
}
