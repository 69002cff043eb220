// A client of one queue for both products, as the tests of this folder use it.
import { expect } from 'vitest';
import type { Person } from '../../testing/example.ts';
import type { TestServer } from '../../testing/server.ts';
import { chatClient, type ChatClient } from '../../testing/chat/client.ts';
import type { TradingState } from '../../chat/realtime/events/trading-state.ts';
import type { TradingEvent } from './events.ts';

export type QueueEvent = { readonly id: number; readonly type: string } & Partial<
  Record<string, unknown>
>;

export const TRADING = ['order', 'trade', 'balance', 'market'];

/** With a shape, where the test knows the type. */
export const ofType = <T extends TradingEvent['type']>(
  events: readonly QueueEvent[],
  type: T,
): (Extract<TradingEvent, { type: T }> & { id: number })[] =>
  events.filter((event) => event.type === type) as never;

export class QueueClient {
  readonly chat: ChatClient;
  readonly queueId: string;
  readonly trading: TradingState;
  last: number;
  readonly seen: QueueEvent[] = [];

  private constructor(chat: ChatClient, body: Record<string, unknown>) {
    this.chat = chat;
    this.queueId = String(body['queue_id']);
    this.last = Number(body['last_event_id']);
    this.trading = body['trading'] as TradingState;
  }

  static async register(
    server: Pick<TestServer, 'chatUrl'>,
    person: Pick<Person, 'basic'>,
    types: readonly string[] | 'not chosen' = TRADING,
  ): Promise<QueueClient> {
    const chat = chatClient(server, person);
    const { status, body, text } = await chat.post('/register', {
      event_types: types === 'not chosen' ? undefined : types,
      fetch_event_types: [],
    });
    expect(status, text).toBe(200);
    return new QueueClient(chat, body);
  }

  /** One poll that does not wait, from the last event that was seen. */
  async poll(last = this.last): Promise<QueueEvent[]> {
    const { body, text } = await this.chat.get('/events', {
      queue_id: this.queueId,
      last_event_id: last,
      dont_block: true,
    });
    expect(body['result'], text).toBe('success');
    return body['events'] as QueueEvent[];
  }

  /** Polls until the events seen so far are enough; ids must rise. */
  async collect(isEnough: (seen: readonly QueueEvent[]) => boolean): Promise<QueueEvent[]> {
    await expect
      .poll(
        async () => {
          for (const event of await this.poll()) {
            expect(event.id).toBeGreaterThan(this.last);
            this.last = event.id;
            if (event.type !== 'heartbeat') this.seen.push(event);
          }
          return isEnough(this.seen);
        },
        { timeout: 10_000, interval: 20 },
      )
      .toBe(true);
    return this.seen;
  }
}
