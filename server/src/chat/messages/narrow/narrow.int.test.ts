// Fetching messages: every anchor, every operator, and no message that the reader may not read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fetchAll,
  fetchIds,
  idsOf,
  ok,
  openMessageWorld,
  refused,
  send,
  sendDirect,
  subscribe,
  unsubscribe,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import type { MessageObject } from '../message/object.ts';

let world: MessageWorld;
const sent: Record<string, number> = {};
const channel = (id: string | number) => ({ operator: 'channel', operand: id });
const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
});

beforeAll(async () => {
  world = await openMessageWorld();
  const { ada, bob, guest, publicId, privateId, protectedId } = world;
  // Topics are followed only by hand here, so that a test can tell which ones are followed.
  ok(await ada.client.patch('/settings', { automatically_follow_topics_policy: 4 }));
  ok(await ada.client.patch('/settings', { automatically_follow_topics_where_mentioned: false }));
  sent['hello'] = await send(ada, publicId, 'Greetings', 'Hello everybody');
  sent['link'] = await send(bob, publicId, 'greetings', 'see https://example.com/x');
  sent['mention'] = await send(bob, publicId, 'work', 'ping @**Ada**');
  sent['done'] = await send(ada, publicId, '✔ chores', 'finished');
  sent['empty'] = await send(ada, publicId, '', 'no topic at all');
  sent['private'] = await send(ada, privateId, 'plans', 'a secret plan');
  sent['vault'] = await send(ada, protectedId, 'gold', 'bars');
  sent['dm'] = await sendDirect(ada, [bob], 'just us');
  sent['group'] = await sendDirect(bob, [ada, guest], 'all three');
  sent['note'] = await sendDirect(ada, [ada], 'to myself');
});
afterAll(() => world.close());

const named = (ids: readonly number[]) =>
  ids.map((id) => Object.keys(sent).find((name) => sent[name] === id) ?? String(id));

async function found(actor: Actor, ...narrow: readonly unknown[]): Promise<string[]> {
  return named(await fetchIds(actor, ...narrow));
}

describe('without a narrow', () => {
  it('everybody sees the messages that they received', async () => {
    expect(await found(world.ada)).toEqual(Object.keys(sent));
    expect(await found(world.guest)).toEqual([
      'hello',
      'link',
      'mention',
      'done',
      'empty',
      'group',
    ]);
    expect(await found(world.stranger)).toEqual([]);
  });
});

describe('each operator', () => {
  it.each([
    [
      'channel by id',
      () => [channel(world.publicId)],
      ['hello', 'link', 'mention', 'done', 'empty'],
    ],
    [
      'channel by name, as a pair',
      () => [['stream', 'General']],
      ['hello', 'link', 'mention', 'done', 'empty'],
    ],
    [
      'not that channel',
      () => [term('channel', world.publicId, true)],
      ['private', 'vault', 'dm', 'group', 'note'],
    ],
    [
      'topic, in any case',
      () => [channel('general'), term('topic', 'GREETINGS')],
      ['hello', 'link'],
    ],
    ['topic without a channel', () => [term('topic', 'greetings')], ['hello', 'link']],
    [
      'not a topic',
      () => [channel('general'), term('topic', 'greetings', true)],
      ['mention', 'done', 'empty'],
    ],
    [
      'the empty topic by its name',
      () => [channel('general'), term('topic', 'general chat')],
      ['empty'],
    ],
    ['sender by id', () => [term('sender', world.bob.id)], ['link', 'mention', 'group']],
    ['sender by address', () => [['sender', world.bob.email]], ['link', 'mention', 'group']],
    [
      'not a sender',
      () => [channel('general'), term('sender', world.bob.id, true)],
      ['hello', 'done', 'empty'],
    ],
    ['dm with one', () => [term('dm', [world.bob.id])], ['dm']],
    ['dm with oneself included', () => [term('dm', [world.ada.id, world.bob.id])], ['dm']],
    ['dm by addresses', () => [['pm-with', `${world.bob.email}, ${world.guest.email}`]], ['group']],
    ['a note to oneself', () => [term('dm', [world.ada.id])], ['note']],
    ['dm with somebody never written to', () => [term('dm', [world.owner.id])], []],
    ['dm-including', () => [term('dm-including', world.bob.id)], ['dm', 'group']],
    ['dm-including oneself', () => [term('dm-including', world.ada.id)], ['dm', 'group', 'note']],
    ['group-pm-with', () => [term('group-pm-with', world.bob.email)], ['group']],
    ['is:dm', () => [term('is', 'dm')], ['dm', 'group', 'note']],
    ['is:private', () => [['is', 'private']], ['dm', 'group', 'note']],
    [
      'not is:dm',
      () => [term('is', 'dm', true), term('sender', world.bob.id)],
      ['link', 'mention'],
    ],
    ['is:mentioned', () => [term('is', 'mentioned')], ['mention']],
    ['mentions somebody', () => [term('mentions', world.ada.id)], ['mention']],
    ['is:resolved', () => [term('is', 'resolved')], ['done']],
    ['is:starred', () => [term('is', 'starred')], []],
    ['is:alerted', () => [term('is', 'alerted')], []],
    ['is:followed', () => [term('is', 'followed')], []],
    ['is:muted', () => [term('is', 'muted')], []],
    ['in:home', () => [term('in', 'home'), channel('secret')], ['private']],
    ['in:all', () => [term('in', 'all'), channel('secret')], ['private']],
    ['has:link', () => [term('has', 'link')], ['link']],
    ['has:image', () => [term('has', 'image')], []],
    ['has:attachment', () => [term('has', 'attachment')], []],
    ['has:reaction', () => [term('has', 'reaction')], []],
    ['id', () => [term('id', sent['vault'])], ['vault']],
    ['near filters nothing', () => [term('near', sent['vault']), channel('secret')], ['private']],
    ['with a message', () => [term('with', sent['link'])], ['hello', 'link']],
    ['with a direct message', () => [term('with', sent['dm'])], ['dm']],
    [
      'not with a message',
      () => [channel('general'), term('with', sent['link'], true)],
      ['mention', 'done', 'empty'],
    ],
    [
      'not with a direct message',
      () => [term('is', 'dm'), term('with', sent['dm'], true)],
      ['group', 'note'],
    ],
    [
      'not with an unknown message in a conversation',
      () => [term('dm', [world.bob.id]), term('with', 10 ** 9, true)],
      ['dm'],
    ],
    [
      'with, over wrong terms',
      () => [channel('secret'), term('topic', 'x'), term('with', sent['link'])],
      ['hello', 'link'],
    ],
    [
      'with an unknown message in a conversation',
      () => [term('dm', [world.bob.id]), term('with', 10 ** 9)],
      ['dm'],
    ],
    [
      'channels:public',
      () => [term('channels', 'public')],
      ['hello', 'link', 'mention', 'done', 'empty'],
    ],
    [
      'not channels:public',
      () => [term('channels', 'public', true)],
      ['private', 'vault', 'dm', 'group', 'note'],
    ],
    ['channels:web-public', () => [term('channels', 'web-public')], []],
    ['channels:archived', () => [term('channels', 'archived')], []],
    ['search', () => [term('search', 'greeting')], ['hello', 'link']],
    ['search with another ending', () => [term('search', 'finish')], ['done']],
    ['search for a phrase', () => [term('search', '"Hello everybody"')], ['hello']],
    ['search for a phrase that is not there', () => [term('search', '"everybody Hello"')], []],
    [
      'not a search',
      () => [channel('general'), term('search', 'greetings', true)],
      ['mention', 'done', 'empty'],
    ],
    ['two terms', () => [term('sender', world.ada.id), term('is', 'dm')], ['dm', 'note']],
  ] as [string, () => unknown[], string[]][])('%s', async (_what, narrow, expected) => {
    expect(await found(world.ada, ...narrow())).toEqual(expected);
  });

  it.each([
    ['channel', 'nowhere', 'unknown channel nowhere'],
    ['channel', 999_999, 'unknown channel 999999'],
    ['sender', 'no@body', 'unknown user no@body'],
    ['dm', [999_999], 'unknown user in [999999]'],
    ['with', 10 ** 9, "Invalid 'with' operator"],
  ])('%s %j is a bad narrow', async (operator, operand, description) => {
    const answer = await world.ada.client.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow: [{ operator, operand }],
    });
    expect(refused(answer)).toMatchObject({
      code: 'BAD_NARROW',
      desc: description,
      msg: `Invalid narrow operator: ${description}`,
    });
  });

  it('finds starred, reacted to, unread, muted and followed messages', async () => {
    const { ada, publicId } = world;
    const flags = (flag: string, op: string, ...ids: (number | undefined)[]) =>
      ada.client.post('/messages/flags', { messages: ids, flag, op });
    ok(await flags('starred', 'add', sent['hello']));
    expect(await found(ada, term('is', 'starred'))).toEqual(['hello']);
    ok(await ada.client.post(`/messages/${sent['link']}/reactions`, { emoji_name: 'tada' }));
    expect(await found(ada, term('has', 'reaction'))).toEqual(['link']);
    ok(await flags('read', 'add', sent['link'], sent['mention']));
    expect(await found(ada, channel('general'), term('is', 'unread'))).toEqual([
      'hello',
      'done',
      'empty',
    ]);
    expect(await found(ada, channel('general'), term('is', 'unread', true))).toEqual([
      'link',
      'mention',
    ]);
    const policy = (topic: string, visibility_policy: number) =>
      ada.client.post('/user_topics', { stream_id: publicId, topic, visibility_policy });
    ok(await policy('GREETINGS', 1));
    expect(await found(ada, term('is', 'muted'))).toEqual(['hello', 'link']);
    expect(await found(ada, channel('general'), term('in', 'home'))).toEqual([
      'mention',
      'done',
      'empty',
    ]);
    ok(await policy('work', 3));
    expect(await found(ada, term('is', 'followed'))).toEqual(['mention']);
  });
});

describe('anchors', () => {
  const get = async (params: Record<string, unknown>) => {
    const body = ok(
      await world.ada.client.get('/messages', { narrow: [channel('general')], ...params }),
    );
    return {
      ids: named(idsOf(body['messages'] as MessageObject[])),
      anchor: body['anchor'],
      found: [body['found_anchor'], body['found_oldest'], body['found_newest']],
    };
  };

  it('newest and oldest', async () => {
    expect(await get({ anchor: 'newest', num_before: 2 })).toEqual({
      ids: ['done', 'empty'],
      anchor: 10_000_000_000_000_000,
      found: [false, false, true],
    });
    expect(await get({ anchor: 'oldest', num_after: 2 })).toEqual({
      ids: ['hello', 'link'],
      anchor: 0,
      found: [false, true, false],
    });
    expect((await get({ anchor: 'newest', num_before: 100 })).found).toEqual([false, true, true]);
  });

  it('a message in the middle, with and without itself', async () => {
    const anchor = String(sent['mention']);
    expect(await get({ anchor, num_before: 1, num_after: 1 })).toEqual({
      ids: ['link', 'mention', 'done'],
      anchor: sent['mention'],
      found: [true, false, false],
    });
    expect(await get({ anchor, num_after: 2, include_anchor: false })).toMatchObject({
      ids: ['done', 'empty'],
      found: [false, false, false],
    });
    expect((await get({ anchor, num_before: 100, num_after: 100 })).found).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('a number that is no message, or is larger than all', async () => {
    expect((await get({ anchor: String((sent['empty'] ?? 0) + 1), num_before: 1 })).ids).toEqual([
      'empty',
    ]);
    expect(await get({ anchor: '10000000000000000', num_before: 1 })).toMatchObject({
      ids: ['empty'],
      anchor: 10_000_000_000_000_000,
    });
    expect((await get({ anchor: '-5', num_after: 1 })).ids).toEqual(['hello']);
  });

  it('the first unread message, by both names of the parameter', async () => {
    const { bob } = world;
    const first = (params: Record<string, unknown>) =>
      bob.client.get('/messages', { narrow: [channel('general')], num_after: 1, ...params });
    expect((await first({ anchor: 'first_unread' })).body['anchor']).toBe(sent['hello']);
    const ids = [sent['hello'], sent['link'], sent['mention'], sent['done']];
    ok(await bob.client.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' }));
    const old = { anchor: 10_000_000_000_000_000, use_first_unread_anchor: true };
    expect((await first(old)).body['anchor']).toBe(sent['empty']);
    ok(await bob.client.post('/mark_stream_as_read', { stream_id: world.publicId }));
    expect((await first({ anchor: 'first_unread' })).body['anchor']).toBe(10_000_000_000_000_000);
  });

  it('a date', async () => {
    expect((await get({ anchor: 'date', anchor_date: '2000-01-01', num_after: 1 })).anchor).toBe(
      sent['hello'],
    );
    expect((await get({ anchor: 'date', anchor_date: '2999-01-01T00:00:00Z' })).anchor).toBe(
      10_000_000_000_000_000,
    );
  });

  it.each([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'middle' }, 'Invalid anchor'],
    [{ anchor: 'date', anchor_date: 'soon' }, 'anchor_date is not a date'],
    [
      { anchor: 'newest', num_before: 3000, num_after: 2001 },
      'Too many messages requested (maximum 5000).',
    ],
    [
      { anchor: '5', num_before: 1, num_after: 1, include_anchor: false },
      'The anchor can only be excluded at an end of the range',
    ],
    [
      { anchor: 'newest', message_ids: [1] },
      'Unsupported parameter combination: num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
    ],
  ])('%j is refused', async (params, message) => {
    expect(refused(await world.ada.client.get('/messages', params)).msg).toBe(message);
  });

  it('messages by their ids, without those that may not be read', async () => {
    const { stranger } = world;
    const ids = [sent['hello'], sent['private'], sent['vault'], sent['dm'], 10 ** 9, -1];
    const body = ok(await stranger.client.get('/messages', { message_ids: ids }));
    expect(named(idsOf(body['messages'] as MessageObject[]))).toEqual(['hello']);
    expect(body).not.toHaveProperty('anchor');
  });
});

describe('messages that may not be read', () => {
  it('are not found by people outside, with any narrow', async () => {
    const { stranger, guest, privateId, bob, ada } = world;
    for (const who of [stranger, guest]) {
      for (const narrow of [
        [term('search', 'secret')],
        [term('search', 'bars')],
        [term('id', sent['private'])],
        [term('sender', ada.id), term('id', sent['dm'])],
        [term('dm-including', bob.id), term('search', 'us')],
      ]) {
        const visible = await found(who, ...narrow);
        expect(visible.filter((name) => ['private', 'vault', 'dm'].includes(name))).toEqual([]);
      }
      const hidden = await who.client.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        narrow: [channel(privateId)],
      });
      const unknown = await who.client.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        narrow: [channel(999_999)],
      });
      const text = (answer: typeof hidden, id: number) => answer.text.replaceAll(String(id), '#');
      // A hidden channel and an unknown one get the same answer.
      expect(text(hidden, privateId)).toBe(text(unknown, 999_999));
    }
  });

  it('include the past of a protected channel, but not of a private one, for people who join later', async () => {
    const { ada, person, server, privateId, protectedId } = world;
    const late = await person();
    await addTo(late, 'vault');
    await addTo(late, 'secret');
    const after = await send(ada, protectedId, 'gold', 'new bars');
    expect(await fetchIds(late, channel(protectedId))).toEqual([after]);
    expect(await found(late, channel(privateId))).toEqual(['private']);
    expect(await fetchIds(late, channel(protectedId), term('search', 'bars'))).toEqual([after]);
    expect(refused(await late.client.get(`/messages/${sent['vault']}`)).msg).toBe(
      'Invalid message(s)',
    );
    const matches = ok(
      await late.client.get('/messages/matches_narrow', {
        msg_ids: [sent['vault'], after],
        narrow: [term('search', 'bars')],
      }),
    );
    expect(Object.keys(matches['messages'] as object)).toEqual([String(after)]);
    await unsubscribe(late, 'vault');
    expect(refused(await late.client.get(`/messages/${after}`)).msg).toBe('Invalid message(s)');
    void server;
  });
});

async function addTo(who: Actor, name: string): Promise<void> {
  ok(
    await world.ada.client.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [who.id],
    }),
  );
}

describe('shared history', () => {
  it('of a public channel is visible to people who never joined, as read and historical', async () => {
    const { stranger, publicId } = world;
    const messages = await fetchAll(stranger, [channel(publicId)]);
    expect(named(idsOf(messages))).toEqual(['hello', 'link', 'mention', 'done', 'empty']);
    expect(messages.map(({ flags }) => flags)).toEqual(messages.map(() => ['read', 'historical']));
    expect(await found(stranger, channel(publicId), term('is', 'unread'))).toEqual([]);
  });

  it('is never unread after joining; later messages are', async () => {
    const { person, ada, publicId } = world;
    const late = await person();
    await subscribe(late, 'general');
    const id = await send(ada, publicId, 'later', 'welcome');
    expect(await fetchIds(late, channel(publicId), term('is', 'unread'))).toEqual([id]);
    const { body } = await late.client.get(`/messages/${id}`);
    expect((body['message'] as MessageObject).flags).toEqual([]);
  });
});

describe('matches_narrow', () => {
  it('marks the matches in text and topic [M121] [M122] [M123]', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'Cats & dogs', 'Two **dogs** <bark>');
    const body = ok(
      await ada.client.get('/messages/matches_narrow', {
        msg_ids: [id, sent['hello'], 10 ** 9],
        narrow: [term('search', 'dog')],
      }),
    );
    expect(body['messages']).toEqual({
      [id]: {
        match_content:
          '<p>Two <strong><span class="highlight">dogs</span></strong> &lt;bark&gt;</p>',
        match_subject: 'Cats &amp; <span class="highlight">dogs</span>',
      },
    });
  });

  it('accepts terms as pairs, and returns text and topic unmarked without a search', async () => {
    const { ada } = world;
    const params = { msg_ids: [sent['hello']], narrow: [['sender', ada.email]] };
    const body = ok(await ada.client.get('/messages/matches_narrow', params));
    expect(body['messages']).toEqual({
      [String(sent['hello'])]: {
        match_content: '<p>Hello everybody</p>',
        match_subject: 'Greetings',
      },
    });
  });
});

describe('search', () => {
  it('finds English words by their stem and marks them in the fetched messages', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'sport', 'She runs; running is fun. The runner ran.');
    const [message] = await fetchAll(ada, [term('search', 'run')]);
    expect(message?.id).toBe(id);
    expect(message?.match_content).toBe(
      '<p>She <span class="highlight">runs</span>; <span class="highlight">running</span> is fun. The runner ran.</p>',
    );
  });

  it('finds words that other search engines ignore', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'list', 'to do: not this');
    expect(await fetchIds(ada, term('search', 'to do'))).toContain(id);
  });

  it('finds Persian in every spelling', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'فارسی', 'کتاب\u200Cهای یکم را می\u200Cخوانم ۱۲');
    for (const text of [
      'كتاب',
      'کتاب\u200Cهای',
      'کتابهای',
      'يكم',
      'یکم',
      'می خوانم',
      'میخوانم',
      '12',
      'فارسي',
    ]) {
      expect(await fetchIds(ada, term('search', text)), text).toContain(id);
    }
    const [message] = await fetchAll(ada, [term('search', 'كتاب')]);
    expect(message?.match_content).toContain('<span class="highlight">کتاب\u200Cهای</span>');
    expect(await fetchIds(ada, term('search', 'خانه'))).not.toContain(id);
  });

  it('finds punctuation such as :)', async () => {
    const { ada, publicId } = world;
    const id = await send(ada, publicId, 'signs', 'done :-) %%');
    expect(await fetchIds(ada, term('search', '%%'))).toEqual([id]);
  });
});
