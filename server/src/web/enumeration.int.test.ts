// Nobody learns from a form who has an account: the answers have the same bytes and take as long.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson } from '../testing/example.ts';
import { giveTotp } from '../testing/factors.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { MEASURED } from '../testing/measured.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const TRIES = 200;
/** Medians that are this close are equal, whatever their ratio. */
const APART_MS_MAX = 5;
/** On a busy machine everything takes longer, and so does the noise; a hash or an email more would double the time. */
const RATIO_MAX = 1.25;

let mail: MailCatcher;
let server: TestServer;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '1000000', SIGNUPS_DAILY_MAX: '0' },
  });
  const owner = await examplePerson(server.ctx, { role: ROLE.owner });
  const password = 'a long enough secret';
  await examplePerson(server.ctx, { email: KNOWN, password });
  const careful = await examplePerson(server.ctx, { email: WITH_FACTOR, password });
  await giveTotp(server.ctx, careful);
  await chatClient(server, owner).patch('/realm', { invite_required: false });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

interface Form {
  /** The page that has the form, and where it is sent. */
  readonly page: string;
  readonly target: string;
  /** The name of the field with the address, and the others. */
  readonly field: string;
  readonly more: Readonly<Record<string, string>>;
  /** The address that has an account. */
  readonly known?: string;
}

/** Each as long as the others, so that the pages are too. */
const KNOWN = 'somebody@example.com';
const WITH_FACTOR = 'carefull@example.com';
const UNKNOWN = 'anybodyy@example.com';

const FORMS: Readonly<Record<string, Form>> = {
  'signing in': {
    page: '/login/',
    target: '/accounts/login/',
    field: 'username',
    more: { password: 'a wrong guess' },
  },
  'signing in where there is a second factor': {
    page: '/login/',
    target: '/accounts/login/',
    field: 'username',
    more: { password: 'a wrong guess' },
    known: WITH_FACTOR,
  },
  'a forgotten password': {
    page: '/accounts/password/reset/',
    target: '/accounts/password/reset/',
    field: 'email',
    more: {},
  },
  registering: {
    page: '/accounts/register/',
    target: '/accounts/home/',
    field: 'email',
    more: {},
  },
  'a link for a new device': {
    page: '/accounts/login/device/',
    target: '/accounts/login/device/',
    field: 'email',
    more: {},
  },
};

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** What a stranger can compare: everything but the address that they typed, the token of the form, and the count of their own requests. */
const seen = ({ status, headers, text }: Page, address: string, token: string): string =>
  JSON.stringify([
    status,
    [...headers].filter(
      ([name]) => !/^(date|x-request-id|set-cookie|content-length|x-ratelimit-.*)$/.test(name),
    ),
    text.replaceAll(address, 'ADDRESS').replaceAll(token, 'TOKEN'),
  ]);

it.each(Object.entries(FORMS))(
  '[I13] %s answers known and unknown addresses alike, in 200 tries, and takes as long',
  { ...MEASURED, timeout: 900_000 },
  async (_name, { page, target, field, more, known = KNOWN }) => {
    const browser: Browser = openBrowser(server);
    const fields = hiddenFields((await browser.get(page)).text);
    const token = fields['csrfmiddlewaretoken'] ?? '';
    const addresses = { known, unknown: UNKNOWN };
    const times = { known: [] as number[], unknown: [] as number[] };
    const answers = new Set<string>();
    for (let round = 0; round < TRIES; round += 1) {
      await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
      const kinds =
        round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      for (const kind of kinds) {
        const address = addresses[kind];
        const startedMs = performance.now();
        const answer = await browser.post(target, { ...fields, ...more, [field]: address });
        times[kind].push(performance.now() - startedMs);
        answers.add(seen(answer, address, token));
      }
    }
    expect([...answers]).toHaveLength(1);
    const [a, b] = [median(times.known), median(times.unknown)];
    const isAlike = Math.abs(a - b) <= APART_MS_MAX || Math.max(a, b) / Math.min(a, b) < RATIO_MAX;
    expect(isAlike, `medians ${a} and ${b} ms`).toBe(true);
  },
);
