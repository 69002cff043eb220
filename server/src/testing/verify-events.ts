// Checks that events report every change: takes a client's state, acts, applies the events that the client gets, and
// compares with the state of a new client. Every action that emits has such a test.
import { expect } from 'vitest';
import { Value } from 'typebox/value';
import { EVENT_SHAPES, eventName } from '../chat/realtime/events/catalog.ts';
import { PARTS, type ChatEvent } from '../chat/realtime/events/parts.ts';
import { chatClient, type ChatClient } from './chat/client.ts';
import { readBounds, readEvents } from '../platform/events/log.ts';
import { pause } from '../platform/std/wait.ts';
import type { Person } from './example.ts';
import type { TestServer } from './server.ts';

const EVERYTHING = {
  include_subscribers: 'true',
  client_capabilities: {
    notification_settings_null: true,
    archived_channels: true,
    include_deactivated_groups: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
  },
};
const WAIT_MS = 5000;

type Received = ChatEvent & { readonly id: number };

/** What a client knows: the fields of the register answer. */
export type ClientState = Readonly<Record<string, unknown>>;

type Apply = (state: ClientState, event: ChatEvent) => object;

/**
 * State plus event gives the next state: what a client does, as one pure function. First the feature that owns the event
 * applies it; then the features whose state follows from it do, in the order of the parts.
 */
export function applyEvent(state: ClientState, event: ChatEvent): ClientState {
  const owners = PARTS.map(({ applyInTests }) => applyInTests?.[event.type]);
  if (owners.every((apply) => apply === undefined)) {
    throw new Error(`No part in chat/realtime/events/parts.ts has applyInTests for ${event.type}.`);
  }
  const followers = PARTS.map(({ followInTests }) => followInTests?.[event.type]);
  return [...owners, ...followers].reduce<ClientState>(
    (next, apply) => ({ ...next, ...(apply as Apply | undefined)?.(next, event) }),
    state,
  );
}

/**
 * Runs `act` while each of `viewers` has a client, checks that every client can follow, and returns the events that
 * each got, in the order of `viewers`.
 */
export async function verifyEvents(
  server: TestServer,
  viewers: readonly Person[],
  act: () => Promise<unknown>,
): Promise<Received[][]> {
  await settle(server);
  const clients = viewers.map((viewer) => ({ viewer, client: chatClient(server, viewer) }));
  const before = await Promise.all(clients.map(({ client }) => takeState(client)));
  await act();
  const received: Received[][] = [];
  for (const [index, { viewer, client }] of clients.entries()) {
    const start = before[index];
    if (start === undefined) continue;
    const events = await receiveAll(server, viewer, client, start);
    for (const event of events) checkShape(event);
    const followed = events.reduce<ClientState>(applyEvent, start.state);
    const fresh = await takeState(client);
    expect(comparable(followed), `what ${viewer.fullName} knows`).toEqual(comparable(fresh.state));
    await Promise.all([start, fresh].map(({ queueId }) => closeQueue(client, queueId)));
    received.push(events);
  }
  return received;
}

/** Checks that every event in the log has a declared shape; for the end of a test file. */
export async function checkLoggedShapes({ ctx }: TestServer): Promise<void> {
  const { head } = await readBounds(ctx.database.pool);
  for (const { payload } of await readEvents(
    ctx.database.pool,
    0,
    head,
    100_000,
    Number.MAX_SAFE_INTEGER,
  )) {
    checkShape(JSON.parse(payload) as ChatEvent);
  }
}

/** Waits until every committed event is in the log. */
export async function settle({ ctx }: TestServer): Promise<void> {
  const untilMs = performance.now() + WAIT_MS;
  while (performance.now() < untilMs) {
    const row = await ctx.db.selectFrom('outbox').select('id').limit(1).executeTakeFirst();
    if (row === undefined) return;
    await pause(5);
  }
  throw new Error('The relay did not empty the outbox in time.');
}

interface Start {
  readonly queueId: string;
  readonly lastEventId: number;
  readonly state: ClientState;
}

async function takeState(client: ChatClient): Promise<Start> {
  const { status, body } = await client.post('/register', EVERYTHING);
  expect(status).toBe(200);
  return {
    queueId: String(body['queue_id']),
    lastEventId: Number(body['last_event_id']),
    state: body,
  };
}

async function receiveAll(
  server: TestServer,
  viewer: Person,
  client: ChatClient,
  { queueId, lastEventId }: Start,
): Promise<Received[]> {
  await settle(server);
  const { head } = await readBounds(server.ctx.database.pool);
  const untilMs = performance.now() + WAIT_MS;
  while (server.hub.position() < head) {
    if (performance.now() > untilMs) throw new Error(`The node did not get to ${head} in time.`);
    await pause(5);
  }
  const { status, body } = await client.get('/events', {
    queue_id: queueId,
    last_event_id: lastEventId,
    dont_block: true,
  });
  expect(status, `${viewer.fullName}: ${JSON.stringify(body)}`).toBe(200);
  return body['events'] as Received[];
}

function checkShape(event: ChatEvent & { readonly id?: number }): void {
  const { id: _id, ...payload } = event;
  const name = eventName(payload);
  const shape = EVENT_SHAPES.get(name);
  if (shape === undefined) throw new Error(`The event ${name} is not in the catalog.`);
  expect(Value.Errors(shape, payload), name).toEqual([]);
}

/** Leaves out what differs between clients and moments. */
function comparable(state: ClientState): Record<string, unknown> {
  const { queue_id, last_event_id, server_timestamp, presence_last_update_id, ...rest } = state;
  expect(typeof queue_id).toBe('string');
  for (const value of [last_event_id, server_timestamp, presence_last_update_id]) {
    expect(typeof value).toBe('number');
  }
  return rest;
}

async function closeQueue(client: ChatClient, queueId: string): Promise<void> {
  await client.delete('/events', { queue_id: queueId });
}
