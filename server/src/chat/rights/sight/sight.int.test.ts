// Who sees whom: addresses by each person's setting, and people by what guests may know.
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { ROLE } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { pause } from '../../../platform/std/wait.ts';
import { makeChannel, useCast } from '../../../testing/chat/cast-world.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import type { TestServer } from '../../../testing/server.ts';
import { settle, verifyEvents } from '../../../testing/verify-events.ts';
import { chatRoutes } from '../../routes.ts';

const world = useCast({ PUBLIC_URL: 'https://chat.example' });
const { as, sureAs } = world;
let server: TestServer;
let owner: Person;
let admin: Person;
let member: Person;
let other: Person;
let guest: Person;
let moderator: Person;

const HOST = 'chat.example';
const standIn = ({ id }: { readonly id: number }) => `user${id}@${HOST}`;

/** People by their setting, each with an address at a domain of its own. */
const people = new Map<number, Person>();
const domainOf = (visibility: number) => `v${visibility}.example`;

async function addPerson(visibility: number, name = `Hidden ${visibility}`): Promise<Person> {
  return examplePerson(server.ctx, {
    email: `${name.replaceAll(' ', '.')}@${domainOf(visibility)}`,
    fullName: name,
    settings: { email_address_visibility: visibility },
  });
}

beforeAll(async () => {
  ({ server } = world);
  ({ owner, admin, member, other, guest } = world.cast);
  moderator = await examplePerson(server.ctx, { role: ROLE.moderator });
  for (const visibility of [1, 2, 3, 4, 5]) people.set(visibility, await addPerson(visibility));
});

const hidden = (visibility: number): Person => {
  const found = people.get(visibility);
  if (found === undefined) throw new Error(`Nobody has ${visibility}.`);
  return found;
};

type Row = Readonly<Record<string, unknown>>;

const rowOf = async (viewer: Person, id: number): Promise<Row> =>
  (await sureAs(viewer).get(`/users/${id}`))['user'] as Row;

const registerAs = (viewer: Person, more: FormInput = {}) =>
  sureAs(viewer).post('/register', {
    apply_markdown: true,
    include_subscribers: 'true',
    client_capabilities: { user_list_incomplete: true },
    ...more,
  });

/** Who sees the address, by the person's setting. */
const SEEN_BY: Readonly<Record<number, readonly string[]>> = {
  1: ['owner', 'admin', 'moderator', 'member'],
  2: ['owner', 'admin', 'moderator', 'member'],
  3: ['owner', 'admin'],
  4: [],
  5: ['owner', 'admin', 'moderator'],
};

describe('email_address_visibility', () => {
  it('decides in lists, single rows and the initial state who sees the address', async () => {
    const viewers = { owner, admin, moderator, member, guest };
    for (const [name, viewer] of Object.entries(viewers)) {
      const state = await registerAs(viewer);
      const listed = (await sureAs(viewer).get('/users'))['members'] as Row[];
      for (const [visibility, person] of people) {
        const isSeen = SEEN_BY[visibility]?.includes(name) === true;
        const expected = {
          user_id: person.id,
          delivery_email: isSeen ? person.email : null,
          email: visibility === 1 && name !== 'guest' ? person.email : standIn(person),
        };
        expect(await rowOf(viewer, person.id), name).toMatchObject(expected);
        for (const rows of [listed, state['realm_users'] as Row[]]) {
          expect(
            rows.find((row) => row['user_id'] === person.id),
            name,
          ).toMatchObject(expected);
        }
      }
    }
  });

  it('never hides people from themselves, nor bots from their owners', async () => {
    const self = hidden(4);
    expect(await rowOf(self, self.id)).toMatchObject({
      delivery_email: self.email,
      email: standIn(self),
    });
    expect(await registerAs(guest)).toMatchObject({
      delivery_email: guest.email,
      email: guest.email,
    });
    expect(await sureAs(guest).get('/users/me')).toMatchObject({ delivery_email: guest.email });
  });

  it('lets people authenticate with both of their addresses, and not with those of others', async () => {
    const self = hidden(4);
    const basic = (email: string) => ({
      basic: `Basic ${Buffer.from(`${email}:${self.chatKey}`).toString('base64')}`,
    });
    for (const email of [self.email, standIn(self)]) {
      expect(await as(basic(email)).get('/users/me')).toMatchObject({ status: 200 });
    }
    for (const email of [standIn(member), member.email, `user${self.id}@elsewhere.example`]) {
      expect(await as(basic(email)).get('/users/me')).toMatchObject({ status: 401 });
    }
  });

  it('finds people by an address only for those who see it, and always by the placeholder', async () => {
    const closed = hidden(3);
    for (const [viewer, isSeen] of [
      [admin, true],
      [member, false],
      [guest, false],
    ] as const) {
      const status = isSeen ? 200 : 400;
      const client = as(viewer);
      const narrow = (email: string) => [{ operator: 'sender', operand: email }];
      const page = { anchor: 'newest', num_before: 1, num_after: 0 };
      for (const email of [closed.email, closed.email.toUpperCase()]) {
        expect((await client.get(`/users/${email}`)).status).toBe(status);
        const found = await client.get('/messages', { ...page, narrow: narrow(email) });
        expect(found.status).toBe(status);
      }
      expect(await client.get(`/users/${closed.email}`)).toMatchObject(
        isSeen ? {} : { body: { msg: 'No such user' } },
      );
      expect(await client.get(`/users/${standIn(closed)}`)).toMatchObject({
        status: 200,
        body: { user: { user_id: closed.id } },
      });
      const found = await client.get('/messages', { ...page, narrow: narrow(standIn(closed)) });
      expect(found.status).toBe(200);
    }
    const to = (email: string) => ({ type: 'direct', to: [email], content: 'hello' });
    expect(await as(member).post('/messages', to(closed.email))).toMatchObject({
      status: 400,
      body: { msg: `Invalid email '${closed.email}'` },
    });
    expect(await as(member).post('/messages', to(standIn(closed)))).toMatchObject({ status: 200 });
  });

  it('is told to everybody for whom a change makes a difference', async () => {
    const person = await addPerson(1, 'Changing Mind');
    const set = (value: number) =>
      sureAs(person).patch('/settings', { email_address_visibility: value });
    const changes = (events: readonly object[] = []) =>
      events
        .filter((event) => (event as Row)['type'] === 'realm_user')
        .map((event) => (event as Row)['person']);
    const [toAdmin, toMember, toGuest, toSelf] = await verifyEvents(
      server,
      [admin, member, guest, person],
      () => set(3),
    );
    const placeholder = { user_id: person.id, new_email: standIn(person) };
    expect(changes(toAdmin)).toEqual([placeholder]);
    expect(changes(toMember)).toEqual([{ user_id: person.id, delivery_email: null }, placeholder]);
    expect(changes(toGuest)).toEqual([]);
    expect(changes(toSelf)).toEqual([placeholder]);
    const [fromNobody] = await verifyEvents(server, [member], async () => {
      await set(4);
      await set(2);
    });
    expect(changes(fromNobody)).toEqual([{ user_id: person.id, delivery_email: person.email }]);
    const [back, stillGuest] = await verifyEvents(server, [member, guest], () => set(1));
    expect(changes(back)).toEqual([{ user_id: person.id, new_email: person.email }]);
    expect(changes(stillGuest)).toEqual([]);
  });

  it('starts as the organization wants it for new people', async () => {
    await sureAs(owner).patch('/realm/user_settings_defaults', { email_address_visibility: 3 });
    const state = await registerAs(owner);
    expect(state['realm_user_settings_defaults']).toMatchObject({ email_address_visibility: 3 });
    await sureAs(owner).patch('/realm/user_settings_defaults', { email_address_visibility: 1 });
    const { body } = await as(member).patch('/settings', { email_address_visibility: 6 });
    expect(body).toMatchObject({ result: 'error' });
  });

  it('ends the queues of somebody whose role shows them other addresses', async () => {
    const person = await examplePerson(server.ctx);
    const { queue_id, last_event_id } = await registerAs(person);
    await sureAs(owner).patch(`/users/${person.id}`, { role: ROLE.moderator });
    await settle(server);
    const { body } = await as(person).get('/events', {
      queue_id: String(queue_id),
      last_event_id: Number(last_event_id),
      dont_block: true,
    });
    expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });
});

/** Everything that the viewer's queue got until now, as text. */
async function eventsOf(viewer: Person, state: Record<string, unknown>): Promise<string> {
  await settle(server);
  await pause(300);
  const { text } = await as(viewer).get('/events', {
    queue_id: String(state['queue_id']),
    last_event_id: Number(state['last_event_id']),
    dont_block: true,
  });
  return text;
}

/** Calls every GET route about each of these people, messages and channels; returns all answers. */
async function readEverything(
  viewer: Person,
  ids: Readonly<Record<string, readonly (string | number)[]>>,
): Promise<{ readonly path: string; readonly text: string }[]> {
  const answers: { path: string; text: string }[] = [];
  const forms: Readonly<Record<string, FormInput>> = {
    '/messages': { anchor: 'newest', num_before: 100, num_after: 0 },
    '/users': { include_custom_profile_fields: true },
  };
  for (const { method, path } of chatRoutes) {
    if (method !== 'GET' || path === '/events') continue;
    const names = [...path.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name);
    let paths = [path];
    for (const name of names) {
      const values = ids[name] ?? [1];
      paths = paths.flatMap((one) =>
        values.map((value) => one.replace(new RegExp(`\\{${name}(:\\w+)?\\}`), String(value))),
      );
    }
    for (const one of paths) {
      const { text } = await as(viewer).get(one, forms[path] ?? {});
      answers.push({ path: one, text });
    }
  }
  return answers;
}

describe('[I26] a guest among 500 people', () => {
  let shared: { id: number; name: string };
  let stranger: Person;
  let messageId: number;

  beforeAll(async () => {
    stranger = hidden(2);
    await sql`
      INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
      SELECT 'crowd' || n || '@v1.example', 'Crowd ' || n, 400,
             decode(md5('crowd' || n), 'hex'), decode(md5('crowd' || n), 'hex')
        FROM generate_series(1, 490) n`.execute(server.ctx.db);
    shared = await makeChannel(server, owner, { subscribers: [owner.id, hidden(1).id, guest.id] });
    await makeChannel(server, owner, { subscribers: [owner.id, stranger.id] });
    const say = (to: number, content: string) => ({ type: 'channel', to, topic: 'x', content });
    const sent = await sureAs(hidden(1)).post('/messages', say(shared.id, 'hello'));
    messageId = Number(sent['id']);
    // Somebody who is not there any more, and somebody who never was.
    await sureAs(owner).post('/messages', say(shared.id, `@**Hidden 1** look`));
    await sureAs(hidden(1)).post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' });
    await sureAs(stranger).post('/messages', say(shared.id, 'from outside'));
  });

  const isAddress = /@(v\d|example)\.(example|com)/;

  it('finds no address in any byte of any answer or event, whoever acts', async () => {
    const state = await registerAs(guest, { slim_presence: false });
    const answers = await readEverything(guest, {
      user_id: [guest.id, hidden(1).id, stranger.id, member.id],
      email: [standIn(hidden(1)), standIn(stranger)],
      message_id: [messageId],
      stream_id: [shared.id],
    });
    const own = (text: string) => text.replaceAll(guest.email, '');
    expect(answers.length).toBeGreaterThan(50);
    const leaks = [...answers, { path: '/register', text: JSON.stringify(state) }].filter(
      ({ text }) => isAddress.test(own(text)),
    );
    expect(leaks.map(({ path, text }) => `${path}: ${isAddress.exec(own(text))?.[0]}`)).toEqual([]);

    const actor = hidden(1);
    const acting = sureAs(actor);
    const sent = await acting.post('/messages', {
      type: 'channel',
      to: shared.id,
      topic: 'x',
      content: 'more',
    });
    await acting.post(`/messages/${String(sent['id'])}/reactions`, { emoji_name: 'tada' });
    await acting.post('/messages', { type: 'direct', to: [guest.id], content: 'psst' });
    await acting.post('/typing', { type: 'direct', op: 'start', to: [guest.id] });
    await acting.post('/users/me/presence', { status: 'active' });
    await acting.patch('/settings', { timezone: 'Asia/Tehran', full_name: 'Hidden One' });
    await acting.patch('/settings', { email_address_visibility: 2 });
    await acting.patch('/settings', { email_address_visibility: 1 });
    await acting.post('/users/me/status', { status_text: 'busy' });
    await sureAs(owner).patch(`/users/${actor.id}`, { new_email: 'moved@v1.example' });
    await examplePerson(server.ctx, { email: 'new@v1.example' });
    await sureAs(owner).patch(`/users/${member.id}`, { role: ROLE.moderator });
    await sureAs(owner).patch(`/users/${member.id}`, { role: ROLE.member });
    const events = await eventsOf(guest, state);
    expect(events).toContain('psst');
    expect(events).toContain(`"sender_email":"${standIn(actor)}"`);
    expect(isAddress.exec(own(events))?.[0]).toBeUndefined();
  }, 300_000);

  it('members find no address of people who hide it from them', async () => {
    const self = { domain: other.email };
    for (const [viewer, mayNot] of [
      [other, /@v[345]\.example/],
      [moderator, /@v[34]\.example/],
      [admin, /@v4\.example/],
    ] as const) {
      const state = await registerAs(viewer, { slim_presence: false });
      const answers = await readEverything(viewer, {
        user_id: [hidden(3).id, hidden(4).id, hidden(5).id],
        email: [standIn(hidden(4))],
        message_id: [messageId],
        stream_id: [shared.id],
      });
      for (const visibility of [3, 4, 5]) {
        const acting = sureAs(hidden(visibility));
        await acting.post('/users/me/subscriptions', { subscriptions: [{ name: shared.name }] });
        await acting.post('/messages', {
          type: 'direct',
          to: [viewer.id],
          content: `to ${self.domain}`,
        });
        await acting.patch('/settings', { timezone: 'Asia/Tehran' });
        await acting.post('/users/me/presence', { status: 'active' });
        await acting.post('/typing', { type: 'direct', op: 'start', to: [viewer.id] });
        await acting.patch('/settings', { timezone: '' });
      }
      answers.push({ path: '/register', text: JSON.stringify(state) });
      answers.push({ path: '/events', text: await eventsOf(viewer, state) });
      const leaks = answers.filter(({ text }) => mayNot.test(text)).map(({ path }) => path);
      expect(leaks).toEqual([]);
    }
  }, 300_000);

  describe('where guests do not know everybody', () => {
    beforeAll(async () => {
      const { queue_id, last_event_id } = await registerAs(guest);
      await sureAs(owner).patch('/realm', {
        can_access_all_users_group: { new: roleGroupId('role:members') },
      });
      await settle(server);
      const { body } = await as(guest).get('/events', {
        queue_id: String(queue_id),
        last_event_id: Number(last_event_id),
        dont_block: true,
      });
      // What the client was told before is not what it may know now.
      expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    });

    const idsIn = (rows: unknown) => new Set((rows as Row[]).map((row) => row['user_id']));

    it('knows themselves, bots, and those with whom they share a channel or a conversation', async () => {
      const known = idsIn((await registerAs(guest))['realm_users']);
      expect(known).toEqual(
        new Set([owner.id, guest.id, hidden(1).id, hidden(3).id, hidden(4).id, hidden(5).id]),
      );
      expect(idsIn((await sureAs(guest).get('/users'))['members'])).toEqual(known);
      expect(idsIn((await registerAs(member))['realm_users']).size).toBeGreaterThan(490);
    });

    it('sees the rest as an unknown user, if the client needs a row for everybody', async () => {
      const state = await registerAs(guest, { client_capabilities: {} });
      const rows = state['realm_users'] as Row[];
      expect(rows.length).toBeGreaterThan(490);
      expect(rows.find((row) => row['user_id'] === stranger.id)).toMatchObject({
        full_name: 'Unknown user',
        email: standIn(stranger),
        delivery_email: null,
        date_joined: '1970-01-01T00:00+00:00',
        avatar_url: '/avatar/0?version=1',
      });
      expect(JSON.stringify(state)).not.toContain('Hidden 2');
    });

    it('cannot look up, write to, mention or mute somebody whom they do not know', async () => {
      const client = as(guest);
      const gone = { status: 400, body: { msg: 'No such user' } };
      for (const path of ['', '/presence', '/status', '/channels']) {
        expect(await client.get(`/users/${stranger.id}${path}`), path).toMatchObject(gone);
      }
      expect(await client.get(`/users/${standIn(stranger)}`)).toMatchObject(gone);
      expect(await client.post(`/users/me/muted_users/${stranger.id}`)).toMatchObject(gone);
      expect(
        await client.post('/messages', { type: 'direct', to: [stranger.id], content: 'x' }),
      ).toMatchObject({ status: 400, body: { msg: `Invalid user ID ${stranger.id}` } });
      expect(
        await client.post('/typing', { type: 'direct', op: 'start', to: [stranger.id] }),
      ).toMatchObject({ status: 400 });
      const { rendered } = await sureAs(guest).post('/messages/render', {
        content: `@**|${stranger.id}** and @**Hidden 2**`,
      });
      expect(String(rendered)).not.toContain('data-user-id');
      const picture = await fetch(`${server.origin}/avatar/${stranger.id}`, {
        headers: { authorization: guest.basic },
      });
      expect(picture.status).toBe(400);
      const stock = await fetch(`${server.origin}/avatar/0?version=1`, {
        headers: { authorization: guest.basic },
      });
      expect(stock.status).toBe(200);
    });

    it('reads messages of people whom they do not know without their names, also in events', async () => {
      const state = await registerAs(guest);
      await sureAs(stranger).post('/messages', {
        type: 'channel',
        to: shared.id,
        topic: 'x',
        content: 'again from outside',
      });
      await sureAs(stranger).post(`/messages/${messageId}/reactions`, { emoji_name: 'heart' });
      await sureAs(stranger).post('/users/me/status', { status_text: 'secretly busy' });
      await sureAs(stranger).patch('/settings', { timezone: 'Asia/Tehran' });
      const events = await eventsOf(guest, state);
      const { messages } = await sureAs(guest).get('/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
      });
      expect(events).toContain('again from outside');
      expect(events).not.toContain('Asia/Tehran');
      for (const text of [events, JSON.stringify(messages)]) {
        expect(text).toContain('"sender_full_name":"Unknown user"');
        expect(text).not.toContain('Hidden 2');
        expect(text).not.toContain(`/avatar/${stranger.id}`);
        expect(text).not.toContain('secretly busy');
      }
    });

    const names = (events: readonly object[] = []) =>
      events
        .filter((event) => (event as Row)['type'] === 'realm_user')
        .map((event) => [(event as Row)['op'], ((event as Row)['person'] as Row)['full_name']]);

    it('gains and loses sight with channels, and hears of it once', async () => {
      const place = await makeChannel(server, owner, { subscribers: [owner.id, stranger.id] });
      const subscribe = (who: Person) =>
        sureAs(owner).post('/users/me/subscriptions', {
          subscriptions: [{ name: place.name }],
          principals: [who.id],
        });
      const release = (who: Person, name: string) =>
        sureAs(owner).delete('/users/me/subscriptions', {
          subscriptions: [name],
          principals: [who.id],
        });
      const [gained] = await verifyEvents(server, [guest, member], () => subscribe(guest));
      expect(names(gained)).toEqual([['add', 'Hidden 2']]);
      // A second link changes nothing, and nor does its end.
      const both = await verifyEvents(server, [guest], async () => {
        await sureAs(owner).post('/users/me/subscriptions', {
          subscriptions: [{ name: shared.name }],
          principals: [stranger.id],
        });
        await release(stranger, place.name);
      });
      expect(names(both[0])).toEqual([]);
      const [lost] = await verifyEvents(server, [guest, member], () =>
        release(stranger, shared.name),
      );
      expect(names(lost)).toEqual([['remove', 'Hidden 2']]);
      expect((await as(guest).get(`/users/${stranger.id}`)).status).toBe(400);
    });

    it('gains sight with the first direct message, and with new bots', async () => {
      const [events] = await verifyEvents(server, [guest], async () => {
        await sureAs(stranger).post('/messages', {
          type: 'direct',
          to: [guest.id],
          content: 'hello there',
        });
        await sureAs(stranger).post('/messages', {
          type: 'direct',
          to: [guest.id],
          content: 'and again',
        });
        await sureAs(member).post('/bots', { full_name: 'Helper', short_name: 'helper' });
        await examplePerson(server.ctx, { fullName: 'Nobody Knows' });
      });
      expect(names(events)).toEqual([
        ['add', 'Hidden 2'],
        ['add', 'Helper'],
      ]);
    });

    it('a guest who becomes a member knows everybody, after registering again', async () => {
      const promoted = await examplePerson(server.ctx, { role: ROLE.guest });
      const { queue_id, last_event_id } = await registerAs(promoted);
      await sureAs(owner).patch(`/users/${promoted.id}`, { role: ROLE.member });
      await settle(server);
      const { body } = await as(promoted).get('/events', {
        queue_id: String(queue_id),
        last_event_id: Number(last_event_id),
        dont_block: true,
      });
      expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      expect(idsIn((await registerAs(promoted))['realm_users']).size).toBeGreaterThan(490);
    });
  });
});
