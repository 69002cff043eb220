// Keys and sessions have doors of their own: a session opens nothing where keys are asked for, a key opens nothing where
// sessions are, and what another site's page sends with a session's cookie opens nothing anywhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { chatRoutes, sessionRoutes } from '../../chat/routes.ts';
import { ROUTES } from '../../trading/routes.ts';
import { examplePerson, type Person } from '../example.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { signIn, type SignedIn } from '../session.ts';
import { exampleTrader, send, type Trader, type TradingAnswer } from '../trader.ts';

let server: TestServer;
let owner: Person;
let session: SignedIn;
let other: SignedIn;
let trader: Trader;
beforeAll(async () => {
  server = await startTestServer({
    settings: {
      TRADING_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  trader = await exampleTrader(server.ctx, {
    userId: owner.id,
    permissions: ['read', 'trade', 'transfer'],
  });
  session = await signIn(server, owner);
  other = await signIn(server, await examplePerson(server.ctx));
});
afterAll(() => server.close());

interface Target {
  readonly method: string;
  readonly path: string;
}

/** The address of a chat route, about things that do not exist. */
const fill = (path: string): string =>
  path.replaceAll(/\{\w+(:\w+)?\}/g, (_part, kind?: string) =>
    kind === ':int' ? '999999' : 'nobody@example.com',
  );

const CHAT: readonly Target[] = sessionRoutes.map(({ method, path }) => ({
  method,
  path: `/json${fill(path)}`,
}));
const VENUE: readonly Target[] = ROUTES.filter(({ access }) => access !== 'public').map(
  ({ method, path }) => ({ method, path: `/json/v1${path}` }),
);
const ALL = [...CHAT, ...VENUE];
const WRITES = ALL.filter(({ method }) => method !== 'GET');

const isVenue = ({ path }: Target): boolean => path.startsWith('/json/v1/');

/** The code, which is a name in the chat and a number at the venue. */
function refusalOf(target: Target, { status, body }: TradingAnswer): string {
  const code = isVenue(target) ? body.error?.code : (body as unknown as { code?: string }).code;
  return `${status} ${code ?? ''}`;
}

const FORGED = (target: Target) => (isVenue(target) ? '403 3013' : '403 CSRF_FAILED');

/** Sends as a browser does that has the cookie. */
const ask = (
  { method, path }: Target,
  headers: Record<string, string>,
  form?: Record<string, string>,
) =>
  send(`${server.origin}${path}`, {
    method,
    headers: { cookie: session.cookie, ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });

async function wrongOf(
  targets: readonly Target[],
  expected: (target: Target) => string,
  work: (target: Target) => Promise<TradingAnswer>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (let first = 0; first < targets.length; first += AT_ONCE) {
    const some = targets.slice(first, first + AT_ONCE);
    const answers = await Promise.all(some.map(work));
    for (const [index, answer] of answers.entries()) {
      const target = some[index] as Target;
      const got = refusalOf(target, answer);
      if (got !== expected(target)) wrong.push(`${target.method} ${target.path}: ${got}`);
    }
  }
  return wrong;
}

const AT_ONCE = 8;
/** Every route is asked in each test. */
const PATIENT = { timeout: 300_000 };

/** What would tell that something was done. */
async function traces(): Promise<unknown> {
  const { rows } = await server.owner.query(
    `SELECT (SELECT max(seq) FROM audit_log) AS audit, (SELECT count(*) FROM outbox) AS outbox,
            (SELECT count(*) FROM event_log) AS events, (SELECT max(id) FROM operator_commands) AS commands`,
  );
  return rows;
}

describe('[I4] what may be forged', () => {
  it('covers every route of both trees', () => {
    expect(CHAT.length).toBeGreaterThan(150);
    expect(VENUE.length).toBeGreaterThan(35);
    expect(WRITES.length).toBeGreaterThan(100);
  });

  const FORGERIES: readonly [string, () => Record<string, string>][] = [
    ['without a token', () => ({})],
    ['with an empty token', () => ({ 'x-csrftoken': '' })],
    ['with a wrong token', () => ({ 'x-csrftoken': 'A'.repeat(43) })],
    ["with another session's token", () => ({ 'x-csrftoken': other.csrfToken })],
    ['with a planted cookie', () => ({ cookie: `${session.cookie}; csrftoken=planted` })],
    [
      'from another site, with the token',
      () => ({ 'x-csrftoken': session.csrfToken, 'sec-fetch-site': 'cross-site' }),
    ],
    [
      'from a neighbouring host, with the token',
      () => ({ 'x-csrftoken': session.csrfToken, 'sec-fetch-site': 'same-site' }),
    ],
    [
      'from no page, with the token',
      () => ({ 'x-csrftoken': session.csrfToken, 'sec-fetch-site': 'none' }),
    ],
    [
      'with a foreign origin and the token',
      () => ({ 'x-csrftoken': session.csrfToken, origin: 'https://elsewhere.example' }),
    ],
  ];

  it.each(FORGERIES)('every change is refused %s', PATIENT, async (_how, headers) => {
    const before = await traces();
    expect(await wrongOf(WRITES, FORGED, (target) => ask(target, headers()))).toEqual([]);
    expect(await traces()).toEqual(before);
  });

  it(
    'every change is refused with a wrong token in its form, or with one in its address',
    PATIENT,
    async () => {
      const posts = WRITES.filter(({ method }) => method === 'POST');
      const field = { csrfmiddlewaretoken: other.csrfToken };
      expect(await wrongOf(posts, FORGED, (target) => ask(target, {}, field))).toEqual([]);
      const query = `?csrfmiddlewaretoken=${session.csrfToken}`;
      const inAddress = (target: Target) => ask({ ...target, path: target.path + query }, {});
      expect(await wrongOf(WRITES, FORGED, inAddress)).toEqual([]);
    },
  );

  it('a form that names another method is still what it was sent as', PATIENT, async () => {
    const before = await traces();
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PUT']) {
      const posted = (target: Target) => ask({ ...target, method: 'POST' }, {}, { method });
      const isRead = method === 'GET';
      const chat = isRead ? CHAT.filter((target) => target.method === 'GET') : [];
      const own = [
        ...ALL.filter((target) => target.method === method && !isVenue(target)),
        ...chat,
      ];
      expect([method, await wrongOf([...new Set(own)], FORGED, posted)]).toEqual([method, []]);
      // The venue knows no such field, and looks for the token first.
      const venue = VENUE.filter((target) => target.method === 'POST');
      expect([method, await wrongOf(venue, FORGED, posted)]).toEqual([method, []]);
    }
    // A GET stays a GET, whatever its address says: it does nothing, or there is no such read.
    for (const target of WRITES) {
      const { status } = await ask(
        { method: 'GET', path: `${target.path}?method=${target.method}` },
        {},
      );
      expect(status, target.path).not.toBe(403);
    }
    expect(await traces()).toEqual(before);
  });

  it('reads are refused to pages of others as well', PATIENT, async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
    ]) {
      const reads = ALL.filter(({ method }) => method === 'GET');
      expect(await wrongOf(reads, FORGED, (target) => ask(target, headers))).toEqual([]);
    }
  });

  it('our own pages are not refused', async () => {
    const own = [
      { 'sec-fetch-site': 'same-origin', origin: server.origin },
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      {},
    ];
    for (const target of [
      { method: 'POST', path: '/json/saved_snippets' },
      { method: 'POST', path: '/json/v1/private/order/test' },
    ]) {
      for (const headers of own) {
        const token = { 'x-csrftoken': session.csrfToken };
        const answer = await ask(target, { ...headers, ...token });
        expect(answer.status, answer.text).toBe(400);
        const inForm = await ask(target, headers, { csrfmiddlewaretoken: session.csrfToken });
        expect(inForm.status, inForm.text).toBe(400);
      }
    }
    const typed = { 'sec-fetch-site': 'none' };
    expect((await ask({ method: 'GET', path: '/json/users/me' }, typed)).status).toBe(200);
  });
});

describe('[I5] the wrong credential', () => {
  it('a cookie opens nothing under /v1', PATIENT, async () => {
    for (const { method, path, access } of ROUTES) {
      if (access === 'public') continue;
      const headers = { cookie: session.cookie, 'x-csrftoken': session.csrfToken };
      const { status, body } = await send(`${server.baseUrl}${path}`, { method, headers });
      expect([path, status, body.error?.code]).toEqual([path, 401, '3001']);
    }
  });

  it('a cookie opens nothing under /api/v1', PATIENT, async () => {
    for (const { method, path, allow } of chatRoutes) {
      if (allow === 'anyone') continue;
      const headers = { cookie: session.cookie, 'x-csrftoken': session.csrfToken };
      const { status, body } = await send(`${server.chatUrl}${fill(path)}`, { method, headers });
      expect([path, status]).toEqual([path, 401]);
      expect(body).toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('a key opens nothing under /json', PATIENT, async () => {
    for (const { method, path } of CHAT) {
      const headers = { authorization: owner.basic };
      const { status, body } = await send(`${server.origin}${path}`, { method, headers });
      expect([path, status]).toEqual([path, 401]);
      expect(body).toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });

  it('a key opens nothing under /json/v1', PATIENT, async () => {
    for (const { method, path } of VENUE) {
      const { status, body } = await trader.call(`${server.origin}${path}`, {
        method,
        headers: { authorization: owner.basic },
      });
      expect([path, status, body.error?.code]).toEqual([path, 401, '3012']);
    }
  });
});
