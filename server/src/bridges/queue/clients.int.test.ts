// Unmodified clients of Zulip, of somebody who trades: they see neither a type nor a field that a chat without a venue
// would not show them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_SHAPES, eventName } from '../../chat/realtime/events/catalog.ts';
import { TERMINAL } from '../../chat/realtime/events/client-needs.ts';
import { chatClient, type ChatClient, type FormInput } from '../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { openDesk, type Desk } from '../../testing/trading/desk.ts';
import { ofType, QueueClient, TRADING, type QueueEvent } from './test-client.ts';

/** What each client sends when it registers, as recorded. */
const CLIENTS: Readonly<Record<string, FormInput>> = {
  terminal: {
    event_types: TERMINAL.eventTypes,
    fetch_event_types: TERMINAL.fetchEventTypes,
    apply_markdown: true,
    client_gravatar: true,
    include_subscribers: 'true',
    narrow: [],
  },
  'the bot runner in Python': { event_types: ['message'], narrow: [] },
  'the library in JavaScript': { event_types: 'null' },
  flutter: {
    apply_markdown: true,
    slim_presence: true,
    client_gravatar: false,
    idle_queue_timeout: '"mobile"',
    client_capabilities: {
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_avatar_url_field_optional: true,
      stream_typing_notifications: true,
      user_settings_object: true,
      include_deactivated_groups: true,
      empty_topic_name: true,
      individual_emoji_changes: true,
    },
  },
};

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ settings: { CHAT_RATE_LIMIT: '100000' } });
});
afterAll(() => desk.close());

async function register(client: ChatClient, params: FormInput): Promise<Record<string, unknown>> {
  const { status, body, text } = await client.post('/register', params);
  expect(status, text).toBe(200);
  return body;
}

const keysOf = (body: object): string[] => Object.keys(body).sort();

it.each(Object.entries(CLIENTS))('%s sees nothing new', async (_name, params) => {
  const plain = await examplePerson(desk.server.ctx);
  const person: Person = await examplePerson(desk.server.ctx);
  const trader = await desk.trader(undefined, { userId: person.id });
  const chat = chatClient(desk.server, person);
  const registered = await register(chat, params);
  const without = await register(chatClient(desk.server, plain), params);
  expect(keysOf(registered)).toEqual(keysOf(without));
  expect(registered).not.toHaveProperty('trading');

  const trading = await QueueClient.register(desk.server, person);
  await desk.trade('64000.00');
  await desk.place(trader, { price: '63000.00' });
  await desk.venue.setPhase('ethusdt', 'halted');
  await desk.venue.setPhase('ethusdt', 'continuous');
  await trading.collect((seen) => ofType(seen, 'market').length >= 2);
  await chat.post('/messages', { type: 'direct', to: [person.id], content: 'the end' });

  const events: QueueEvent[] = [];
  await expect
    .poll(
      async () => {
        const { body } = await chat.get('/events', {
          queue_id: registered['queue_id'],
          last_event_id: events.at(-1)?.id ?? registered['last_event_id'],
          dont_block: true,
        });
        events.push(...(body['events'] as QueueEvent[]));
        return events.some(({ type }) => type === 'message');
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  for (const { id: _, ...event } of events) {
    expect(TRADING).not.toContain(event.type);
    if (event.type === 'heartbeat') continue;
    const shape = EVENT_SHAPES.get(eventName(event));
    expect(shape, event.type).toBeDefined();
    const known = Object.keys(shape?.properties ?? {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(event)));
    if (event.type === 'message') expect(keysOf(event['message'] as object)).not.toContain('card');
  }
});
