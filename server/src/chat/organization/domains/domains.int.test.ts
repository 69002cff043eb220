// The email domains of the organization over HTTP, and their effect on invitations.
import { expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { ok, refused, useMessageWorld } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const list = async () => ok(await world.guest.client.get('/realm/domains'))['domains'];
const add = (domain: string, allow_subdomains = false, { client } = world.owner) =>
  client.post('/realm/domains', { domain, allow_subdomains });

it('owners add, change and remove domains, and everybody gets the events', async () => {
  const { server, owner, ada } = world;
  const told = async (act: () => Promise<unknown>) => (await verifyEvents(server, [ada], act))[0];
  expect(await told(() => add(' Example.ORG '))).toMatchObject([
    {
      type: 'realm_domains',
      op: 'add',
      realm_domain: { domain: 'example.org', allow_subdomains: false },
    },
  ]);
  ok(await add('example.com', true));
  expect(await list()).toEqual([
    { domain: 'example.com', allow_subdomains: true },
    { domain: 'example.org', allow_subdomains: false },
  ]);
  const path = '/realm/domains/example.org';
  expect(await told(() => owner.client.patch(path, { allow_subdomains: true }))).toMatchObject([
    { op: 'change', realm_domain: { domain: 'example.org', allow_subdomains: true } },
  ]);
  expect(await told(() => owner.client.delete(path))).toMatchObject([
    { op: 'remove', domain: 'example.org' },
  ]);
  expect(await list()).toEqual([{ domain: 'example.com', allow_subdomains: true }]);
});

it('are refused when they are not valid, exist already, or do not exist', async () => {
  const { owner } = world;
  expect(refused(await add('nonsense')).msg).toBe(
    'Invalid domain: Domain must have at least one dot (.)',
  );
  expect(refused(await add('EXAMPLE.com')).msg).toBe(
    'The domain example.com is already a part of your organization.',
  );
  for (const answer of [
    await owner.client.patch('/realm/domains/gone.org', { allow_subdomains: true }),
    await owner.client.delete('/realm/domains/gone.org'),
  ]) {
    expect(refused(answer)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No entry found for domain gone.org.',
    });
  }
  const administrator = await world.person({ role: ROLE.administrator });
  expect(refused(await add('other.org', false, administrator))).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization owner',
  });
});

it('domains decide who can be invited, if the organization restricts it', async () => {
  const { owner, ada } = world;
  const invite = (emails: string) =>
    ada.client.post('/invites', { invitee_emails: emails, stream_ids: [] });
  ok(await owner.client.patch('/realm', { emails_restricted_to_domains: true }));
  ok(await invite('a@example.com,b@sub.example.com'));
  expect((await invite('c@example.com,d@example.net,e+f@example.com')).body).toMatchObject({
    code: 'INVITATION_FAILED',
    errors: [
      ['d@example.net', 'Outside your domain.', false],
      ['e+f@example.com', 'Email addresses containing + are not allowed.', false],
    ],
    sent_invitations: false,
  });
  // Without any domain nobody can be invited: removing the last one does not open the organization.
  ok(await owner.client.delete('/realm/domains/example.com'));
  expect((await invite('c@example.com')).body).toMatchObject({ code: 'INVITATION_FAILED' });
  ok(await owner.client.patch('/realm', { emails_restricted_to_domains: false }));
  ok(await invite('c@example.com'));
});
