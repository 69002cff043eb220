// Fetches what was written lately, a page at a time, for the list of recent conversations.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../../state/react.ts';
import type { Store } from '../../state/store.ts';

const PAGE = 200;
/** More than anybody scrolls through here; search finds what is older. */
const PAGES_MAX = 20;
/** The latest messages of direct conversations that the pages may not reach. */
const DIRECTS_MAX = 100;

export interface History {
  readonly stage: 'loading' | 'idle' | 'failed' | 'end';
  readonly error: unknown;
  readonly more: () => void;
}

export function useHistory(): History {
  const store = useStore();
  const [stage, setStage] = useState<History['stage']>('loading');
  const [error, setError] = useState<unknown>();
  const oldest = useRef<{ id: number | undefined; pages: number }>({ id: undefined, pages: 0 });
  const load = useCallback(
    async (signal?: AbortSignal) => {
      setStage('loading');
      try {
        const page = await fetchPage(store, oldest.current.id, signal);
        oldest.current = { id: page.oldestId, pages: oldest.current.pages + 1 };
        setStage(page.isEnd || oldest.current.pages >= PAGES_MAX ? 'end' : 'idle');
      } catch (thrown) {
        if (signal?.aborted === true) return;
        setError(thrown);
        setStage('failed');
      }
    },
    [store],
  );
  useEffect(() => {
    const controller = new AbortController();
    oldest.current = { id: undefined, pages: 0 };
    void load(controller.signal);
    return () => controller.abort();
  }, [load]);
  return { stage, error, more: () => void load() };
}

async function fetchPage(store: Store, beforeId: number | undefined, signal?: AbortSignal) {
  const options = signal === undefined ? {} : { signal };
  const { chat } = store.client;
  const answer = await chat.getMessages(
    {
      anchor: beforeId === undefined ? 'newest' : String(beforeId),
      num_before: PAGE,
      num_after: 0,
      include_anchor: beforeId === undefined,
      narrow: [],
      allow_empty_topic_name: true,
    },
    options,
  );
  store.addMessages(answer.messages);
  if (beforeId === undefined) await fetchDirects(store, options);
  return { oldestId: answer.messages[0]?.id, isEnd: answer.found_oldest };
}

/** Direct conversations that the server named: without their latest message nobody knows when it was. */
async function fetchDirects(store: Store, options: { signal?: AbortSignal }): Promise<void> {
  const { state } = store;
  const missing = [...state.recentDirect.values()]
    .map(({ maxId }) => maxId)
    .filter((id) => !state.messages.has(id))
    .sort((a, b) => b - a)
    .slice(0, DIRECTS_MAX);
  if (missing.length === 0) return;
  const { messages } = await store.client.chat.getMessages(
    { message_ids: missing, allow_empty_topic_name: true },
    options,
  );
  store.addMessages(messages);
}
