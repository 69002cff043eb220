// Accepting invitations: which accounts they create, who is told, and when they are refused.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import {
  startMailCatcher,
  type CaughtEmail,
  type MailCatcher,
} from '../../../testing/mail-catcher.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type Answer, type FormInput } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  openMessageWorld,
  refused,
  send,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

const PASSWORD = 'correct horse 7';
let catcher: MailCatcher;
let world: MessageWorld;
let ahead = 0;
let count = 0;

beforeAll(async () => {
  catcher = await startMailCatcher();
  world = await openMessageWorld({
    withJobs: true,
    clock: { now: () => Date.now() + ahead },
    settings: {
      ...catcher.settings,
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
      SIGNUP_MAILS_PER_RECIPIENT: '3',
    },
  });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
  await catcher.close();
});

const address = () => `newcomer${(count += 1)}@example.org`;
const keyIn = ({ text = '' }: CaughtEmail): string =>
  /\/accounts\/do_confirm\/([a-z2-7]{52})/.exec(text)?.[1] ?? '';

/** Invites somebody and returns the key from the email. */
async function invited(by: Actor, form: FormInput = {}, email = address()) {
  ok(await by.client.post('/invites', { invitee_emails: email, stream_ids: [], ...form }));
  return { email, key: keyIn(await catcher.next(email)) };
}

const register = (form: FormInput): Promise<Answer> =>
  chatClient(world.server).post('/register_account', {
    full_name: 'Nia New',
    password: PASSWORD,
    ...form,
  });

/** A name that nobody has, as guests need one. */
const freshName = () => `Newcomer No. ${(count += 1)}`;

/** Accepts an invitation and returns the new person. */
async function joined(form: FormInput): Promise<Actor> {
  const body = ok(await register(form));
  expect(body['status']).toBe('created');
  const basic = `Basic ${Buffer.from(`${String(body['email'])}:${String(body['api_key'])}`).toString('base64')}`;
  const client = chatClient(world.server, { basic });
  const me = ok(await client.get('/users/me'));
  return {
    id: Number(body['user_id']),
    email: String(body['email']),
    fullName: String(me['full_name']),
    role: me['role'],
    basic,
    client,
  } as unknown as Actor;
}

const channelsOf = async ({ client }: Actor): Promise<number[]> =>
  (ok(await client.get('/users/me/subscriptions'))['subscriptions'] as { stream_id: number }[])
    .map(({ stream_id }) => stream_id)
    .sort((a, b) => a - b);
const notesTo = async (who: Actor): Promise<string[]> =>
  (await fetchAll(who, [['is', 'dm']], { apply_markdown: false })).map(({ content }) => content);

it('[M139] [M140] gives the promised channels and groups, and tells everybody', async () => {
  const { server, ada, bob, publicId, privateId } = world;
  const { group_id } = ok(
    await ada.client.post('/user_groups/create', { name: 'crew', description: '', members: [] }),
  );
  const groupId = Number(group_id);
  const { email, key } = await invited(ada, {
    stream_ids: [publicId, privateId],
    group_ids: [groupId],
  });
  let newcomer: Actor | undefined;
  const [adas = [], bobs = [], owners = []] = await verifyEvents(
    server,
    [ada, bob, world.owner],
    async () => {
      newcomer = await joined({ key, full_name: ' Nia New ', email: email.toUpperCase() });
    },
  );
  if (newcomer === undefined) throw new Error('Nobody joined.');
  expect(newcomer).toMatchObject({ email, fullName: 'Nia New', role: 400 });
  expect(await channelsOf(newcomer)).toEqual([publicId, privateId]);
  const members = ok(await ada.client.get(`/user_groups/${groupId}/members`))['members'];
  expect(members).toEqual([newcomer.id]);
  const kinds = (events: readonly { type: string; op?: unknown }[]) =>
    events.map(({ type, op }) => (typeof op === 'string' ? `${type} ${op}` : type));
  const told = ['realm_user add', 'user_group add_members', 'subscription peer_add'];
  expect(kinds(adas)).toEqual(expect.arrayContaining([...told, 'message', 'invites_changed']));
  expect(kinds(bobs)).toEqual(expect.arrayContaining(told));
  expect(kinds(bobs)).not.toContain('invites_changed');
  expect(kinds(owners)).toContain('invites_changed');
  // The owner is not in the private channel and only knows of it, so they do not hear who joined it.
  expect(bobs.filter(({ type }) => type === 'subscription')).toMatchObject([
    { op: 'peer_add', stream_ids: [publicId], user_ids: [newcomer.id] },
    { op: 'peer_add', stream_ids: [privateId], user_ids: [newcomer.id] },
  ]);
  expect(adas.filter(({ type, ...e }) => type === 'user_group' && 'group_id' in e)).toMatchObject([
    { group_id: roleGroupId('role:members') },
    { group_id: roleGroupId('role:fullmembers') },
    { group_id: groupId, user_ids: [newcomer.id] },
  ]);
  // The password works, and the invitation is used up.
  ok(await chatClient(server).post('/fetch_api_key', { username: email, password: PASSWORD }));
  const again = await register({ key });
  expect(again).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST', invitation: 'used' } });
});

it('[M141] adds the default channels if they were promised', async () => {
  const { owner, ada, publicId, privateId } = world;
  ok(await owner.client.post('/default_streams', { stream_id: publicId }));
  const channels = async (form: FormInput) =>
    channelsOf(await joined({ key: (await invited(ada, form)).key, full_name: freshName() }));
  expect(await channels({ include_realm_default_subscriptions: true })).toEqual([publicId]);
  expect(await channels({})).toEqual([]);
  expect(
    await channels({ include_realm_default_subscriptions: true, stream_ids: [privateId] }),
  ).toEqual([publicId, privateId]);
  expect(
    await channels({ include_realm_default_subscriptions: true, invite_as: ROLE.guest }),
  ).toEqual([publicId]);
  ok(await owner.client.delete('/default_streams', { stream_id: publicId }));
});

it('[M142] tells the inviter in a direct message, unless they do not want one', async () => {
  const inviter = await world.person({ fullName: 'Ivy Inviter' });
  const first = await joined({ key: (await invited(inviter)).key });
  expect(await notesTo(inviter)).toEqual([
    `@_**Nia New|${first.id}** accepted your invitation to join Rialto!`,
  ]);
  await joined({ key: (await invited(inviter, { notify_referrer_on_join: false })).key });
  expect(await notesTo(inviter)).toHaveLength(1);
});

it('[M143] welcomes the new person with the text of the invitation or of the organization, or not at all', async () => {
  const { owner, publicId } = world;
  ok(await owner.client.patch('/realm', { welcome_message_custom_text: 'Mind the *gap*.' }));
  const notes = async (form: FormInput) =>
    notesTo(await joined({ key: (await invited(owner, form)).key }));
  const greeting = expect.stringMatching(/^Hello @_\*\*Nia New\|\d+\*\*, and welcome to Rialto!/);
  expect(await notes({})).toEqual([greeting, 'Mind the *gap*.']);
  expect(await notes({ welcome_message_custom_text: 'null' })).toEqual([
    greeting,
    'Mind the *gap*.',
  ]);
  expect(await notes({ welcome_message_custom_text: '' })).toEqual([greeting]);
  const own = await notes({
    welcome_message_custom_text: 'See #**general**',
    stream_ids: [publicId],
  });
  expect(own).toEqual([expect.stringContaining('* #**general**'), 'See #**general**']);
  ok(
    await owner.client.patch('/realm', { welcome_message_custom_text: '', default_language: 'fa' }),
  );
  expect(await notes({})).toEqual([expect.stringContaining('خوش آمدید')]);
  ok(await owner.client.patch('/realm', { default_language: 'en' }));
});

it('announces new people in the channel that the organization chose', async () => {
  const { owner, ada, publicId } = world;
  ok(await owner.client.patch('/realm', { signup_announcements_stream_id: publicId }));
  const newcomers = await Promise.all(
    [ROLE.member, ROLE.guest].map(async (invite_as) => {
      const { key } = await invited(ada, { invite_as, stream_ids: [publicId] });
      return joined({ key, ...(invite_as === ROLE.guest && { full_name: 'Gil Guest' }) });
    }),
  );
  ok(await owner.client.patch('/realm', { signup_announcements_stream_id: -1 }));
  const [member, guest] = newcomers.map(({ id }) => id);
  const notes = await fetchAll(ada, [['topic', 'signups']], { apply_markdown: false });
  expect(notes.map(({ content }) => content).sort()).toEqual(
    [
      `@_**Nia New|${member}** joined this organization.`,
      `@_**Gil Guest|${guest}** joined this organization as a guest.`,
    ].sort(),
  );
});

it('shows the recent messages of channels, of which only the newest twenty are unread', async () => {
  const { ada } = world;
  const open = await world.channel('busy', [ada]);
  const vault = await world.channel('shut', [ada], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const before: number[] = [];
  for (let n = 0; n < 25; n += 1) before.push(await send(ada, open, 'work', `message ${n}`));
  await send(ada, vault, 'work', 'not for those who come later');
  const { key } = await invited(ada, { stream_ids: [open, vault] });
  const newcomer = await joined({ key });
  const found = await fetchAll(newcomer, [{ operator: 'channel', operand: open }]);
  expect(found.map(({ id }) => id)).toEqual(before);
  const unread = found.filter(({ flags = [] }) => !flags.includes('read')).map(({ id }) => id);
  expect(unread).toEqual(before.slice(-20));
  expect(found.some(({ flags = [] }) => flags.includes('historical'))).toBe(false);
  expect(await fetchAll(newcomer, [{ operator: 'channel', operand: vault }])).toEqual([]);
  const state = ok(await newcomer.client.post('/register'));
  expect(state['unread_msgs']).toMatchObject({
    streams: [{ stream_id: open, unread_message_ids: before.slice(-20) }],
  });
  // New messages arrive as usual.
  const next = await send(ada, open, 'work', 'after');
  const later = await fetchAll(newcomer, [{ operator: 'channel', operand: open }]);
  expect(later.at(-1)).toMatchObject({ id: next });
  expect(later.filter(({ flags = [] }) => !flags.includes('read'))).toHaveLength(21);
});

describe('what is checked at the moment of use', () => {
  const over = async (key: string, kind: string) =>
    expect(await register({ key })).toMatchObject({
      status: 404,
      body: { result: 'error', code: 'BAD_REQUEST', invitation: kind },
    });

  it('refuses keys that are revoked, expired, replaced or unknown', async () => {
    const { ada } = world;
    const idOf = async (email: string) =>
      (ok(await ada.client.get('/invites'))['invites'] as { id: number; email?: string }[]).find(
        (one) => one.email === email,
      )?.id;
    const revoked = await invited(ada);
    ok(await ada.client.delete(`/invites/${await idOf(revoked.email)}`));
    await over(revoked.key, 'revoked');
    const again = await invited(ada);
    ok(await ada.client.post(`/invites/${await idOf(again.email)}/resend`));
    await over(again.key, 'unknown');
    await joined({ key: keyIn(await catcher.next(again.email)) });
    const short = await invited(ada, { invite_expires_in_minutes: 1 });
    const forever = await invited(ada, { invite_expires_in_minutes: 'null' });
    ahead = 61_000;
    await over(short.key, 'expired');
    ahead = 3650 * DAY_MS;
    await joined({ key: forever.key });
    ahead = 0;
    for (const key of ['', 'x', 'a'.repeat(52), '%00', '\u0000']) {
      const { status } = await register({ key });
      expect([400, 404]).toContain(status);
    }
  });

  it('never gives a higher role than the inviter has by then', async () => {
    const { owner } = world;
    const boss = await world.person({ role: ROLE.administrator });
    const { key } = await invited(boss, { invite_as: ROLE.administrator });
    const lesser = await invited(boss, { invite_as: ROLE.guest });
    ok(await owner.client.patch(`/users/${boss.id}`, { role: ROLE.member }));
    expect(await joined({ key })).toMatchObject({ role: ROLE.member });
    expect(await joined({ key: lesser.key, full_name: freshName() })).toMatchObject({
      role: ROLE.guest,
    });
  });

  it('refuses an invitation whose inviter is deactivated or may no longer invite', async () => {
    const { owner } = world;
    const who = await world.person();
    const one = await invited(who);
    const two = await invited(who);
    ok(await owner.client.patch(`/users/${who.id}`, { role: ROLE.guest }));
    await over(one.key, 'withdrawn');
    ok(await owner.client.patch(`/users/${who.id}`, { role: ROLE.member }));
    await joined({ key: one.key });
    ok(await owner.client.delete(`/users/${who.id}`));
    await over(two.key, 'expired');
    ok(await owner.client.post(`/users/${who.id}/reactivate`));
    await over(two.key, 'expired');
  });

  it('leaves out channels and groups that the inviter may no longer give', async () => {
    const { owner, publicId } = world;
    const who = await world.person();
    const secret = await world.channel('closed-later', [who], { invite_only: true });
    const { group_id } = ok(
      await who.client.post('/user_groups/create', { name: 'lost', description: '', members: [] }),
    );
    const { key } = await invited(who, {
      stream_ids: [publicId, secret],
      group_ids: [Number(group_id)],
    });
    ok(
      await owner.client.delete('/users/me/subscriptions', {
        subscriptions: ['closed-later'],
        principals: [who.id],
      }),
    );
    ok(await owner.client.post(`/user_groups/${Number(group_id)}/deactivate`));
    const newcomer = await joined({ key });
    expect(await channelsOf(newcomer)).toEqual([publicId]);
  });

  it('refuses somebody else’s address, weak passwords and bad names', async () => {
    const { key, email } = await invited(world.ada);
    const no = async (form: FormInput, msg: string) =>
      expect(refused(await register({ key, ...form }))).toMatchObject({ code: 'BAD_REQUEST', msg });
    await no({ email: 'other@example.org' }, 'The invitation is for another address.');
    await no({ password: 'short' }, 'The password is too weak.');
    await no({ password: '12345678' }, 'The password is too weak.');
    await no({ full_name: '  ' }, 'Name must not be empty!');
    await no({ full_name: 'a**b' }, 'Invalid characters in name!');
    const bare = await chatClient(world.server).post('/register_account', { key });
    expect(refused(bare)).toMatchObject({ var_name: 'full_name' });
    ok(await world.owner.client.patch('/realm', { require_unique_names: true }));
    await no({ full_name: 'ada' }, 'Unique names required in this organization.');
    ok(await world.owner.client.patch('/realm', { require_unique_names: false }));
    // The refusals did not use up the invitation.
    expect(await joined({ key })).toMatchObject({ email });
  });

  it('creates no second account for somebody who got one meanwhile', async () => {
    const { ada, owner } = world;
    const { key, email } = await invited(ada);
    ok(await owner.client.post('/users', { email, full_name: 'Made By Hand', password: PASSWORD }));
    expect(refused(await register({ key })).msg).toBe('Email is already in use.');
  });

  it('ends other invitations for the same address, and tells their inviters', async () => {
    const { ada, bob } = world;
    const email = address();
    const first = await invited(ada, {}, email);
    const second = await invited(bob, {}, email.toUpperCase());
    const [events] = await verifyEvents(world.server, [bob], () => register({ key: first.key }));
    expect(events?.filter(({ type }) => type === 'invites_changed')).toHaveLength(1);
    await over(second.key, 'revoked');
  });
});

it('creates one account when many use the same key at once', async () => {
  const { ada } = world;
  const email = address();
  const { key } = await invited(ada, { stream_ids: [world.publicId] }, email);
  const other = await invited(world.bob, {}, email);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      register({ key: n % 4 === 3 ? other.key : key, full_name: `Nia ${n}` }),
    ),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const { status, body } of answers) {
    if (status === 200) continue;
    expect([status, body['code']]).toEqual([404, 'BAD_REQUEST']);
    expect(['used', 'revoked']).toContain(body['invitation']);
  }
  const users = await world.server.ctx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .execute();
  expect(users).toHaveLength(1);
}, 60_000);

describe('a reusable link', () => {
  const make = async (form: FormInput = {}, by = world.owner): Promise<string> => {
    const { invite_link } = ok(await by.client.post('/invites/multiuse', form));
    return /\/join\/([a-z2-7]{52})\//.exec(String(invite_link))?.[1] ?? '';
  };
  const ask = (key: string, email: string) =>
    chatClient(world.server).post('/register_account', { key, email });

  it('[M145] [M146] lets many people join, each after an email to their own address', async () => {
    const { publicId, owner } = world;
    const key = await make({ invite_as: ROLE.guest, stream_ids: [publicId] });
    const emails = [address(), address(), address()];
    for (const email of emails) {
      expect(ok(await ask(key, email))).toMatchObject({ status: 'confirmation_sent' });
    }
    const received = await Promise.all(emails.map((email) => catcher.next(email)));
    expect(received.map(({ subject }) => subject)).toEqual(
      emails.map(() => 'Confirm your address for Rialto'),
    );
    const before = (await notesTo(owner)).length;
    const people = await Promise.all(
      received.map((mail) => joined({ key: keyIn(mail), full_name: freshName() })),
    );
    for (const person of people) {
      expect(person.role).toBe(ROLE.guest);
      expect(await channelsOf(person)).toEqual([publicId]);
    }
    // A link may bring hundreds of people, so its creator gets no messages about them.
    expect(await notesTo(owner)).toHaveLength(before);
    expect(
      refused(await chatClient(world.server).post('/register_account', { key })),
    ).toMatchObject({
      var_name: 'email',
    });
  });

  it('puts people into the default channels if it names no channels', async () => {
    const { owner, publicId } = world;
    ok(await owner.client.post('/default_streams', { stream_id: publicId }));
    for (const [form, expected] of [
      [{}, [publicId]],
      [{ stream_ids: [] }, []],
      [{ include_realm_default_subscriptions: false }, []],
    ] as const) {
      const email = address();
      ok(await ask(await make(form), email));
      const newcomer = await joined({ key: keyIn(await catcher.next(email)) });
      expect(await channelsOf(newcomer)).toEqual(expected);
    }
    ok(await owner.client.delete('/default_streams', { stream_id: publicId }));
  });

  it('[M061] stops working for everybody when it is revoked, also for people who have an email already', async () => {
    const { owner } = world;
    const key = await make();
    const email = address();
    ok(await ask(key, email));
    const mail = await catcher.next(email);
    const invites = ok(await owner.client.get('/invites'))['invites'] as Record<string, unknown>[];
    const id = invites.find(({ link_url }) => String(link_url).includes(key))?.['id'];
    ok(await owner.client.delete(`/invites/multiuse/${String(id)}`));
    for (const answer of [await ask(key, address()), await register({ key: keyIn(mail) })]) {
      expect(answer).toMatchObject({ status: 404, body: { invitation: 'revoked' } });
    }
  });

  it('tells only the mailbox whether the address has an account', async () => {
    const key = await make();
    const fresh = address();
    const taken = await world.person({ email: address() });
    const [one, two] = [await ask(key, fresh), await ask(key, taken.email.toUpperCase())];
    expect(two.text).toBe(one.text);
    expect((await catcher.next(fresh)).subject).toBe('Confirm your address for Rialto');
    const told = await catcher.next(taken.email);
    expect(told.subject).toBe('You already have an account at Rialto');
    expect(keyIn(told)).toBe('');
  });

  it('sends a limited number of emails to one address, with or without an account', async () => {
    const key = await make();
    const taken = await world.person({ email: address() });
    for (const email of [address(), taken.email]) {
      const answers: Answer[] = [];
      for (let n = 0; n < 4; n += 1) answers.push(await ask(key, email));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    }
    expect(refused(await ask(key, 'nonsense')).msg).toBe('Invalid address.');
    expect(refused(await ask(key, 'x@mailinator.com')).msg).toBe(
      'Please use your real email address.',
    );
  });

  it('is not listed among the emails, and cannot be managed as one', async () => {
    const key = await make();
    const email = address();
    ok(await ask(key, email));
    await catcher.next(email);
    const invites = ok(await world.owner.client.get('/invites'))['invites'] as { email?: string }[];
    expect(invites.some((one) => one.email === email)).toBe(false);
    const row = await world.server.ctx.db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(refused(await world.owner.client.delete(`/invites/${row.id}`)).msg).toBe(
      'No such invitation',
    );
  });
});
