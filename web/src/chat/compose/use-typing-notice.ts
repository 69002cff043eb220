// Tells the others that somebody types, and that they stopped; never more often than the server asks for.
import { useEffect, useRef } from 'react';
import type { Conversation } from '../../state/entities.ts';
import { settingOf } from '../../state/select.ts';
import { useStore } from '../../state/react.ts';

/** Call the answer at each change of the text. */
export function useTypingNotice(destination: Conversation | undefined): () => void {
  const store = useStore();
  const told = useRef({
    atMs: -Infinity,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });
  const tell = (op: 'start' | 'stop') => {
    if (destination === undefined) return;
    const name =
      destination.kind === 'topic'
        ? 'send_stream_typing_notifications'
        : 'send_private_typing_notifications';
    if (settingOf(store.state, name) === false) return;
    const params =
      destination.kind === 'topic'
        ? { type: 'channel' as const, stream_id: destination.channelId, topic: destination.topic }
        : { type: 'direct' as const, to: destination.userIds };
    // Nobody waits for this, and a lost one ends by itself.
    store.client.chat.setTypingStatus({ op, ...params }).catch(() => undefined);
  };
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    const state = told.current;
    return () => clearTimeout(state.timer);
  }, []);
  return () => {
    const { limits } = store.state.organization;
    const state = told.current;
    const now = performance.now();
    if (now - state.atMs > (limits['typingStartedMs'] ?? 10_000)) {
      state.atMs = now;
      tell('start');
    }
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      state.atMs = -Infinity;
      latest.current('stop');
    }, limits['typingStoppedMs'] ?? 5_000);
  };
}
