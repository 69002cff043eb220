// Inviting over HTTP: who may invite whom, what they may promise, and which events are sent.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { startMailCatcher, type MailCatcher } from '../../../testing/mail-catcher.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer, FormInput } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  refused,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { forgetInvitations, remindInvitee } from './jobs.ts';

let catcher: MailCatcher;
let world: MessageWorld;
let admin: Actor;
let moderator: Actor;
let bot: Actor;
/** How far the server's clock is ahead of ours. */
let ahead = 0;
let count = 0;

beforeAll(async () => {
  catcher = await startMailCatcher();
  world = await openMessageWorld({
    withJobs: true,
    clock: { now: () => Date.now() + ahead },
    settings: { ...catcher.settings, INVITATIONS_DAILY_MAX: '90' },
  });
  admin = await world.person({ role: ROLE.administrator, fullName: 'Alma Admin' });
  moderator = await world.person({ role: ROLE.moderator, fullName: 'Mo Moderator' });
  bot = await world.person({ botType: 1, botOwnerId: world.ada.id });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
  await catcher.close();
});

const address = () => `invitee${(count += 1)}@example.org`;
const invite = ({ client }: Actor, form: FormInput) =>
  client.post('/invites', { stream_ids: [], ...form });
const link = ({ client }: Actor, form: FormInput = {}) => client.post('/invites/multiuse', form);
const list = async ({ client }: Actor) =>
  ok(await client.get('/invites'))['invites'] as Record<string, unknown>[];
const setPermission = async (name: string, group: number) =>
  void ok(await world.owner.client.patch('/realm', { [name]: { new: group } }));
const audit = async (act: string) => {
  const rows = await world.server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'subject', 'details', 'outcome'])
    .where('act', '=', act)
    .where('outcome', '=', 'done')
    .orderBy('seq', 'desc')
    .execute();
  return rows[0];
};
const NOBODY = 8;
const MEMBERS = 3;
const ADMINISTRATORS = 6;

/** Invites one address and returns the row that the inviter then sees. */
async function invited(by: Actor, form: FormInput = {}): Promise<Record<string, unknown>> {
  const email = address();
  ok(await invite(by, { invitee_emails: email, ...form }));
  const row = (await list(by)).find((one) => one['email'] === email);
  if (row === undefined) throw new Error(`${email} is not in the list.`);
  return row;
}

const linkKey = (url: unknown): string => /\/join\/([a-z2-7]{52})\/$/.exec(String(url))?.[1] ?? '';

it('[M136] accepts addresses between commas or newlines, and sends one email to each', async () => {
  const [one, two, three] = [address(), address(), address()];
  ok(
    await invite(world.ada, {
      invitee_emails: `${one},Bea <${two}>\n${three}\n${one.toUpperCase()}`,
    }),
  );
  for (const email of [one, two, three]) {
    const mail = await catcher.next(email);
    expect(mail.subject).toBe('Ada invited you to join Rialto');
    expect(mail.text).toMatch(
      new RegExp(`${world.server.origin}/accounts/do_confirm/[a-z2-7]{52}\\n`),
    );
  }
  expect(catcher.emails.filter(({ recipients }) => recipients.includes(one))).toHaveLength(1);
  expect((await list(world.ada)).map(({ email }) => email)).toEqual(
    expect.arrayContaining([one, two, three]),
  );
  for (const text of ['', ' , \n ']) {
    expect(refused(await invite(world.ada, { invitee_emails: text }))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'You must specify at least one email address.',
    });
  }
  const missing = await world.ada.client.post('/invites', { stream_ids: [] });
  expect(refused(missing)).toMatchObject({ code: 'BAD_REQUEST', var_name: 'invitee_emails' });
  const crowd = Array.from({ length: 501 }, (_, n) => `n${n}@example.org`).join();
  expect(refused(await invite(world.ada, { invitee_emails: crowd })).msg).toContain('limit: 500');
});

it('[M137] [M220] lasts as long as the request says, ten days by default, and forever with null', async () => {
  const minutes = (row: Record<string, unknown>) =>
    row['expiry_date'] === null ? null : (Number(row['expiry_date']) - Number(row['invited'])) / 60;
  expect(minutes(await invited(world.ada))).toBe(14_400);
  expect(minutes(await invited(world.ada, { invite_expires_in_minutes: 90 }))).toBe(90);
  expect(minutes(await invited(world.ada, { invite_expires_in_minutes: 'null' }))).toBeNull();
  for (const [value, msg] of [
    ['0', 'invite_expires_in_minutes is too small'],
    ['5256001', 'invite_expires_in_minutes is too large'],
    ['soon', 'invite_expires_in_minutes is not valid JSON'],
    ['"5"', 'invite_expires_in_minutes is not an integer'],
  ]) {
    const answer = await invite(world.ada, {
      invitee_emails: address(),
      invite_expires_in_minutes: value ?? '',
    });
    expect(refused(answer)).toMatchObject({ code: 'BAD_REQUEST', msg });
  }
});

it('[M010] [M138] people invite to their own role or a lower one', async () => {
  const { owner, ada } = world;
  const cases: [Actor, number[]][] = [
    [owner, [100, 200, 300, 400, 600]],
    [admin, [200, 300, 400, 600]],
    [moderator, [300, 400, 600]],
    [ada, [400, 600]],
  ];
  for (const [who, allowed] of cases) {
    for (const role of [100, 200, 300, 400, 600]) {
      const email = address();
      const answer = await invite(who, { invitee_emails: email, invite_as: role });
      if (allowed.includes(role)) {
        ok(answer);
        const row = (await list(who)).find((one) => one['email'] === email);
        expect(row).toMatchObject({ invited_as: role });
      } else {
        expect(refused(answer)).toMatchObject({
          code: 'BAD_REQUEST',
          msg: expect.stringMatching(
            /^(Must be an organization (owner|administrator)|Insufficient permission)$/,
          ),
        });
      }
    }
  }
  expect(await invited(ada)).toMatchObject({ invited_as: 400 });
  for (const role of [0, 101, 500]) {
    const answer = await invite(owner, { invitee_emails: address(), invite_as: role });
    expect(refused(answer).msg).toBe(
      'Invalid invite_as: Value error, Not in the list of possible values',
    );
  }
});

it('[M139] giving a channel needs the right to add people to it; a default channel, the right to add people anywhere', async () => {
  const { ada, owner, stranger, publicId, privateId } = world;
  const email = address();
  ok(await invite(ada, { invitee_emails: email, stream_ids: [publicId, privateId] }));
  const missing = await ada.client.post('/invites', { invitee_emails: address() });
  expect(refused(missing)).toMatchObject({ code: 'BAD_REQUEST', var_name: 'stream_ids' });
  for (const id of [99_999_999, privateId]) {
    const to = address();
    const answer = await invite(stranger, { invitee_emails: to, stream_ids: [publicId, id] });
    expect(refused(answer)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: `Invalid channel ID ${id}. No invites were sent.`,
    });
    expect((await list(owner)).map((row) => row['email'])).not.toContain(to);
  }
  // Now only administrators may add people to channels. Default channels must not get around that.
  await setPermission('can_add_subscribers_group', ADMINISTRATORS);
  ok(await owner.client.post('/default_streams', { stream_id: publicId }));
  for (const ids of [[publicId], [privateId]]) {
    expect(
      refused(await invite(ada, { invitee_emails: address(), stream_ids: ids })),
    ).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'You do not have permission to subscribe other users to channels.',
    });
  }
  ok(await invite(ada, { invitee_emails: address(), stream_ids: [] }));
  ok(await invite(admin, { invitee_emails: address(), stream_ids: [publicId] }));
  // With one channel that she may add people to, she may also give the default channels.
  const own = await world.channel('adas-own', [ada], {
    can_add_subscribers_group: { direct_members: [ada.id], direct_subgroups: [] },
  });
  ok(await invite(ada, { invitee_emails: address(), stream_ids: [publicId] }));
  ok(await invite(ada, { invitee_emails: address(), stream_ids: [publicId, own] }));
  expect(
    refused(await invite(ada, { invitee_emails: address(), stream_ids: [own, privateId] })).msg,
  ).toBe('You do not have permission to subscribe other users to channels.');
  await setPermission('can_add_subscribers_group', MEMBERS);
  ok(await owner.client.delete('/default_streams', { stream_id: publicId }));
});

it('[M140] giving a group needs the right to add people to it', async () => {
  const { ada, bob } = world;
  const { group_id } = ok(
    await ada.client.post('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [ada.id],
    }),
  );
  const groupId = Number(group_id);
  ok(await invite(ada, { invitee_emails: address(), group_ids: [groupId] }));
  const ask = async (who: Actor, id: number) =>
    refused(await invite(who, { invitee_emails: address(), group_ids: [id] }));
  expect(await ask(bob, groupId)).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  });
  expect((await ask(ada, 99_999_999)).msg).toBe('Invalid user group');
  expect((await ask(world.owner, 7)).msg).toBe('Insufficient permission');
  ok(await ada.client.post(`/user_groups/${groupId}/deactivate`));
  expect((await ask(ada, groupId)).msg).toBe('User group is deactivated.');
});

it('[M143] [M219] only administrators write a welcome text of their own; null is for everybody', async () => {
  const { ada } = world;
  const send = (who: Actor, text: string) =>
    invite(who, { invitee_emails: address(), welcome_message_custom_text: text });
  ok(await send(admin, 'Hello **there**'));
  ok(await send(admin, ''));
  ok(await send(admin, 'x'.repeat(8000)));
  expect(refused(await send(admin, 'x'.repeat(8001)))).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'welcome_message_custom_text is too long (limit: 8000 characters)',
  });
  ok(await send(ada, 'null'));
  for (const text of ['Hello', '']) {
    expect(refused(await send(ada, text))).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Must be an organization administrator',
    });
  }
});

it('[M144] [M208] says which addresses could not be invited, and whether the others were', async () => {
  const { ada, bob, owner } = world;
  const gone = await world.person();
  ok(await owner.client.delete(`/users/${gone.id}`));
  const fresh = address();
  const some = await invite(ada, {
    invitee_emails: [fresh, bob.email.toUpperCase(), gone.email].join(),
  });
  expect(some.status).toBe(400);
  expect(some.body).toMatchObject({
    result: 'error',
    code: 'INVITATION_FAILED',
    msg: expect.stringContaining('We did send invitations to everyone else!'),
    errors: [
      [bob.email.toUpperCase(), 'Already has an account.', false],
      [gone.email, 'Account has been deactivated.', true],
    ],
    sent_invitations: true,
    license_limit_reached: false,
    daily_limit_reached: false,
  });
  expect((await catcher.next(fresh)).recipients).toEqual([fresh]);
  const none = await invite(ada, { invitee_emails: bob.email });
  expect(none.body).toMatchObject({
    code: 'INVITATION_FAILED',
    msg: "We weren't able to invite anyone.",
    errors: [[bob.email, 'Already has an account.', false]],
    sent_invitations: false,
  });
  const untouched = address();
  const invalid = await invite(ada, {
    invitee_emails: [untouched, 'nonsense', 'x@mailinator.com', bob.email].join(),
  });
  expect(invalid.body).toMatchObject({
    code: 'INVITATION_FAILED',
    msg: "Some emails did not validate, so we didn't send any invitations.",
    errors: [
      ['nonsense', 'Invalid address.', false],
      ['x@mailinator.com', 'Please use your real email address.', false],
      [bob.email, 'Already has an account.', false],
    ],
    sent_invitations: false,
  });
  expect((await list(owner)).map(({ email }) => email)).not.toContain(untouched);
  const [system] = await world.server.ctx.db
    .selectFrom('users')
    .select('email')
    .where('isSystem', '=', true)
    .execute();
  expect((await invite(ada, { invitee_emails: system?.email ?? '' })).body).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [[system?.email, 'Reserved for system bots.', false]],
  });
  // Insufficient permission is BAD_REQUEST.
  await setPermission('can_invite_users_group', ADMINISTRATORS);
  expect(refused(await invite(ada, { invitee_emails: address() }))).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  });
  ok(await invite(admin, { invitee_emails: address() }));
  await setPermission('can_invite_users_group', MEMBERS);
  expect(refused(await invite(world.guest, { invitee_emails: address() })).msg).toBe(
    'Not allowed for guest users',
  );
  expect(refused(await invite(bot, { invitee_emails: address() })).msg).toBe(
    'This endpoint does not accept bot requests.',
  );
});

it('restricted domains and new accounts in an open organization limit who can be invited', async () => {
  const { ada, owner } = world;
  ok(await owner.client.patch('/realm', { emails_restricted_to_domains: true }));
  expect((await invite(ada, { invitee_emails: 'x@example.org' })).body).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [['x@example.org', 'Outside your domain.', false]],
  });
  ok(await owner.client.patch('/realm', { emails_restricted_to_domains: false }));
  ok(await owner.client.patch('/realm', { invite_required: false }));
  expect((await invite(ada, { invitee_emails: address() })).body).toMatchObject({
    code: 'INVITATION_FAILED',
    msg: expect.stringContaining('too new'),
    sent_invitations: false,
    daily_limit_reached: false,
  });
  ok(await invite(admin, { invitee_emails: address() }));
  ahead = 4 * DAY_MS;
  ok(await invite(ada, { invitee_emails: address() }));
  ok(await owner.client.patch('/realm', { invite_required: true }));
});

it('tells administrators and the inviter, and nobody else, that the list changed', async () => {
  const { server, ada, bob } = world;
  const viewers = [admin, ada, bob];
  const changed = [{ type: 'invites_changed', id: expect.any(Number) }];
  let row: Record<string, unknown> = {};
  const told = async (act: () => Promise<unknown>) => {
    expect(await verifyEvents(server, viewers, act)).toEqual([changed, changed, []]);
  };
  await told(async () => {
    row = await invited(ada);
  });
  await told(() => ada.client.post(`/invites/${String(row['id'])}/resend`));
  await told(() => admin.client.delete(`/invites/${String(row['id'])}`));
  await setPermission('create_multiuse_invite_group', MEMBERS);
  await told(() => link(ada));
  const own = (await list(ada)).findLast(({ is_multiuse }) => is_multiuse);
  await told(() => ada.client.delete(`/invites/multiuse/${String(own?.['id'])}`));
  await setPermission('create_multiuse_invite_group', ADMINISTRATORS);
  const refusedOnes = await verifyEvents(server, viewers, () =>
    invite(ada, { invitee_emails: 'x' }),
  );
  expect(refusedOnes).toEqual([[], [], []]);
});

it('[M145] [M146] a reusable link has a long key that is nowhere stored in the clear', async () => {
  const { ada, owner, publicId, privateId } = world;
  const { invite_link } = ok(
    await link(owner, {
      invite_expires_in_minutes: 60,
      invite_as: 600,
      stream_ids: [publicId],
      group_ids: [],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'Hi',
    }),
  );
  const key = linkKey(invite_link);
  expect(key).toHaveLength(52);
  expect(invite_link).toBe(`${world.server.origin}/join/${key}/`);
  const row = (await list(owner)).findLast(({ is_multiuse }) => is_multiuse);
  expect(row).toEqual({
    id: expect.any(Number),
    invited_by_user_id: owner.id,
    invited: expect.any(Number),
    expiry_date: Number(row?.['invited']) + 3600,
    invited_as: 600,
    is_multiuse: true,
    link_url: invite_link,
  });
  // Every parameter is optional.
  const bare = ok(await link(owner));
  expect(bare['invite_link']).not.toBe(invite_link);
  expect((await list(owner)).findLast(({ is_multiuse }) => is_multiuse)).toMatchObject({
    invited_as: 400,
    expiry_date: expect.any(Number),
  });
  const { rows } = await world.server.ctx.database.pool.query<{ text: string }>(
    'SELECT to_jsonb(l)::text AS text FROM invitation_links l',
  );
  expect(rows.map(({ text }) => text).join()).not.toContain(key);
  expect(rows.map(({ text }) => text).join()).not.toContain(Buffer.from(key).toString('hex'));
  const no = async (who: Actor, form: FormInput, msg: string) =>
    expect(refused(await link(who, form))).toMatchObject({ code: 'BAD_REQUEST', msg });
  await no(ada, {}, 'Insufficient permission');
  await setPermission('create_multiuse_invite_group', MEMBERS);
  await no(ada, { invite_as: 200 }, 'Must be an organization administrator');
  await no(ada, { invite_as: 100 }, 'Must be an organization owner');
  await no(ada, { stream_ids: [99_999_999] }, 'Invalid channel ID 99999999. No invites were sent.');
  await no(ada, { welcome_message_custom_text: '' }, 'Must be an organization administrator');
  await no(ada, { group_ids: [99_999_999] }, 'Invalid user group');
  await setPermission('can_add_subscribers_group', NOBODY);
  await no(
    ada,
    { stream_ids: [privateId] },
    'You do not have permission to subscribe other users to channels.',
  );
  ok(await link(ada));
  await setPermission('can_add_subscribers_group', MEMBERS);
  await no(world.guest, {}, 'Not allowed for guest users');
  await no(bot, {}, 'This endpoint does not accept bot requests.');
  await setPermission('create_multiuse_invite_group', ADMINISTRATORS);
});

it('[M061] [M062] [M147] [M148] a link is revoked once, by somebody who may manage it', async () => {
  const { owner, ada, bob } = world;
  await setPermission('create_multiuse_invite_group', MEMBERS);
  ok(await link(ada));
  const id = Number((await list(ada)).findLast(({ is_multiuse }) => is_multiuse)?.['id']);
  const revoke = ({ client }: Actor, linkId: number) =>
    client.delete(`/invites/multiuse/${linkId}`);
  const no = (answer: Answer, msg: string) =>
    expect(refused(answer)).toMatchObject({ code: 'BAD_REQUEST', msg });
  no(await revoke(bob, id), 'Must be an organization administrator');
  no(await revoke(ada, 99_999_999), 'No such invitation');
  no(await revoke(ada, 99_999_999_999), 'No such invitation');
  expect((await list(ada)).some((row) => row['is_multiuse'] && row['id'] === id)).toBe(true);
  ok(await revoke(ada, id));
  expect((await list(ada)).some((row) => row['is_multiuse'] && row['id'] === id)).toBe(false);
  no(await revoke(ada, id), 'Invitation has already been revoked');
  no(await revoke(owner, id), 'Invitation has already been revoked');
  // Only owners may revoke a link that makes owners. Administrators do not see its address.
  ok(await link(owner, { invite_as: 100 }));
  const ownersLink = (await list(owner)).findLast(({ is_multiuse }) => is_multiuse);
  no(await revoke(admin, Number(ownersLink?.['id'])), 'Must be an organization owner');
  const shown = (await list(admin)).find(
    (row) => row['is_multiuse'] && row['id'] === ownersLink?.['id'],
  );
  expect(shown).toMatchObject({ invited_as: 100, link_url: '' });
  expect(linkKey(ownersLink?.['link_url'])).toHaveLength(52);
  ok(await link(ada));
  const another = (await list(ada)).findLast(({ is_multiuse }) => is_multiuse);
  ok(await revoke(admin, Number(another?.['id'])));
  await setPermission('create_multiuse_invite_group', ADMINISTRATORS);
});

it("administrators see everybody's open invitations, others their own, in the exact shape", async () => {
  const { ada, bob, guest } = world;
  const row = await invited(ada, { notify_referrer_on_join: false, invite_expires_in_minutes: 5 });
  expect(row).toEqual({
    id: expect.any(Number),
    invited_by_user_id: ada.id,
    invited: Math.floor(Number(row['invited'])),
    expiry_date: Number(row['invited']) + 300,
    invited_as: 400,
    is_multiuse: false,
    email: row['email'],
    notify_referrer_on_join: false,
  });
  expect(await list(admin)).toContainEqual(row);
  expect(await list(bob)).toEqual([]);
  expect(refused(await guest.client.get('/invites')).msg).toBe('Not allowed for guest users');
  ahead = 5 * 60_000 + 1;
  expect(await list(admin)).not.toContainEqual(row);
});

it('the people who manage an invitation by email revoke and resend it', async () => {
  const { ada, bob, owner } = world;
  const row = await invited(ada, { invite_expires_in_minutes: 60 });
  const email = String(row['email']);
  const path = `/invites/${String(row['id'])}`;
  const first = await catcher.next(email);
  for (const answer of [await bob.client.delete(path), await bob.client.post(`${path}/resend`)]) {
    expect(refused(answer)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Must be an organization administrator',
    });
  }
  ahead = 30 * 60_000;
  ok(await admin.client.post(`${path}/resend`));
  const second = await catcher.next(email);
  expect(second.subject).toBe('Ada invited you to join Rialto');
  expect(second.text).not.toBe(first.text);
  const again = (await list(ada)).find((one) => one['id'] === row['id'] && !one['is_multiuse']);
  expect(Number(again?.['expiry_date']) - Number(row['expiry_date'])).toBeGreaterThan(1790);
  ok(await ada.client.delete(path));
  for (const answer of [await ada.client.delete(path), await ada.client.post(`${path}/resend`)]) {
    expect(refused(answer).msg).toBe('Invitation already used or deactivated.');
  }
  for (const answer of [
    await ada.client.delete('/invites/99999999'),
    await ada.client.post('/invites/99999999/resend'),
  ]) {
    expect(refused(answer)).toMatchObject({ code: 'BAD_REQUEST', msg: 'No such invitation' });
  }
  const owners = await invited(owner, { invite_as: 100 });
  const ownersPath = `/invites/${String(owners['id'])}`;
  for (const answer of [
    await admin.client.delete(ownersPath),
    await admin.client.post(`${ownersPath}/resend`),
  ]) {
    expect(refused(answer)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Must be an organization owner',
    });
  }
  expect(await audit('invitation revoke')).toMatchObject({ operator: ada.email, subject: email });
  expect(await audit('invitation resend')).toMatchObject({ operator: admin.email, subject: email });
});

it('writes every act into the audit log, without a key', async () => {
  const row = await invited(world.ada);
  expect(await audit('invitation send')).toMatchObject({
    operator: world.ada.email,
    subject: row['email'],
    outcome: 'done',
  });
  ok(await link(world.owner));
  const made = await audit('invitation link create');
  expect(made).toMatchObject({ operator: world.owner.email, outcome: 'done' });
  const { rows } = await world.server.ctx.database.pool.query<{ text: string }>(
    'SELECT to_jsonb(a)::text AS text FROM audit_log a',
  );
  expect(rows.map(({ text }) => text).join()).not.toMatch(/[a-z2-7]{52}/);
});

it('ends the invitations of a person who leaves', async () => {
  const { server, owner } = world;
  for (const leave of [
    (who: Actor) => who.client.delete('/users/me'),
    (who: Actor) => owner.client.delete(`/users/${who.id}`),
  ]) {
    const who = await world.person({ role: ROLE.administrator });
    const row = await invited(who);
    ok(await link(who));
    const [events] = await verifyEvents(server, [owner], async () => ok(await leave(who)));
    expect(events?.filter(({ type }) => type === 'invites_changed')).toHaveLength(1);
    expect((await list(owner)).filter((one) => one['invited_by_user_id'] === who.id)).toEqual([]);
    const path = `/invites/${String(row['id'])}/resend`;
    expect(refused(await owner.client.post(path)).msg).toBe(
      'Invitation already used or deactivated.',
    );
  }
  const quiet = await world.person();
  const [events] = await verifyEvents(server, [owner], async () =>
    ok(await owner.client.delete(`/users/${quiet.id}`)),
  );
  expect(events?.some(({ type }) => type === 'invites_changed')).toBe(false);
});

it('reminds once, two days before the end, if the invitation is still open', async () => {
  const { ctx } = world.server;
  const row = await invited(world.ada);
  const email = String(row['email']);
  await catcher.next(email);
  const { rows } = await ctx.database.pool.query<{ run_at: Date }>(
    'SELECT run_at FROM graphile_worker.jobs WHERE key = $1',
    [`invitation reminder ${String(row['id'])}`],
  );
  const dueSeconds = Number(rows[0]?.run_at) / 1000;
  expect(Math.abs(dueSeconds - (Number(row['expiry_date']) - 2 * 86_400))).toBeLessThan(2);
  const input = { invitationId: Number(row['id']), origin: 'https://rialto.example' };
  ahead = 8 * DAY_MS;
  await remindInvitee.run(ctx, input);
  await remindInvitee.run(ctx, input);
  const reminder = await catcher.next(email);
  expect(reminder.subject).toBe('Reminder: join Rialto');
  expect(reminder.text).toMatch(/https:\/\/rialto\.example\/accounts\/do_confirm\/[a-z2-7]{52}/);
  expect(reminder.text).toMatch(/valid until .* UTC/);
  const gone = await invited(world.ada);
  await catcher.next(String(gone['email']));
  ok(await world.ada.client.delete(`/invites/${String(gone['id'])}`));
  await remindInvitee.run(ctx, { ...input, invitationId: Number(gone['id']) });
  expect(catcher.emails.filter(({ recipients }) => recipients.includes(email))).toHaveLength(2);
  expect(
    catcher.emails.filter(({ recipients }) => recipients.includes(String(gone['email']))),
  ).toHaveLength(1);
});

it('emails are in the language of the organization', async () => {
  ok(await world.owner.client.patch('/realm', { default_language: 'fa' }));
  const row = await invited(world.ada);
  const mail = await catcher.next(String(row['email']));
  expect(mail.subject).toBe('Ada شما را به Rialto دعوت کرد');
  expect(mail.html).toContain('<html lang="fa" dir="rtl">');
  expect(mail.text).toContain('معتبر است');
  ok(await world.owner.client.patch('/realm', { default_language: 'en' }));
});

it('forgets invitations that ended long ago', async () => {
  const row = await invited(world.ada);
  ok(await world.ada.client.delete(`/invites/${String(row['id'])}`));
  const { ctx } = world.server;
  const exists = async () =>
    (await ctx.db
      .selectFrom('invitations')
      .select('id')
      .where('id', '=', Number(row['id']))
      .executeTakeFirst()) !== undefined;
  ahead = 29 * DAY_MS;
  await forgetInvitations(ctx);
  expect(await exists()).toBe(true);
  ahead = 31 * DAY_MS;
  await forgetInvitations(ctx);
  expect(await exists()).toBe(false);
});

it('limits the invitations of a day, also for requests that arrive at once', async () => {
  ahead = 100 * DAY_MS;
  const emails = Array.from({ length: 89 }, address);
  ok(await invite(world.owner, { invitee_emails: emails.join() }));
  const two = await invite(world.owner, { invitee_emails: [address(), address()].join() });
  expect(two.body).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [],
    sent_invitations: false,
    daily_limit_reached: true,
    license_limit_reached: false,
  });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => invite(world.owner, { invitee_emails: address() })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  ahead = 102 * DAY_MS;
  ok(await invite(world.owner, { invitee_emails: address() }));
});
