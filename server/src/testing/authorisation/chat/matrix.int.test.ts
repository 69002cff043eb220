// Calls every route as every caller, about every object in each relation to the caller. Compares what the server does
// with who may do what (relations.ts), and searches everything it sends for secret words that only some callers may
// read (secrets.ts).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer } from '../../server.ts';
import { settle } from '../../verify-events.ts';
import { readBounds } from '../../../platform/events/log.ts';
import { pause } from '../../../platform/std/wait.ts';
import { chatClient, encodeForm, type Answer, type FormInput } from '../../chat/client.ts';
import type { ChatRoute } from '../../../chat/http/route.ts';
import { chatRoutes } from '../../../chat/routes.ts';
import { openWorld, type CallerWorld, type Objects, type World } from './objects.ts';
import { gateFor } from './rules.ts';
import { KNOWING, may, RELATIONS_OF, type Relation } from './relations.ts';
import { addressOf } from './requests/address.ts';
import { REQUESTS } from './requests/all.ts';
import type { Request } from './requests/request.ts';

let world: World;
let calls = 0;
let cells = 0;
const problems: string[] = [];

beforeAll(async () => {
  const server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '1000000', CHAT_RATE_LIMIT_ANONYMOUS: '1000000' },
  });
  world = await openWorld(server);
  for (const one of world.worlds) await listen(one);
}, 300_000);
afterAll(() => world.server.close());

it('every route has requests in the matrix', () => {
  expect(Object.keys(REQUESTS).sort()).toEqual(chatRoutes.map(({ name }) => name).sort());
});

it('a secret word shown to the wrong caller is noticed anywhere', () => {
  const { secrets } = world;
  const word = secrets.plant('test', ['member']);
  expect(secrets.leaksIn(`{"x":"<b>${word}</b>"}`, 'member')).toEqual([]);
  expect(secrets.leaksIn(`{"x":"<b>${word}</b>"}`, 'guest')).toEqual([word]);
  expect(secrets.leaksIn(`no ${word} here`, 'guest', `is ${word} here?`)).toEqual([]);
  expect(secrets.leaksIn(world.keeper.chatKey, 'owner')).toEqual([world.keeper.chatKey]);
});

const isLate = (route: ChatRoute): number =>
  route.name === 'deactivate-own-user'
    ? 2
    : Number(REQUESTS[route.name]?.some(({ isLast }) => isLast) ?? false);
const inOrder = [...chatRoutes].sort((a, b) => isLate(a) - isLate(b));

it('nobody gets more than their rights allow, and a refusal reveals nothing', async () => {
  let hasGoneOn = false;
  for (const route of inOrder) {
    if (isLate(route) > 0 && !hasGoneOn) {
      hasGoneOn = true;
      await keeperGoesOn();
    }
    for (const [index, request] of (REQUESTS[route.name] ?? []).entries()) {
      await Promise.all(world.worlds.map((one) => askAll(route, request, index, one)));
      // A read emits no events.
      if (route.method !== 'GET') await hearAll(`${route.name} ${index}`);
    }
  }
  expect(hasGoneOn).toBe(true);
  console.log(
    `${chatRoutes.length} routes × ${world.worlds.length} callers × their objects: ` +
      `${cells} cells, ${calls} calls, ${world.secrets.count} secrets`,
  );
  expect(problems).toEqual([]);
}, 600_000);

/** The keeper acts in channels that others may not read, while all of them listen. */
async function keeperGoesOn(): Promise<void> {
  const keeper = chatClient(world.server, world.keeper);
  const hidden: readonly string[] = ['foreign', 'protected', 'left'];
  const steps: ((place: Objects, messageId: number) => Promise<Answer>)[] = [
    ({ word }, id) => keeper.patch(`/messages/${id}`, { content: `${word} again` }),
    (_, id) => keeper.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
    (_, id) => keeper.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    // Without a notice, which would show the earlier topic to people who joined since.
    ({ word }, id) =>
      keeper.patch(`/messages/${id}`, {
        topic: `${word} elsewhere`,
        send_notification_to_new_thread: false,
      }),
    ({ channelId }) => keeper.patch(`/streams/${channelId}`, { description: 'by the keeper' }),
    (_, id) => keeper.delete(`/messages/${id}`),
  ];
  // With protected history, people who joined may see new messages.
  for (const { objects } of world.worlds) {
    for (const { channelId, topic, word } of [objects.foreign, objects.left]) {
      const content = `@**all** ${word}`;
      const form = { type: 'channel', to: channelId, topic, content };
      expect(await keeper.post('/messages', form)).toMatchObject({ status: 200 });
    }
  }
  await hearAll('the keeper writes');
  for (const [index, step] of steps.entries()) {
    for (const { caller, objects } of world.worlds) {
      if (caller === 'anonymous') continue;
      for (const [relation, place] of Object.entries(objects)) {
        const messageId = world.keepersIds.get(place.channelId);
        if (!hidden.includes(relation) || messageId === undefined) continue;
        const answer = await step(place, messageId);
        calls += 1;
        if (answer.status !== 200)
          note(`the keeper, ${index}, ${caller}, ${relation}`, 'is refused', answer);
      }
    }
    await hearAll(`the keeper, ${index}`);
  }
}

/** One request of one caller, about each object that it can be about. */
async function askAll(route: ChatRoute, request: Request, index: number, one: CallerWorld) {
  const relations = request.relations ?? RELATIONS_OF[request.on];
  let ofNothing: string | undefined;
  for (const relation of relations) {
    const label = `${route.name} ${index}, ${one.caller}, ${relation}`;
    const objects = one.objects[relation];
    const { answer, form, messageId } = await ask(route, request, one, relation);
    cells += 1;
    const problem = judge(route, request, relation, one, answer);
    if (problem !== undefined) note(label, problem, answer);
    const plain = blank(answer, objects, messageId);
    if (relation === 'missing') ofNothing = plain;
    const knowing = KNOWING[request.on];
    const mustLookMissing =
      knowing !== 'public' &&
      request.mayTellThatItExists !== true &&
      !may(one.caller, knowing, relation);
    if (mustLookMissing && ofNothing !== undefined && plain !== ofNothing) {
      note(label, `differs from the answer for a missing object, ${ofNothing}`, answer);
    }
    search(label, one, answer, JSON.stringify(form));
    if (request.listsChannelsIn !== undefined) {
      const hidden = hiddenAmong(one, answer.body[request.listsChannelsIn]);
      if (hidden.length > 0) note(label, `names the channels ${hidden.join(', ')}`, answer);
    }
    await follow(route, one, answer);
  }
}

async function ask(route: ChatRoute, request: Request, one: CallerWorld, relation: Relation) {
  const objects = one.objects[relation];
  const more = { friendId: world.friend.id, unique: `${one.caller}-${relation}` };
  const form = request.form?.(objects, more) ?? {};
  const messageId =
    request.message === 'own, elsewhere'
      ? (one.movableIds.pop() ?? 0)
      : (request.message?.(objects) ?? objects.messageId);
  const path = addressOf(route, request, objects, { messageId, friendId: world.friend.id });
  calls += 1;
  return { answer: await send(one, route, path, form), form, messageId };
}

function send(one: CallerWorld, { method }: ChatRoute, path: string, form: FormInput) {
  if (method === 'GET') return one.client.get(path, form);
  return one.client.raw(path, { method, body: encodeForm(form) });
}

/** What is wrong with the answer, given the caller's rights to this object. */
function judge(
  route: ChatRoute,
  request: Request,
  relation: Relation,
  { caller, objects: { [relation]: objects } }: CallerWorld,
  { status, body, headers, text }: Answer,
): string | undefined {
  if (status >= 500) return 'fails';
  if (headers.get('cache-control')?.includes('no-store') !== true) return 'may be cached';
  const gate = gateFor(route.name, caller);
  if (gate !== undefined) return body['msg'] === gate ? undefined : `is not stopped by: ${gate}`;
  if (request.isOpenEnded === true) return undefined;
  const isServed = body['result'] === 'success';
  // Callers without credentials own nothing; what they are served is for everybody.
  const mayDo = route.allow !== 'anyone' && may(caller, request.needs, relation);
  if (request.isQuiet !== true && isServed !== mayDo) return mayDo ? 'is refused' : 'is served';
  if (request.isQuiet === true && !isServed && mayDo) return 'is refused';
  if (!isServed) return undefined;
  const { shows, showsTo = request.needs } = request;
  if (shows !== undefined && may(caller, showsTo, relation)) {
    if (!text.includes(String(objects[shows]))) return `does not show ${objects[shows]}`;
  }
  return request.check?.(body, may(caller, 'read the message', relation));
}

/** The answer without the names and ids of the object: equal for all objects that the caller may not know. */
function blank({ status, text }: Answer, objects: Objects, messageId: number): string {
  let plain = text;
  for (const word of [objects.channelName, objects.topic, objects.word, objects.email]) {
    plain = plain.replaceAll(new RegExp(word, 'gi'), '~');
  }
  for (const id of [
    objects.channelId,
    messageId,
    objects.messageId,
    objects.draftId,
    objects.snippetId,
    objects.scheduledId,
    objects.reminderId,
  ]) {
    plain = plain.replaceAll(new RegExp(String.raw`\b${id}\b`, 'g'), '~');
  }
  return `${status} ${plain.replaceAll(objects.queueId, '~')}`;
}

/** Those of the ids whose channels the caller should not know. */
function hiddenAmong({ caller }: CallerWorld, ids: unknown): number[] {
  if (!Array.isArray(ids)) return [];
  const hidden = new Set(
    world.worlds.flatMap(({ objects }) =>
      Object.values(objects)
        .filter(({ channelName }) => world.secrets.leaksIn(channelName, caller).length > 0)
        .map(({ channelId }) => channelId),
    ),
  );
  return ids.filter((id: number) => hidden.has(id));
}

function search(label: string, one: CallerWorld, answer: Answer, said: string): void {
  const everything = `${answer.text}\n${JSON.stringify([...answer.headers])}`;
  const leaks = world.secrets.leaksIn(everything, one.caller, said);
  if (leaks.length > 0) note(label, `shows ${leaks.join(', ')}`, answer);
}

function note(label: string, problem: string, { status, text }: Answer): void {
  problems.push(`${label}: ${problem}; the answer is ${status} ${text.slice(0, 300)}`);
}

/** Continues with the new key if the caller got one. */
async function follow(route: ChatRoute, one: CallerWorld, { body }: Answer): Promise<void> {
  if (route.name !== 'regenerate-api-key' || body['result'] !== 'success') return;
  const key = String(body['api_key']);
  const basic = `Basic ${Buffer.from(`${one.person?.email}:${key}`).toString('base64')}`;
  one.client = chatClient(world.server, { basic });
  one.queues.length = 0;
  await listen(one);
}

/** Registers two clients of the caller for all events: one with defaults, one with all capabilities. */
async function listen(one: CallerWorld): Promise<void> {
  if (one.caller === 'deactivated' || one.caller === 'anonymous') return;
  const capabilities = {
    archived_channels: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
  };
  const wide = {
    apply_markdown: true,
    include_subscribers: 'true',
    client_capabilities: capabilities,
    ...(one.caller !== 'guest' && { all_public_streams: true }),
  };
  for (const form of [{}, wide]) {
    const answer = await one.client.post('/register', form);
    expect(answer.body).toMatchObject({ result: 'success' });
    search('the initial state', one, answer, '');
    const { queue_id, last_event_id } = answer.body;
    one.queues.push({ id: String(queue_id), lastEventId: Number(last_event_id) });
  }
}

async function hearAll(label: string): Promise<void> {
  const { server } = world;
  await settle(server);
  const { head } = await readBounds(server.ctx.database.pool);
  while (server.hub.position() < head) await pause(2);
  await Promise.all(
    world.worlds.flatMap((one) =>
      one.queues.map(async (queue) => {
        const answer = await one.client.get('/events', {
          queue_id: queue.id,
          last_event_id: queue.lastEventId,
          dont_block: true,
        });
        calls += 1;
        const events = (answer.body['events'] ?? []) as { id: number }[];
        queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
        search(`${label}, events`, one, answer, '');
      }),
    ),
  );
}
