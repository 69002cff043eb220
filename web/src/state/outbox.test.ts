// Messages on their way through a network that loses requests and answers. The server sends one under the same id once.
import {
  NetworkError,
  ChatError,
  type Chat,
  type QueueEvent,
  type SendMessageParams,
} from '@rialto/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCore, type Core } from './core.ts';
import type { StoredMessage } from './disk.ts';
import { exampleMessage, OWN_ID } from './example.ts';
import { topicOf } from './keys.ts';
import { createOutbox, type OutboxControl } from './outbox.ts';

const PLACE = topicOf(1, 'plan');
const lost = () =>
  new NetworkError({
    name: 'NETWORK',
    code: 'NETWORK',
    message: 'lost',
    isRetryable: true,
    outcome: 'unknown',
  });

/** What happens to one request. */
type Fate = 'fine' | 'request lost' | 'answer lost' | 'slow' | 'refused';

interface World {
  readonly core: Core;
  readonly outbox: OutboxControl;
  readonly sent: string[];
  readonly disk: Map<string, StoredMessage>;
  fate: (attempt: number) => Fate;
  hasEvents: boolean;
}

function open(tabId = 'tab', disk = new Map<string, StoredMessage>()): World {
  const core = createCore(OWN_ID);
  const known = new Map<string, number>();
  const world: { -readonly [K in keyof World]: World[K] } = {
    core,
    sent: [],
    disk,
    fate: () => 'fine',
    hasEvents: true,
    outbox: undefined as never,
  };
  let attempts = 0;
  const deliver = (params: SendMessageParams): number => {
    const localId = params.local_id ?? '';
    const before = known.get(localId);
    if (before !== undefined) return before;
    const id = known.size + 1;
    known.set(localId, id);
    world.sent.push(params.content);
    if (world.hasEvents) {
      const message = exampleMessage({ id, content: params.content });
      const event = { id, type: 'message', message, flags: ['read'], local_message_id: localId };
      setTimeout(() => core.applyEvents([event as unknown as QueueEvent]), 20);
    }
    return id;
  };
  const chat = {
    async sendMessage(params: SendMessageParams) {
      const fate = world.fate((attempts += 1));
      if (fate === 'request lost') throw lost();
      if (fate === 'refused') {
        throw new ChatError({
          name: 'X',
          code: 'X',
          message: 'No.',
          isRetryable: false,
          outcome: 'none',
        });
      }
      if (fate === 'slow') await new Promise((resolve) => setTimeout(resolve, 12_000));
      const id = deliver(params);
      if (fate === 'answer lost') throw lost();
      return { id, message_url: '', message_link: '' };
    },
    getMessages: async ({ message_ids = [] }: { message_ids?: readonly number[] }) => ({
      messages: message_ids.map((id) => exampleMessage({ id })),
    }),
  };
  world.outbox = createOutbox({
    chat: chat as unknown as Chat,
    core,
    disk: {
      putOutbox: async (message) => void disk.set(message.localId, message),
      removeOutbox: async (localId) => void disk.delete(localId),
      listOutbox: async () => [...disk.values()],
    },
    tabId,
    queueId: () => 'queue',
  });
  core.onBatch(world.outbox.follow);
  return world;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a message on its way', () => {
  it('is drawn at once, and gives its place to the message', async () => {
    const { outbox, core, disk } = open();
    const row = outbox.send({ to: PLACE, content: 'hello' });
    expect(outbox.of(row.key)).toEqual([row]);
    await pass(1);
    expect(disk.has(row.localId)).toBe(true);
    await pass(100);
    expect(outbox.rows()).toEqual([]);
    expect(core.state.messages.size).toBe(1);
    expect(disk.size).toBe(0);
  });

  it('[13] is sent once, and in order, though answers and requests are lost a hundred times', async () => {
    const world = open();
    let seed = 1;
    world.fate = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return (['fine', 'request lost', 'answer lost', 'answer lost'] as const)[seed % 4] ?? 'fine';
    };
    const texts = Array.from({ length: 100 }, (_, n) => `message ${n}`);
    for (const content of texts) world.outbox.send({ to: PLACE, content });
    await pass(3_600_000);
    expect(world.sent).toEqual(texts);
    expect(world.outbox.rows()).toEqual([]);
  });

  it('says that it is being sent after half a second, and that it is checked after ten', async () => {
    const world = open();
    world.fate = () => 'slow';
    const { key } = world.outbox.send({ to: PLACE, content: 'hello' });
    const state = () => world.outbox.of(key)[0]?.state;
    await pass(400);
    expect(state()).toBe('new');
    await pass(200);
    expect(state()).toBe('sending');
    await pass(10_000);
    expect(state()).toBe('checking');
    await pass(5000);
    expect(state()).toBeUndefined();
  });

  it('waits for the person after a refusal, and lets others pass', async () => {
    const world = open();
    world.fate = (attempt) => (attempt === 1 ? 'refused' : 'fine');
    const row = world.outbox.send({ to: PLACE, content: 'first' });
    world.outbox.send({ to: PLACE, content: 'second' });
    await pass(1000);
    expect(world.outbox.rows()).toMatchObject([{ state: 'failed', error: { message: 'No.' } }]);
    expect(world.sent).toEqual(['second']);
    world.outbox.retry(row.localId);
    await pass(1000);
    expect(world.sent).toEqual(['second', 'first']);
    expect(world.outbox.rows()).toEqual([]);
  });

  it('gives its text back when it is discarded', async () => {
    const world = open();
    world.fate = () => 'refused';
    const { localId } = world.outbox.send({ to: PLACE, content: 'first' });
    expect(world.outbox.discard(localId)).toBeUndefined();
    await pass(1000);
    expect(world.outbox.discard(localId)).toBe('first');
    expect(world.disk.size).toBe(0);
  });

  it('is asked for when no event comes, as in a channel without a subscription', async () => {
    const world = open();
    world.hasEvents = false;
    world.outbox.send({ to: PLACE, content: 'hello' });
    await pass(100);
    expect(world.outbox.rows()).toMatchObject([{ state: 'sent', messageId: 1 }]);
    await pass(6000);
    expect(world.outbox.rows()).toEqual([]);
    expect(world.core.state.messages.has(1)).toBe(true);
  });

  it('is tried at once when the connection is back', async () => {
    const world = open();
    world.fate = (attempt) => (attempt <= 6 ? 'request lost' : 'fine');
    world.outbox.send({ to: PLACE, content: 'hello' });
    await pass(31_000);
    expect(world.sent).toEqual([]);
    world.outbox.poke();
    await pass(1);
    expect(world.sent).toEqual(['hello']);
  });

  it('is taken over from a tab that was closed, and from no other', async () => {
    const first = open('closed');
    first.fate = () => 'request lost';
    first.outbox.send({ to: PLACE, content: 'left behind' });
    await pass(10);
    first.outbox.stop();
    const second = open('new', first.disk);
    await second.outbox.adopt(new Set(['closed']));
    expect(second.outbox.rows()).toEqual([]);
    await second.outbox.adopt(new Set(['new']));
    await pass(1000);
    expect(second.sent).toEqual(['left behind']);
    expect(second.disk.size).toBe(0);
  });

  it('sends nothing once it was stopped, and again after it was started', async () => {
    const { outbox, sent } = open('one');
    outbox.stop();
    outbox.send({ to: PLACE, content: 'kept' });
    await pass(1000);
    expect(sent).toEqual([]);
    outbox.start();
    outbox.send({ to: PLACE, content: 'and this' });
    await pass(1000);
    expect(sent).toEqual(['kept', 'and this']);
  });
});
