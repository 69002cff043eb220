// What else can happen when somebody is deactivated: an email, and the deletion of their profile and messages.
import { expect, it } from 'vitest';
import { EMAIL_JOB } from '../../../platform/mail/queue.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { eraseMessages } from '../../messages/removing/erase.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

/** The jobs that were queued; taken away so that no worker runs them. */
async function takeJobs(name: string): Promise<Record<string, unknown>[]> {
  const { pool } = world.server.ctx.database;
  const { rows } = await pool.query<{ payload: Record<string, unknown> }>(
    `WITH found AS (
       SELECT j.id, j.payload FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1
     ), gone AS (DELETE FROM graphile_worker._private_jobs WHERE id IN (SELECT id FROM found))
     SELECT payload FROM found`,
    [name],
  );
  return rows.map(({ payload }) => payload);
}

function openEmail(job: Record<string, unknown> | undefined) {
  const sealed = Buffer.from(String(job?.['sealed']), 'base64');
  const text = world.server.ctx.secrets.open(`letter ${String(job?.['id'])}`, sealed);
  return JSON.parse(text) as { to: string; subject: string; text: string };
}

it('sends an email if the administrator wants one, with and without a comment', async () => {
  const { owner } = world;
  for (const [comment, language] of [
    ['Thank you for everything.', 'en'],
    ['', 'fa'],
    [undefined, 'en'],
  ]) {
    const leaver = await world.person();
    ok(await owner.client.patch('/realm', { default_language: language }));
    const given = comment === undefined ? {} : { deactivation_notification_comment: comment };
    ok(await owner.client.delete(`/users/${leaver.id}`, given));
    const emails = (await takeJobs(EMAIL_JOB.name)).map(openEmail);
    expect(emails).toHaveLength(comment === undefined ? 0 : 1);
    const [email] = emails;
    if (email === undefined) continue;
    expect(email.to).toBe(leaver.email);
    expect(email.subject).toMatch(language === 'fa' ? /غیرفعال شد/ : /has been deactivated/);
    expect(email.text.includes('Olga Owner wrote to you:')).toBe(comment !== '');
    if (comment !== undefined) expect(email.text).toContain(comment);
  }
  ok(await owner.client.patch('/realm', { default_language: 'en' }));
  const stays = await world.person();
  const answer = await owner.client.delete(`/users/${stays.id}`, {
    deactivation_notification_comment: 'x'.repeat(2001),
  });
  expect(refused(answer).msg).toBe(
    'deactivation_notification_comment is too long (limit: 2000 characters)',
  );
});

it('deletes the profile (name, status and fields), and tells every client', async () => {
  const { server, owner, ada } = world;
  const leaver = await world.person({ fullName: 'Lea Leaver' });
  const field = ok(
    await owner.client.post('/realm/profile_fields', { field_type: 1, name: 'Pronouns' }),
  )['id'];
  ok(await leaver.client.patch('/users/me/profile_data', { data: [{ id: field, value: 'she' }] }));
  ok(await leaver.client.post('/users/me/status', { status_text: 'gone fishing' }));
  await verifyEvents(server, [ada], async () => {
    ok(await owner.client.delete(`/users/${leaver.id}`, { actions: { delete_profile: true } }));
  });
  const { body } = await ada.client.get(`/users/${leaver.id}`, {
    include_custom_profile_fields: true,
  });
  expect(body['user']).toMatchObject({
    full_name: `Deleted user ${leaver.id}`,
    is_active: false,
    profile_data: {},
  });
  expect(JSON.stringify(body)).not.toContain('Lea');
  const known = ok(await ada.client.post('/register', { fetch_event_types: ['user_status'] }));
  expect(JSON.stringify(known)).not.toContain('fishing');
});

it('deletes messages only where the administrator asked for it, and tells the people who had them', async () => {
  const { server, owner, ada, bob, publicId, privateId } = world;
  const leaver = await world.person();
  for (const name of ['general', 'secret']) {
    ok(
      await ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [leaver.id],
      }),
    );
  }
  const open = [await send(leaver, publicId, 'a', 'one'), await send(leaver, publicId, 'b', 'two')];
  const closed = await send(leaver, privateId, 'a', 'three');
  const direct = await sendDirect(leaver, [bob], 'four');
  const answer = await sendDirect(bob, [leaver], 'five');
  const others = await send(ada, publicId, 'a', 'stays');
  const leave = () =>
    owner.client.delete(`/users/${leaver.id}`, {
      actions: { delete_public_channel_messages: true, delete_direct_messages: true },
    });
  ok(await leave());
  const [job] = await takeJobs(eraseMessages.name);
  const [atBob] = await verifyEvents(server, [bob], async () => {
    await eraseMessages.run(server.ctx, job as never);
    // The job may be repeated.
    await eraseMessages.run(server.ctx, job as never);
  });
  expect(atBob?.filter(({ type }) => type === 'delete_message')).toHaveLength(3);
  const left = (await fetchAll(bob)).map(({ id }) => id);
  expect(left).toEqual(expect.arrayContaining([closed, others, answer]));
  for (const id of [...open, direct]) expect(left).not.toContain(id);
  expect(refused(await leave()).msg).toBe('User is deactivated');
  expect(
    refused(await owner.client.delete(`/users/${bob.id}`, { actions: { delete_all: true } })).msg,
  ).toBe('Argument "delete_all" at actions["delete_all"] is unexpected');
});
