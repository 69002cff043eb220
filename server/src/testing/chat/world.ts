// A server with a few people and channels for tests of messages, and the calls that most of them make.
import { afterAll, beforeAll, expect } from 'vitest';
import type { NewUser } from '../../accounts/users/actions.ts';
import type { Context } from '../../platform/context.ts';
import { examplePerson, type Person } from '../example.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts';
import { checkLoggedShapes } from '../verify-events.ts';
import { castPeople, CHANNELS } from './cast.ts';
import { chatClient, type Answer, type ChatClient, type FormInput } from './client.ts';
import type { MessageObject } from '../../chat/messages/message/object.ts';

export interface Actor extends Person {
  readonly client: ChatClient;
}

export interface MessageWorld {
  readonly server: TestServer;
  readonly owner: Actor;
  readonly ada: Actor;
  readonly bob: Actor;
  readonly guest: Actor;
  /** A person who is subscribed to nothing. */
  readonly stranger: Actor;
  /** Everybody but the stranger is subscribed to the public one; Ada and Bob to the private ones. */
  readonly publicId: number;
  readonly privateId: number;
  readonly protectedId: number;
  person(given?: Partial<NewUser>): Promise<Actor>;
  channel(name: string, subscribers: readonly Actor[], more?: FormInput): Promise<number>;
  close(): Promise<void>;
}

const NAMES = ['owner', 'ada', 'bob', 'guest', 'stranger'] as const;

/** Creates people with a client for the server at `chatUrl`. */
export const actorsOf =
  (server: Pick<TestServer, 'chatUrl'>, ctx: Context) =>
  async (given: Partial<NewUser> = {}): Promise<Actor> => {
    const one = await examplePerson(ctx, given);
    return { ...one, client: chatClient(server, one) };
  };

export async function openMessageWorld(options: TestServerOptions = {}): Promise<MessageWorld> {
  const server = await startTestServer({
    ...options,
    settings: { CHAT_RATE_LIMIT: '1000000', ...options.settings },
  });
  const person = actorsOf(server, server.ctx);
  const { owner, ada, bob, guest, stranger } = await castPeople(person, NAMES);
  const channel = async (name: string, subscribers: readonly Actor[], more: FormInput = {}) => {
    const ids = subscribers.map(({ id }) => id);
    const answer = await owner.client.post('/channels/create', { name, subscribers: ids, ...more });
    return Number(ok(answer)['id']);
  };
  return {
    server,
    owner,
    ada,
    bob,
    guest,
    stranger,
    publicId: await channel(CHANNELS.public.name, [owner, ada, bob, guest]),
    privateId: await channel(CHANNELS.private.name, [ada, bob], CHANNELS.private),
    protectedId: await channel(CHANNELS.protected.name, [ada, bob], CHANNELS.protected),
    person,
    channel,
    close: () => server.close(),
  };
}

/**
 * Call it at the top of a test file: the world exists from the first test to the last. At the end, all events are
 * checked against their declared shapes.
 */
export function useMessageWorld(options: TestServerOptions = {}): MessageWorld {
  const world = {} as MessageWorld;
  beforeAll(async () => {
    Object.assign(world, await openMessageWorld(options));
  });
  afterAll(async () => {
    await checkLoggedShapes(world.server);
    await world.close();
  });
  return world;
}

export function ok({ status, body }: Answer): Record<string, unknown> {
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return body;
}

export function refused(answer: Answer): { code: string; msg: string } {
  expect(answer.body).toMatchObject({ result: 'error' });
  return answer.body as { code: string; msg: string };
}

export async function send(
  { client }: Actor,
  channelId: number,
  topic: string,
  content: string,
  more: FormInput = {},
): Promise<number> {
  const answer = await client.post('/messages', {
    type: 'channel',
    to: channelId,
    topic,
    content,
    ...more,
  });
  return Number(ok(answer)['id']);
}

export async function sendDirect(
  { client }: Actor,
  to: readonly { readonly id: number }[],
  content: string,
): Promise<number> {
  const ids = to.map(({ id }) => id);
  return Number(ok(await client.post('/messages', { type: 'direct', to: ids, content }))['id']);
}

export async function subscribe(actor: Actor, name: string): Promise<void> {
  ok(await actor.client.post('/users/me/subscriptions', { subscriptions: [{ name }] }));
}

export async function unsubscribe(actor: Actor, name: string): Promise<void> {
  ok(await actor.client.delete('/users/me/subscriptions', { subscriptions: [name] }));
}

/** All messages of a narrow. */
export async function fetchAll(
  { client }: Actor,
  narrow: readonly unknown[] = [],
  more: FormInput = {},
): Promise<MessageObject[]> {
  const body = ok(
    await client.get('/messages', { anchor: 'oldest', num_after: 5000, narrow, ...more }),
  );
  return body['messages'] as MessageObject[];
}

export const idsOf = (messages: readonly { readonly id: number }[]): number[] =>
  messages.map(({ id }) => id);

export const fetchIds = async (actor: Actor, ...narrow: readonly unknown[]): Promise<number[]> =>
  idsOf(await fetchAll(actor, narrow));
