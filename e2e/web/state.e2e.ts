// The law of the client's state: register and the events after it give what a fresh register gives, whatever people do.
// STATE_ACTS and STATE_SEED vary the run.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Chat, type QueueEvent } from '@rialto/sdk';
import { createRandom } from '../../server/src/testing/random.ts';
import { isThorough } from '../../server/src/testing/thorough.ts';
import { apply, EVENT_TYPES } from '../../web/src/state/apply/apply.ts';
import { messageFrom } from '../../web/src/state/convert-message.ts';
import { loadState } from '../../web/src/state/load.ts';
import { REGISTER } from '../../web/src/state/register.ts';
import { unreadTotal } from '../../web/src/state/select.ts';
import { touch, type State } from '../../web/src/state/state.ts';
import type { Registered } from '../../web/src/state/wire.ts';
import { startStoredDemo, type DemoProcess } from '../demo-process.ts';
import { actOnce, type Actor, type World } from './acts.ts';

const ACTS = Number(process.env['STATE_ACTS'] ?? (isThorough ? 1000 : 300));
const SEED = Number(process.env['STATE_SEED'] ?? 18);
const ROUND = 100;
const MESSAGES_PER_FETCH = 1000;

interface Observer {
  readonly actor: Actor;
  readonly queueId: string;
  readonly state: State;
  readonly deleted: Set<number>;
  last: number;
  events: number;
}

let demo: DemoProcess;
let world: World;

beforeAll(async () => {
  demo = await startStoredDemo();
  const { users, web_url: url } = demo.demo;
  const actors: Actor[] = [];
  for (const { email, api_key: apiKey } of Object.values(users)) {
    const chat = new Chat({ url, email, apiKey, timeoutMs: 60_000, retry: { attempts: 3 } });
    const own = await chat.getOwnUser();
    if (!own.is_bot) actors.push({ id: own.user_id, name: own.full_name, chat });
  }
  const [owner] = actors;
  if (owner === undefined) throw new Error('The demo has no people.');
  const { streams } = await owner.chat.getChannels();
  const { messages } = await owner.chat.getMessages({ anchor: 'newest', num_before: 60 });
  const { user_groups: groups } = await owner.chat.getUserGroups();
  world = {
    actors,
    random: createRandom(SEED),
    channels: streams.map(({ stream_id: id, name }) => ({ id, name })),
    messages: messages.map(({ id }) => id),
    groups: groups.map(({ id }) => id),
    folders: [],
    fields: [],
    others: [],
    drafts: new Map(),
    scheduled: new Map(),
    count: 0,
  };
}, 300_000);

afterAll(() => {
  demo?.dispose();
});

const registerOnce = async ({ chat }: Actor): Promise<Registered> =>
  (await chat.registerQueue({ ...REGISTER, event_types: EVENT_TYPES })) as Registered;

async function observe(actor: Actor): Promise<Observer> {
  const answer = await registerOnce(actor);
  const { queue_id: queueId, last_event_id: last } = answer;
  return { actor, queueId, last, state: loadState(answer), deleted: new Set(), events: 0 };
}

/** Applies everything up to now: the observer's own change, which it makes last, is the end. */
async function catchUp(observer: Observer): Promise<void> {
  const { chat } = observer.actor;
  const word = `marker ${crypto.randomUUID()}`;
  await chat.addAlertWords({ alert_words: [word] });
  while (!observer.state.alertWords.includes(word)) {
    const { queueId, last } = observer;
    const answer = await chat.getEvents({ queue_id: queueId, last_event_id: last });
    for (const event of answer.events as unknown as readonly QueueEvent[]) {
      touch(observer.state, apply(observer.state, event, 0));
      if (event.type === 'delete_message') {
        for (const id of event.message_ids ?? []) observer.deleted.add(id);
      }
      observer.last = event.id;
      observer.events += 1;
    }
  }
}

/** What a register tells; messages and the like are fetched, and compared by themselves. */
const NOT_REGISTERED = new Set([
  'versions',
  'messages',
  'unverified',
  'away',
  'topics',
  'staleTopics',
  'typing',
  // Not every change of it has an event.
  'presences',
  'venue',
]);

function comparable(state: State, { state: known, deleted }: Observer): Record<string, unknown> {
  const fields = Object.entries(state).filter(([name]) => !NOT_REGISTERED.has(name));
  const plain = Object.fromEntries(fields.map(([name, value]) => [name, plainOf(value)]));
  // Who deletes the latest direct message is not told which one was before it.
  const recentDirect = new Map(
    [...state.recentDirect].filter(
      ([key]) => !deleted.has(known.recentDirect.get(key)?.maxId ?? 0),
    ),
  );
  return {
    ...plain,
    recentDirect: plainOf(recentDirect),
    unreads: unreadsOf(state),
    total: unreadTotal(state),
  };
}

/** The spelling of a topic may differ from message to message. */
const unreadsOf = ({ unreads }: State): Record<string, unknown> =>
  Object.fromEntries([...unreads].map(([key, { ids }]) => [key, ids]));

function plainOf(value: unknown): unknown {
  if (value instanceof Set) return Object.fromEntries([...value].map((one) => [one, true]));
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, one]) => [String(key), plainOf(one)]));
}

/** Stars stay on messages that one may not read any more; a register leaves them out. */
async function withoutHiddenStars(observer: Observer, fresh: State): Promise<State> {
  const { actor, state } = observer;
  const message_ids = [...state.starred].filter((id) => !fresh.starred.has(id));
  if (message_ids.length === 0) return state;
  const { messages } = await actor.chat.getMessages({ message_ids });
  const readable = new Set(messages.map(({ id }) => id));
  const starred = [...state.starred].filter((id) => fresh.starred.has(id) || readable.has(id));
  return { ...state, starred: new Set(starred) };
}

/** Messages that came and changed by events, as the server has them now. */
async function checkMessages({ actor, state }: Observer): Promise<number> {
  const ids = [...state.messages.values()]
    .filter(
      ({ conversation: one }) =>
        one.kind === 'direct' || state.channels.get(one.channelId)?.subscription?.isActive === true,
    )
    .map(({ id }) => id);
  for (let from = 0; from < ids.length; from += MESSAGES_PER_FETCH) {
    const message_ids = ids.slice(from, from + MESSAGES_PER_FETCH);
    const { messages } = await actor.chat.getMessages({
      message_ids,
      apply_markdown: true,
      allow_empty_topic_name: true,
    });
    expect(messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      message_ids.toSorted((a, b) => a - b),
    );
    for (const row of messages) {
      const { senderName: _name, avatarUrl: _url, ...known } = { ...state.messages.get(row.id) };
      const { senderName: _n, avatarUrl: _u, ...fresh } = messageFrom(row, actor.id);
      expect(known, `message ${row.id} of ${actor.name}`).toEqual(fresh);
    }
  }
  return ids.length;
}

it('a state that followed the events equals a fresh one, unread counts included', async () => {
  const observers = await Promise.all(world.actors.map(observe));
  const tally = new Map<string, { done: number; refused: number }>();
  for (let round = 0; round < ACTS / ROUND; round += 1) {
    const names: string[] = [];
    for (let n = 0; n < ROUND; n += 1) {
      const { name, isDone } = await actOnce(world);
      if (isDone) names.push(name);
      const act = name.slice(name.indexOf(': ') + 2);
      const { done, refused } = tally.get(act) ?? { done: 0, refused: 0 };
      tally.set(act, { done: done + Number(isDone), refused: refused + Number(!isDone) });
    }
    for (const observer of observers) {
      await catchUp(observer);
      const answer = await registerOnce(observer.actor);
      const fresh = loadState(answer);
      const known = comparable(await withoutHiddenStars(observer, fresh), observer);
      const title = `${observer.actor.name} after round ${round}: ${names.join(', ')}`;
      expect(known, title).toEqual(comparable(fresh, observer));
      expect(known['total'], title).toBe(answer.unread_msgs.count);
      await observer.actor.chat.deleteQueue({ queue_id: answer.queue_id });
    }
  }
  let compared = 0;
  for (const observer of observers) compared += await checkMessages(observer);
  const events = observers.reduce((sum, one) => sum + one.events, 0);
  console.log(
    `state: ${ACTS} acts, ${events} events applied for ${observers.length} people, ${compared} messages compared`,
  );
  console.log(JSON.stringify(Object.fromEntries(tally)));
}, 600_000);
