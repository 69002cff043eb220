// Messages on their way. A row is on disk before the request leaves, and its UUID makes a repeated request harmless: the
// server sends a message with the same id once. One message of a conversation is sent at a time, so they stay in order.
import type { Chat, SendMessageParams } from '@rialto/sdk';
import type { Batch, Core } from './core.ts';
import type { Disk } from './disk.ts';
import type { Conversation, ConversationKey } from './entities.ts';
import { keyOf } from './keys.ts';
import {
  aged,
  answered,
  CHECKING_AFTER_MS,
  failed,
  isOnItsWay,
  pauseAfter,
  renewed,
  SENDING_AFTER_MS,
  type OutboxRow,
} from './outbox-row.ts';

export type { OutboxRow } from './outbox-row.ts';

export interface Outbox {
  /** Oldest first. */
  rows(): readonly OutboxRow[];
  /** The rows of one conversation, oldest first: they are drawn below its newest message. */
  of(key: ConversationKey): readonly OutboxRow[];
  /** Draws it at once and sends it when those before it in the same conversation are through. */
  send(message: { readonly to: Conversation; readonly content: string }): OutboxRow;
  /** Sends a failed one again, with the same id. */
  retry(localId: string): void;
  /** Forgets a failed one; gives its text, for the compose box. */
  discard(localId: string): string | undefined;
}

/** What the rest of the store tells the outbox. */
export interface OutboxControl extends Outbox {
  follow(batch: Batch): void;
  /** The connection is back: what waits is tried now. */
  poke(): void;
  /** Takes over what closed tabs left behind. */
  adopt(openTabs: ReadonlySet<string>): Promise<void>;
  /** Also after `stop`: React begins everything twice while the client is developed. */
  start(): void;
  stop(): void;
}

export interface OutboxOptions {
  readonly chat: Pick<Chat, 'sendMessage' | 'getMessages'>;
  readonly core: Pick<Core, 'state' | 'addMessages' | 'notify'>;
  readonly disk: Pick<Disk, 'putOutbox' | 'removeOutbox' | 'listOutbox'>;
  readonly tabId: string;
  readonly queueId: () => string | undefined;
}

/** The event of a message usually comes with its answer. Without a subscription it never comes. */
const EVENT_WITHIN_MS = 5000;
const SEND_WITHIN_MS = 15_000;

export function createOutbox(options: OutboxOptions): OutboxControl {
  const { chat, core, disk, tabId } = options;
  const rows = new Map<string, OutboxRow>();
  const inFlight = new Map<ConversationKey, string>();
  const attempts = new Map<string, number>();
  const pauses = new Map<string, ReturnType<typeof setTimeout>>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const lists = new Map<ConversationKey | '', readonly OutboxRow[]>();
  let isStopped = false;

  const after = (ms: number, act: () => void): ReturnType<typeof setTimeout> => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isStopped) act();
    }, ms);
    timers.add(timer);
    return timer;
  };

  const put = (row: OutboxRow): void => {
    rows.set(row.localId, row);
    lists.clear();
    core.notify();
  };

  const remove = (localId: string): void => {
    const row = rows.get(localId);
    if (row === undefined) return;
    rows.delete(localId);
    attempts.delete(localId);
    lists.clear();
    void disk.removeOutbox(localId);
    core.notify();
  };

  const label = (localId: string): void => {
    const row = rows.get(localId);
    const next = row && aged(row, Date.now());
    if (next !== undefined && next !== row) put(next);
  };

  /** Sends the oldest of the conversation, unless one is under way or waits to be tried again. */
  const pump = (key: ConversationKey): void => {
    if (isStopped || inFlight.has(key)) return;
    const next = listOf(key).find(isOnItsWay);
    if (next === undefined || pauses.has(next.localId)) return;
    inFlight.set(key, next.localId);
    void attempt(next).finally(() => {
      inFlight.delete(key);
      pump(key);
    });
  };

  const attempt = async (row: OutboxRow): Promise<void> => {
    const { localId } = row;
    await disk.putOutbox({ localId, tabId, row });
    try {
      const { id } = await chat.sendMessage(paramsOf(row, options.queueId()), {
        retry: false,
        timeoutMs: SEND_WITHIN_MS,
      });
      conclude(localId, id);
    } catch (error) {
      const current = rows.get(localId);
      // Its event came while the answer was lost.
      if (current === undefined) return;
      const next = failed(current, error, Date.now());
      put(next);
      if (next.state !== 'failed') tryLater(next);
      else void disk.putOutbox({ localId, tabId, row: next });
    }
  };

  const tryLater = ({ localId, key }: OutboxRow): void => {
    const count = (attempts.get(localId) ?? 0) + 1;
    attempts.set(localId, count);
    const timer = after(pauseAfter(count, Math.random()), () => {
      pauses.delete(localId);
      pump(key);
    });
    pauses.set(localId, timer);
  };

  const conclude = (localId: string, messageId: number): void => {
    const row = rows.get(localId);
    if (row === undefined) return;
    if (core.state.messages.has(messageId)) {
      remove(localId);
      return;
    }
    put(answered(row, messageId));
    after(EVENT_WITHIN_MS, () => void fetchSent(localId, messageId));
  };

  /** No event came, so the message is asked for. */
  const fetchSent = async (localId: string, messageId: number): Promise<void> => {
    if (!rows.has(localId)) return;
    try {
      const { messages } = await chat.getMessages({
        message_ids: [messageId],
        apply_markdown: true,
        allow_empty_topic_name: true,
      });
      core.addMessages(messages);
      remove(localId);
    } catch {
      after(EVENT_WITHIN_MS, () => void fetchSent(localId, messageId));
    }
  };

  const listOf = (key: ConversationKey | ''): readonly OutboxRow[] => {
    const known = lists.get(key);
    if (known !== undefined) return known;
    const own = [...rows.values()].filter((row) => key === '' || row.key === key);
    lists.set(key, own);
    return own;
  };

  const begin = (row: OutboxRow): void => {
    put(row);
    after(SENDING_AFTER_MS, () => label(row.localId));
    after(CHECKING_AFTER_MS, () => label(row.localId));
    pump(row.key);
  };

  return {
    rows: () => listOf(''),
    of: listOf,
    send({ to, content }) {
      const row: OutboxRow = {
        localId: crypto.randomUUID(),
        conversation: to,
        key: keyOf(to, core.state.own.userId),
        content,
        createdAtMs: Date.now(),
        state: 'new',
        messageId: undefined,
        error: undefined,
      };
      begin(row);
      return row;
    },
    retry(localId) {
      const row = rows.get(localId);
      if (row?.state === 'failed') begin(renewed(row, Date.now()));
    },
    discard(localId) {
      const row = rows.get(localId);
      if (row?.state !== 'failed') return undefined;
      remove(localId);
      return row.content;
    },
    follow(batch) {
      if (batch.kind !== 'events' || rows.size === 0) return;
      for (const event of batch.events) {
        if (event.type !== 'message') continue;
        if (event.local_message_id !== undefined) remove(event.local_message_id);
        for (const { localId, messageId } of listOf('')) {
          if (messageId === event.message.id) remove(localId);
        }
      }
    },
    poke() {
      for (const [localId, timer] of pauses) {
        clearTimeout(timer);
        timers.delete(timer);
        pauses.delete(localId);
      }
      for (const { key } of listOf('')) pump(key);
    },
    async adopt(openTabs) {
      for (const { localId, tabId: owner, row } of await disk.listOutbox()) {
        if (openTabs.has(owner) || rows.has(localId)) continue;
        const stored = row as OutboxRow;
        if (stored.state === 'failed') put(stored);
        else begin({ ...stored, state: 'checking' });
      }
    },
    start() {
      isStopped = false;
    },
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

function paramsOf(
  { conversation: to, content, localId }: OutboxRow,
  queueId: string | undefined,
): SendMessageParams {
  const place =
    to.kind === 'topic'
      ? ({ type: 'channel', to: to.channelId, topic: to.topic } as const)
      : ({ type: 'direct', to: to.userIds } as const);
  return {
    ...place,
    content,
    local_id: localId,
    read_by_sender: true,
    ...(queueId !== undefined && { queue_id: queueId }),
  };
}
