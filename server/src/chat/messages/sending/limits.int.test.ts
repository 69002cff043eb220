// How much one message can cost everybody who opens it: edits, submessages and pages of large messages, with the
// default limits.
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import type { Answer } from '../../../testing/chat/client.ts';
import {
  EDITS_BYTES,
  EDITS_MAX,
  EDITS_SHOWN,
  SUBMESSAGES_PER_PERSON_MAX,
} from '../message/limits.ts';
import type { MessageObject } from '../message/object.ts';
import {
  fetchIds,
  idsOf,
  ok,
  refused,
  send,
  useMessageWorld,
  type Actor,
} from '../../../testing/chat/world.ts';

vi.setConfig({ testTimeout: 120_000 });
const world = useMessageWorld();

/** Its HTML is many times longer than the text. */
const EMOJI = ':smile:'.repeat(1400);
const PAGE_BYTES = 2 * 1024 * 1024;

const bytesOf = ({ body }: Answer): number => Buffer.byteLength(JSON.stringify(body));

const edit = (who: Actor, id: number, content: string) =>
  who.client.patch(`/messages/${id}`, { content });

/** Adds edits without a limit, as an earlier release did. The owner's statements have no time limit. */
async function addEdits(id: number, count: number, bytesEach: number): Promise<void> {
  const { owner } = world.server;
  await owner.query(
    `INSERT INTO message_edits (message_id, user_id, at, prev_content, prev_rendered)
     SELECT $1, $2, now(), 'old ' || n, '<p>' || repeat('<b>x</b>', $3) || n || '</p>'
       FROM generate_series(1, $4::int) AS n`,
    [id, world.ada.id, bytesEach / 8, count],
  );
  await owner.query('UPDATE messages SET edited_at = now() WHERE id = $1', [id]);
}

it('a message accepts edits until its history is full, and its answers stay small', async () => {
  const { ada, bob, publicId } = world;
  const id = await send(ada, publicId, 'edits', EMOJI);
  let accepted = 0;
  let refusal: Answer | undefined;
  while (refusal === undefined && accepted < 200) {
    const answer = await edit(ada, id, `${accepted} ${EMOJI}`);
    if (answer.status === 200) accepted += 1;
    else refusal = answer;
  }
  expect(accepted).toBeGreaterThan(5);
  expect(refusal && refused(refusal).msg).toBe(
    `The earlier versions of this message fill the ${EDITS_BYTES} bytes that its history keeps. Send a new message instead.`,
  );
  const history = await bob.client.get(`/messages/${id}/history`);
  expect(bytesOf(history)).toBeLessThan(2 * PAGE_BYTES);
  const told = ok(history)['message_history'] as { content: string; prev_content?: string }[];
  expect(told[0]).toMatchObject({ content: EMOJI });
  expect(told[0]).not.toHaveProperty('prev_content');
  expect(told.at(-1)).toMatchObject({
    content: `${accepted - 1} ${EMOJI}`,
    prev_content: `${accepted - 2} ${EMOJI}`,
  });
  const one = await bob.client.get(`/messages/${id}`);
  const { edit_history = [] } = ok(one)['message'] as MessageObject;
  expect(edit_history[0]).toMatchObject({ prev_content: `${accepted - 2} ${EMOJI}` });
  expect(edit_history.some((entry) => 'prev_rendered_content' in entry)).toBe(false);
  expect(bytesOf(one)).toBeLessThan(600_000);
  // The message can still be read, moved and deleted.
  ok(await ada.client.patch(`/messages/${id}`, { topic: 'edits are over' }));
  ok(await world.owner.client.delete(`/messages/${id}`));
});

it('the limit of edits holds for parallel edits too', async () => {
  const { ada, publicId } = world;
  const id = await send(ada, publicId, 'count', 'first');
  await addEdits(id, EDITS_MAX - 2, 16);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_none, index) => edit(ada, id, `version ${index}`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  const lost = answers.filter(({ status }) => status !== 200).map((answer) => refused(answer).msg);
  expect(lost.every((msg) => /has been edited 500 times|Invalid message/.test(msg))).toBe(true);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM message_edits WHERE message_id = ${id}`.execute(
    world.server.ctx.db,
  );
  expect(rows).toEqual([{ count: EDITS_MAX }]);
});

it('messages that grew without limits under an earlier release are served in small answers', async () => {
  const { ada, bob, publicId } = world;
  const id = await send(ada, publicId, 'old rows', 'now');
  await addEdits(id, 2000, 200_000);
  const page = await bob.client.get('/messages', { anchor: id, num_before: 0, num_after: 0 });
  const [message] = ok(page)['messages'] as MessageObject[];
  expect(message?.edit_history).toHaveLength(EDITS_SHOWN);
  expect(message?.edit_history?.[0]).toMatchObject({ prev_content: 'old 2000' });
  expect(bytesOf(page)).toBeLessThan(20_000);
  const history = await bob.client.get(`/messages/${id}/history`);
  const told = ok(history)['message_history'] as { content: string; prev_content?: string }[];
  expect(bytesOf(history)).toBeLessThan(2 * PAGE_BYTES);
  expect(told[0]).toMatchObject({ content: 'old 1' });
  expect(told.at(-1)).toMatchObject({ content: 'now', prev_content: 'old 2000' });
  expect(refused(await edit(ada, id, 'again')).msg).toContain('Send a new message instead.');
  const poll = await send(ada, publicId, 'old rows', '/poll Lunch?\nPizza');
  await world.server.owner.query(
    `INSERT INTO submessages (message_id, sender_id, msg_type, content)
     SELECT $1, $2, 'widget', '{"type":"new_option","idx":1,"option":"' || repeat('x', 9000) || '"}'
       FROM generate_series(1, 5000)`,
    [poll, bob.id],
  );
  const voted = await bob.client.get(`/messages/${poll}`);
  const { submessages } = ok(voted)['message'] as MessageObject;
  expect(submessages[0]?.content).toContain('widget_type');
  expect(bytesOf(voted)).toBeLessThan(800_000);
});

it('a poll grows with its people and options, not with changed votes, and one person cannot fill it', async () => {
  const { ada, bob, publicId } = world;
  const id = await send(ada, publicId, 'polls', '/poll Lunch?\nPizza\nSoup');
  const submit = (who: Actor, content: unknown) =>
    who.client.post('/submessage', {
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify(content),
    });
  for (let n = 0; n < 20; n += 1) {
    const vote = n % 2 === 0 ? 1 : -1;
    ok(await submit(bob, { type: 'vote', key: 'canned,0', vote }));
    ok(await submit(bob, { type: 'vote', key: 'canned,1', vote: 1 }));
  }
  const { body } = await ada.client.get(`/messages/${id}`);
  const { submessages } = body['message'] as MessageObject;
  expect(submessages.slice(1).map(({ content }) => JSON.parse(content) as unknown)).toEqual([
    { type: 'vote', key: 'canned,0', vote: -1 },
    { type: 'vote', key: 'canned,1', vote: 1 },
  ]);
  // JSON can express NUL, but the database cannot store it. Such an option must not break later votes.
  ok(await submit(bob, { type: 'new_option', idx: 0, option: 'a\u0000b' }));
  ok(await submit(bob, { type: 'vote', key: 'canned,0', vote: 1 }));
  const answers: Answer[] = [];
  for (let idx = 1; idx <= SUBMESSAGES_PER_PERSON_MAX; idx += 1) {
    answers.push(await submit(bob, { type: 'new_option', idx, option: `o${idx}` }));
  }
  const taken = answers.filter(({ status }) => status === 200).length;
  expect(taken).toBe(SUBMESSAGES_PER_PERSON_MAX - 3);
  expect(refused(answers.at(-1) as Answer).msg).toBe(
    `One person cannot add more than ${SUBMESSAGES_PER_PERSON_MAX} submessages to a message.`,
  );
  ok(await submit(ada, { type: 'vote', key: 'canned,1', vote: 1 }));
});

it('the submessages of one message have a limit of bytes', async () => {
  const { ada, publicId } = world;
  const id = await send(ada, publicId, 'large poll', '/poll Lunch?\nPizza');
  const answers: Answer[] = [];
  for (let idx = 0; idx < 70; idx += 1) {
    const content = JSON.stringify({ type: 'new_option', idx, option: 'x'.repeat(9900) });
    answers.push(
      await ada.client.post('/submessage', { message_id: id, msg_type: 'widget', content }),
    );
  }
  expect(refused(answers.at(-1) as Answer).msg).toContain('bytes together');
  expect(bytesOf(await ada.client.get(`/messages/${id}`))).toBeLessThan(800_000);
});

it('a page of large messages is cut at its far ends, says so, and continues without a hole', async () => {
  const { ada, bob, channel } = world;
  const large = await channel('large', [ada, bob]);
  const first = await send(ada, large, 't', 'first');
  await sql`
    UPDATE messages SET rendered = '<p>' || repeat('x', 200000) || '</p>' WHERE id = ${first}`.execute(
    world.server.ctx.db,
  );
  for (let n = 0; n < 40; n += 1) await send(ada, large, 't', `message ${n}`);
  await sql`
    UPDATE messages SET rendered = '<p>' || repeat('x', 200000) || '</p>'
     WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${large})`.execute(
    world.server.ctx.db,
  );
  const narrow = [{ operator: 'channel', operand: large }];
  const all = await sql<{ id: bigint }>`
    SELECT id FROM messages WHERE conversation_id = (SELECT conversation_id FROM channels WHERE id = ${large})
     ORDER BY id`.execute(world.server.ctx.db);
  const ids = all.rows.map(({ id }) => Number(id));
  const middle = ids[20] as number;
  const around = await bob.client.get('/messages', {
    anchor: middle,
    num_before: 2500,
    num_after: 2500,
    narrow,
  });
  expect(bytesOf(around)).toBeLessThan(PAGE_BYTES * 1.2);
  const page = ok(around);
  const shown = idsOf(page['messages'] as MessageObject[]);
  expect(page).toMatchObject({ found_anchor: true, found_oldest: false, found_newest: false });
  expect(shown).toContain(middle);
  const from = ids.indexOf(shown[0] as number);
  expect(shown).toEqual(ids.slice(from, from + shown.length));
  // A client that continues from the ends gets every message once.
  const seen = [...shown];
  for (let isDone = false; !isDone;) {
    const older = ok(
      await bob.client.get('/messages', {
        anchor: seen[0] as number,
        num_before: 5000,
        include_anchor: false,
        narrow,
      }),
    );
    const more = idsOf(older['messages'] as MessageObject[]);
    seen.unshift(...more);
    isDone = older['found_oldest'] === true;
    expect(isDone || more.length > 0).toBe(true);
  }
  for (let isDone = false; !isDone;) {
    const newer = ok(
      await bob.client.get('/messages', {
        anchor: seen.at(-1) as number,
        num_after: 5000,
        include_anchor: false,
        narrow,
      }),
    );
    const more = idsOf(newer['messages'] as MessageObject[]);
    seen.push(...more);
    isDone = newer['found_newest'] === true;
    expect(isDone || more.length > 0).toBe(true);
  }
  expect(seen).toEqual(ids);
  const named = await bob.client.get('/messages', { message_ids: ids });
  expect(refused(named).msg).toContain('Ask for fewer message_ids at once.');
  expect(ok(await bob.client.get('/messages', { message_ids: ids.slice(0, 5) }))).toMatchObject({
    messages: ids.slice(0, 5).map((id) => ({ id })),
  });
  expect(await fetchIds(bob, { operator: 'id', operand: middle })).toEqual([middle]);
});
