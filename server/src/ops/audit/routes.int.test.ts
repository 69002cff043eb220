// Calls every audited route once over HTTP: the entries that it leaves are exactly these, with who, what, from
// where, before and after. The routes come from the lists that are served.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import { actsOf, type ActName } from '../../accounts/audit/acts.ts';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient, type Answer } from '../../testing/chat/client.ts';
import { chatRoutes, sessionRoutes } from '../../chat/routes.ts';
import { ROUTES } from '../../trading/routes.ts';
import { PAGES } from '../../web/audit.ts';
import { CASES } from './test-cases.ts';
import {
  as,
  channel,
  closeWorld,
  member,
  mounted,
  openWorld,
  owner,
  PASSWORD,
  server,
  unique,
} from './test-world.ts';

beforeAll(openWorld);
afterAll(closeWorld);

interface Entry {
  readonly operator: string;
  readonly act: string;
  readonly subject: string;
  readonly outcome: string;
  readonly details: Record<string, unknown>;
}

async function entriesAfter(seq: bigint): Promise<Entry[]> {
  const rows = await server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'subject', 'outcome', 'details'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as Entry['details'] }));
}

async function end(): Promise<bigint> {
  const { rows } = await server.ctx.database.pool.query<{ seq: string }>(
    'SELECT coalesce(max(seq), 0)::text AS seq FROM audit_log',
  );
  return BigInt(rows[0]?.seq ?? 0);
}

const auditable = [
  ...new Set([...chatRoutes, ...sessionRoutes, ...ROUTES, ...Object.values(PAGES)]),
]
  .filter(({ audit }) => actsOf(audit).length > 0)
  .map(({ name }) => name)
  // Money is simulated here; withdrawals.int.test.ts has a network, and looks at these entries.
  .filter((name) => !name.startsWith('privateWallet'));

/** The framework's printed tree of routes, as a list of paths. */
function listMounted(tree: string): { path: string; methods: string }[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.length = depth;
    above.push(part);
    return methods === '' ? [] : [{ path: above.join(''), methods }];
  });
}

it('every audited route is called here, and no other', () => {
  expect(Object.keys(CASES).sort()).toEqual(auditable.sort());
});

it('every page with a form declares its audit acts', () => {
  const isOfApi = (path: string) => /^\/(api\/v1|json|v1)\//.test(path);
  const forms = listMounted(mounted)
    .filter(({ path, methods }) => /POST|PUT|PATCH|DELETE/.test(methods) && !isOfApi(path))
    .map(({ path }) => `POST ${path.replace(/\/$/, '')}`);
  const declared = Object.values(PAGES).map(({ name }) => name.replace(/\/$/, ''));
  expect([...new Set(forms)].sort()).toEqual(declared.sort());
});

describe('the audit entries of a request', () => {
  it.each(Object.entries(CASES))('%s', async (_name, prepare) => {
    const { ask, expected } = await prepare();
    const before = await end();
    const answer = await ask();
    expect(answer.status, answer.text).toBeLessThan(400);
    const entries = await entriesAfter(before);
    expect(entries).toHaveLength(expected.length);
    const requestId = answer.headers.get('x-request-id');
    for (const [index, { act, subject, before: was, after: is, ...one }] of expected.entries()) {
      expect(entries[index]).toEqual({
        operator: one.operator ?? owner.email,
        act,
        subject,
        outcome: 'done',
        details: expect.objectContaining({
          by: one.by === undefined ? owner.id : one.by,
          via: one.via ?? 'key',
          from: '127.0.0.1',
          request: requestId ?? expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+$/),
          ...one.details,
        }),
      });
      const { details } = entries[index] as Entry;
      if (was !== undefined) expect(details['before']).toMatchObject(was as object);
      if (is !== undefined) expect(details['after']).toMatchObject(is as object);
    }
    // All entries of one request have one number.
    expect(new Set(entries.map(({ details }) => details['request'])).size).toBe(1);
  });
});

describe('what is not an act', () => {
  const quiet: Readonly<Record<string, () => Promise<Answer>>> = {
    'subscribing oneself': async () => {
      const { name } = await channel();
      const person = chatClient(server, await member());
      return person.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    },
    'a setting of one’s own': () => as.patch('/settings', { enter_sends: true }),
    'a role that somebody has': async () =>
      as.patch(`/users/${(await member()).id}`, { role: ROLE.member }),
    'a setting with its present value': async () => {
      await as.patch('/realm', { waiting_period_threshold: 4 });
      return as.patch('/realm', { waiting_period_threshold: 4 });
    },
    'reactivating an active person': async () =>
      as.post(`/users/${(await member()).id}/reactivate`),
  };

  it.each(Object.entries(quiet))('%s', async (_name, ask) => {
    const before = await end();
    const answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).not.toBeNull();
    const own = (await entriesAfter(before)).filter(
      ({ details }) => details['request'] === requestId,
    );
    expect(own).toEqual([]);
  });
});

describe('a refused act', () => {
  it('leaves no entry that it was done, but one that it was denied, with its reason', async () => {
    const person = await member();
    const victim = await member();
    const before = await end();
    const client = chatClient(server, person);
    const answers = [
      await client.patch(`/users/${victim.id}`, { role: ROLE.owner }),
      await client.delete(`/users/${victim.id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    const entries = await entriesAfter(before);
    expect(entries).toMatchObject([
      {
        operator: person.email,
        act: 'user set_role',
        outcome: 'denied',
        subject: `PATCH /api/v1/users/${victim.id}`,
        details: {
          by: person.id,
          via: 'key',
          from: '127.0.0.1',
          message: 'Insufficient permission',
        },
      },
      { operator: person.email, act: 'user deactivate', outcome: 'denied' },
    ]);
    expect(entries[0]?.details['request']).toBe(answers[0]?.headers.get('x-request-id'));
  });

  it('may be denied any number of times, and is recorded twenty times an hour', async () => {
    const person = await member();
    const before = await end();
    const client = chatClient(server, person);
    for (let index = 0; index < 25; index += 1) await client.delete(`/users/${owner.id}`);
    const entries = await entriesAfter(before);
    expect(entries).toHaveLength(20);
    const { body } = await server.ctx.metrics.render();
    expect(body).toMatch(/^rialto_audit_denied_unwritten_total\{.*\} 5$/m);
  });

  it('leaves nothing at all when it fails for another reason', async () => {
    const before = await end();
    const taken = await as.post('/realm/domains', { domain: 'no domain', allow_subdomains: false });
    expect(taken.status).toBe(400);
    expect(await entriesAfter(before)).toEqual([]);
  });
});

it('many concurrent acts make one chain, and none is missing', async () => {
  const before = await end();
  const people = await Promise.all(Array.from({ length: 8 }, () => member()));
  const answers = await Promise.all(
    people.flatMap(({ id }) => [
      as.patch(`/users/${id}`, { full_name: unique('Parallel ') }),
      as.post('/users/me/subscriptions', {
        subscriptions: [{ name: unique('parallel ') }],
        principals: [id],
      }),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const acts = (await entriesAfter(before)).map(({ act }) => act);
  const countOf = (act: ActName) => acts.filter((one) => one === act).length;
  expect([countOf('user rename'), countOf('channel create'), countOf('subscription add')]).toEqual([
    8, 8, 8,
  ]);
  expect((await verifyAuditLog(server.ctx.db)).trouble).toBeUndefined();
});

it('no entry contains a secret: no key, no password, no token', async () => {
  const { rows } = await server.ctx.database.pool.query<{ text: string }>(
    `SELECT string_agg(subject || details, ' ') AS text FROM audit_log`,
  );
  const text = rows[0]?.text ?? '';
  expect(text.length).toBeGreaterThan(1000);
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain(owner.chatKey);
  expect(text).not.toMatch(/svc_secret_|\b[a-z2-7]{52}\b|argon2|scrypt/);
});
