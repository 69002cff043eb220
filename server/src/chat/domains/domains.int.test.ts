// The domains of those who may join, over HTTP, and what clients explain once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLoggedShapes, verifyEvents } from '../../testing/verify-events.ts';
import { ok, openMessageWorld, refused, type MessageWorld } from '../messages/test-world.ts';

let world: MessageWorld;
beforeAll(async () => {
  world = await openMessageWorld();
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
});

const add = (domain: string, allow_subdomains = false, { client } = world.owner) =>
  client.post('/realm/domains', { domain, allow_subdomains });
const list = async () => ok(await world.guest.client.get('/realm/domains'))['domains'];

it('are added, changed and removed by owners, and every client follows', async () => {
  const { server, owner, ada, guest } = world;
  const [told, guests] = await verifyEvents(server, [ada, guest], async () => {
    expect(ok(await add('Example.ORG'))['new_domain']).toEqual([expect.any(Number), 'example.org']);
    ok(await add('a-b.test', true));
  });
  expect(told).toEqual(guests);
  expect(told).toMatchObject([
    { op: 'add', realm_domain: { domain: 'example.org', allow_subdomains: false } },
    { op: 'add', realm_domain: { domain: 'a-b.test', allow_subdomains: true } },
  ]);
  expect(await list()).toEqual([
    { domain: 'a-b.test', allow_subdomains: true },
    { domain: 'example.org', allow_subdomains: false },
  ]);
  expect(refused(await add('example.org')).msg).toBe(
    'The domain example.org is already a part of your organization.',
  );
  expect(refused(await add('nowhere')).msg).toBe(
    'Invalid domain: Domain must have at least one dot (.)',
  );
  const admin = await world.person({ role: 200 });
  expect(refused(await add('b.test', false, admin))).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization owner',
  });
  const [changed] = await verifyEvents(server, [ada], async () => {
    ok(await owner.client.patch('/realm/domains/Example.org', { allow_subdomains: true }));
    ok(await owner.client.delete('/realm/domains/a-b.test'));
  });
  expect(changed).toMatchObject([
    { op: 'change', realm_domain: { domain: 'example.org', allow_subdomains: true } },
    { op: 'remove', domain: 'a-b.test' },
  ]);
  for (const answer of [
    await owner.client.patch('/realm/domains/none.test', { allow_subdomains: true }),
    await owner.client.delete('/realm/domains/none.test'),
  ]) {
    expect(refused(answer).msg).toBe('No entry found for domain none.test.');
  }
});

it('decide who may be invited, where the organization restricts that; with the last one that ends', async () => {
  const { server, owner, ada, publicId } = world;
  ok(await owner.client.patch('/realm', { emails_restricted_to_domains: true }));
  const invite = (invitee_emails: string) =>
    owner.client.post('/invites', { invitee_emails, stream_ids: [publicId] });
  ok(await invite('x@sub.example.org'));
  expect(JSON.stringify((await invite('x@example.net')).body)).toContain('Outside your domain.');
  const [told] = await verifyEvents(server, [ada], () =>
    owner.client.delete('/realm/domains/example.org'),
  );
  expect(told).toMatchObject([
    { type: 'realm_domains', op: 'remove' },
    { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
  ]);
  ok(await invite('x@example.net'));
});

it('what clients explain once is not explained again, by any client of the person', async () => {
  const { server, ada, bob } = world;
  const mark = (onboarding_step: string) =>
    ada.client.post('/users/me/onboarding_steps', { onboarding_step });
  const [own, other] = await verifyEvents(server, [ada, bob], async () => {
    ok(await mark('intro_resolve_topic'));
    ok(await mark('intro_resolve_topic'));
  });
  expect(own).toHaveLength(1);
  expect(JSON.stringify(own)).not.toContain('intro_resolve_topic');
  expect(JSON.stringify(own)).toContain('intro_inbox_view_modal');
  expect(other).toEqual([]);
  expect(refused(await mark('unknown')).msg).toBe('Unknown onboarding_step: unknown');
});
