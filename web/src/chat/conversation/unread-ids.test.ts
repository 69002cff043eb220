import { expect, it } from 'vitest';
import { VISIBILITY } from '../../state/entities.ts';
import { topicKey } from '../../state/keys.ts';
import {
  allNarrow,
  channelNarrow,
  directNarrow,
  directsNarrow,
  mentionsNarrow,
  searchNarrow,
  starredNarrow,
  topicNarrow,
} from '../narrow/narrow.ts';
import { channel, inTopic, OWN_ID, stateOf, withPeople } from '../testing/state.ts';
import { unreadIdsIn } from './unread-ids.ts';

function world() {
  const state = stateOf({
    channels: [channel(1, 'loud'), channel(2, 'quiet', {}, { isMuted: true })],
    unread: [
      [inTopic(1, 'b'), [20, 40]],
      [inTopic(1, 'a'), [10, 30]],
      [inTopic(1, 'muted'), [5]],
      [inTopic(2, 'c'), [7]],
      [withPeople(9), [15]],
    ],
    mentions: [30, 7],
  });
  const key = topicKey(1, 'muted');
  state.userTopics.set(key, {
    channelId: 1,
    topic: 'muted',
    visibility: VISIBILITY.muted,
    updatedAt: 0,
  });
  return state;
}

it.each([
  ['a topic', topicNarrow(1, 'A'), [10, 30]],
  ['a direct conversation', directNarrow([9, OWN_ID]), [15]],
  ['a channel, with its muted topics, which it shows', channelNarrow(1), [5, 10, 20, 30, 40]],
  ['all direct conversations', directsNarrow(), [15]],
  ['the combined feed, without what is muted', allNarrow(), [10, 15, 20, 30, 40]],
  ['mentions, wherever they are', mentionsNarrow(), [7, 30]],
  ['starred messages, which are not read by walking through them', starredNarrow(), []],
  ['a search', searchNarrow('word'), []],
])('%s', (_name, narrow, expected) => {
  expect(unreadIdsIn(world(), narrow)).toEqual(expected);
});
