// Attacks by guests, members or strangers that once stopped the venue. During each attack, other
// people's signed orders and messages are answered as usual; afterwards nothing of it is left in
// memory; and the server still ends in time when it is asked to, even in the middle of an attack.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROLE } from '../server/src/accounts/roles.ts';
import { attack, endure, stopTimed } from './attacks/run.ts';
import { chatCall, askFrom } from './attacks/ask.ts';
import type { Plan } from './attacks/plan.ts';
import { openStage, type Stage } from './attacks/stage.ts';

// A round takes half a minute, longer on a busy machine, and a spoilt one is repeated.
vi.setConfig({ testTimeout: 400_000 });

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

async function planSearch(): Promise<Plan> {
  const MESSAGES = 300;
  const CHARACTERS = 9000;
  const guest = await stage.person(ROLE.guest);
  const library = await stage.channel('library', [...stage.senders, guest]);
  await stage.fill(library, stage.senders[0] ?? guest, MESSAGES, CHARACTERS);
  return { kind: 'search', guest: guest.basic };
}

async function planEdits(): Promise<Plan> {
  const SUBMESSAGES = 5000;
  const READERS = 4;
  const people = [];
  for (let n = 0; n <= READERS; n += 1) people.push(await stage.person());
  const [author, ...readers] = people;
  if (author === undefined) throw new Error('nobody');
  const hall = await stage.channel('hall', people);
  const serving = await stage.serve();
  const call = chatCall(askFrom('127.3.0.1', serving.server.origin), author.basic);
  const ids = [];
  for (const content of ['one', '/poll which?\none\ntwo']) {
    const message = { type: 'channel', to: hall.id, topic: 'edits', content };
    ids.push((JSON.parse((await call('POST', '/messages', message)).text) as { id: number }).id);
  }
  await stopTimed(serving);
  const [messageId = 0, pollId = 0] = ids;
  await stage.ctx.database.pool.query(
    `INSERT INTO submessages (message_id, sender_id, msg_type, content)
     SELECT $1, $2, 'widget', '{"type":"new_option","idx":' || n || ',"option":"' || repeat('x', 9900) || '"}'
       FROM generate_series(1, $3::int) AS n`,
    [pollId, author.id, SUBMESSAGES],
  );
  const basics = readers.map(({ basic }) => basic);
  return { kind: 'edits', author: author.basic, readers: basics, messageId, pollId };
}

const planStrangers = async (): Promise<Plan> => ({
  kind: 'strangers',
  userId: stage.senders[0]?.id ?? 0,
});

it('a guest who searches for a hundred times a thousand characters', async () => {
  await endure(stage, { plan: await planSearch() });
});

it('a message that is edited 120 times, its history, and a poll with 5,000 answers', async () => {
  await endure(stage, { plan: await planEdits() });
});

it('strangers on 64 busy and 300 idle connections, with pictures for nobody', async () => {
  await endure(stage, { plan: await planStrangers() });
});

it('a person with eight programs that poll constantly can still send messages', async () => {
  const poller = await stage.person();
  await stage.join(stage.plaza, [poller]);
  const plan: Plan = { kind: 'polls', poller: poller.basic };
  await endure(stage, { plan, alsoSends: [poller.basic] });
});

it('people with very many unread messages who mark them all, or mute their author', async () => {
  const UNREAD = 200_000;
  const READERS = 24;
  const writer = await stage.person();
  const archive = await stage.channel('archive', [...stage.senders, writer]);
  await stage.fill(archive, writer, UNREAD, 100);
  // People who have read nothing yet.
  const renew = async (): Promise<Plan> => {
    const readers = [];
    for (let n = 0; n < READERS; n += 1) readers.push(await stage.person());
    await stage.join(archive, readers);
    const basics = readers.map(({ basic }) => basic);
    return { kind: 'readers', readers: basics, writerId: writer.id };
  };
  await endure(stage, { plan: await renew(), renew, channelId: archive.id });
});

it('after several attacks in a row, all over before the signal, the server ends in order', async () => {
  const SECONDS = 4;
  const poller = await stage.person();
  const plans = [
    await planSearch(),
    await planEdits(),
    await planStrangers(),
    { kind: 'polls', poller: poller.basic } as const,
  ];
  const serving = await stage.serve();
  for (const plan of plans) {
    const attacker = await attack(serving.server.origin, plan);
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    await attacker.end();
  }
  const { ms, code } = await stopTimed(serving);
  expect({ code, isInTime: ms < 5000 }).toEqual({ code: 0, isInTime: true });
});
