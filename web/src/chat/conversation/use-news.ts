// What happens to the open conversation beside its messages: others write, which a screen reader says; and somebody
// moves the topic, which the reader follows, also when it happened while the page was away.
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { keyOf, topicOf } from '../../state/keys.ts';
import { messageOf, personOf } from '../../state/select.ts';
import type { Store } from '../../state/store.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { useToasts } from '../../ui/toasts-context.tsx';
import { composeBoxOf } from '../compose/box.ts';
import { parseHtml } from '../content/dom.ts';
import { textOf } from '../content/tree.ts';
import { topicNarrow } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';
import type { Feed } from './feed.ts';
import { texts } from './texts.ts';
import { findTopic } from './whereabouts.ts';

const SAID_MAX = 200;

export function useNews(
  store: Store,
  feed: Feed,
  place: Conversation | undefined,
  openNarrow: (narrow: Narrow) => void,
): { readonly isGone: boolean } {
  const t = useTexts(texts);
  const announcer = useAnnouncer();
  const toasts = useToasts();
  const say = (id: number) => {
    const message = messageOf(store.state, id);
    if (message === undefined || place === undefined) return;
    const ownId = store.state.own.userId;
    if (message.senderId === ownId || message.key !== keyOf(place, ownId)) return;
    const name = personOf(store.state, message.senderId)?.fullName ?? message.senderName;
    const text = parseHtml(message.content).map(textOf).join(' ').trim();
    announcer.heard(`${name}: ${text.slice(0, SAID_MAX)}`);
  };
  const followMove = (topic: string, channelId: number) => {
    openNarrow(topicNarrow(channelId, topic));
    const text = t.topicMoved({ topic: `\u2068${topic}\u2069` });
    toasts.show({ text });
    announcer.say(text);
  };
  const [gone, setGone] = useState<Feed>();
  /** After a new register: the messages that the topic had tell where it is now. */
  const lookAfterTopic = async () => {
    if (place?.kind !== 'topic') return;
    const held = feed.view().span?.ids ?? [];
    const found = await findTopic(store.client.chat, place, held);
    if (latest.current.place !== place) return;
    setGone(found === 'gone' ? feed : undefined);
    if (typeof found === 'string') return;
    composeBoxOf(store).followTopic(place, topicOf(found.channelId, found.topic));
    followMove(found.topic, found.channelId);
  };
  const latest = useRef({ place, say, followMove, lookAfterTopic });
  useEffect(() => {
    latest.current = { place, say, followMove, lookAfterTopic };
  });
  useEffect(
    () =>
      store.onBatch((batch) => {
        if (batch.kind === 'reset') {
          // A failure needs no word: the list itself is asked for again, and says what fails.
          latest.current.lookAfterTopic().catch(() => undefined);
          return;
        }
        for (const event of batch.events) {
          const { place: here } = latest.current;
          if (event.type === 'message') latest.current.say(event.message.id);
          else if (
            event.type === 'update_message' &&
            event.propagate_mode === 'change_all' &&
            here?.kind === 'topic' &&
            event.stream_id === here.channelId &&
            event.orig_subject?.toLowerCase() === here.topic.toLowerCase()
          ) {
            latest.current.followMove(
              event.subject ?? here.topic,
              event.new_stream_id ?? here.channelId,
            );
          }
        }
      }),
    [store],
  );
  return { isGone: gone === feed };
}
