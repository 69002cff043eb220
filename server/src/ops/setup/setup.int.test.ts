// `rialto setup` on an empty installation, beside a running server: who may run it, what it creates, and how
// often.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chatClient } from '../../testing/chat/client.ts';
import { testEnvironment } from '../../testing/context.ts';
import { RIALTO_BINARY } from '../../testing/rialto-process.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const run = promisify(execFile);
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
});
afterAll(() => server.close());

type Fields = Readonly<Record<string, string>>;

/** The output of the command, whether it worked or not. */
async function setUp(
  args: readonly string[],
  secret = '',
): Promise<{ said: string; made: Fields }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...testEnvironment(server.databaseUrl),
    ...(secret === '' ? {} : { RIALTO_OPERATOR_SECRET: secret }),
  };
  const command = [RIALTO_BINARY, 'setup', '--json', ...args];
  const pending = run(process.execPath, command, { env, cwd: '/' });
  // Nobody types anything.
  pending.child.stdin?.end();
  const { stdout, stderr } = await pending.catch(
    (error) => error as { stdout: string; stderr: string },
  );
  return { said: stdout + stderr, made: stdout === '' ? {} : (JSON.parse(stdout) as Fields) };
}

const owner = (name: string) => ['--email', `${name}@example.com`, '--name', `${name} Stone`];
const MARKET = ['--market', 'BTCUSDT', '--price', '64000', '--wait', '60'];

async function countAll() {
  const { rows } = await server.owner.query<Record<string, string>>(`
    SELECT (SELECT count(*) FROM users WHERE NOT is_system) AS users, (SELECT count(*) FROM channels) AS channels,
           (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM operator_commands) AS commands,
           (SELECT count(*) FROM trading_keys) AS keys, (SELECT max(seq) FROM audit_log) AS acts`);
  return rows[0];
}

it('of two concurrent setups of an empty installation one succeeds, and the first message to general arrives', async () => {
  const answers = await Promise.all([
    setUp([...owner('ava'), '--organization', 'The Bourse', ...MARKET]),
    setUp([...owner('ben'), '--organization', 'The Bourse', ...MARKET]),
  ]);
  const [winner, ...more] = answers.filter(({ made }) => 'operator_secret' in made);
  const [loser] = answers.filter(({ made }) => !('operator_secret' in made));
  expect(more).toEqual([]);
  expect(loser?.said).toContain('already');
  const made = winner?.made ?? {};
  expect(made).toMatchObject({
    role: 'owner',
    set_password_link: expect.stringMatching(/\/accounts\/password\/reset\/[a-z2-7]{52}\/$/),
    sign_in: expect.stringMatching(/^http.*\/login\/$/),
    organization: 'The Bourse',
    'channel general': 'made, for everybody who joins',
    welcome: 'in general, topic welcome',
    money: expect.stringContaining('SIMULATED'),
    'market btcusdt': 'open',
    funds: expect.stringContaining('simulated'),
  });

  const basic = `Basic ${Buffer.from(`${made['email']}:${made['chat_api_key']}`).toString('base64')}`;
  const client = chatClient(server, { basic });
  const sent = await client.post('/messages', {
    type: 'channel',
    to: 'general',
    topic: 'hello',
    content: 'Good **morning**',
  });
  expect(sent.body).toMatchObject({ result: 'success' });
  const { body } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    narrow: [['channel', 'general']],
  });
  const [welcome] = body['messages'] as { subject: string; content: string }[];
  expect(welcome?.subject).toBe('welcome');
  expect(welcome?.content).toContain('Welcome to The Bourse!');
  expect(welcome?.content).toContain('data-stream-id');

  const info = await fetch(`${server.baseUrl}/public/exchange_info?symbol=btcusdt`);
  expect(await info.text()).toContain('btcusdt');

  // A second time: refused without a name, and with one nothing is created twice.
  const before = await countAll();
  expect((await setUp([...owner('eve'), ...MARKET])).said).toContain(
    `set up already: ${made['email']} runs it`,
  );
  const again = await setUp(['--by', made['email'] ?? '', ...MARKET], made['operator_secret']);
  expect(again.made).toMatchObject({
    'channel general': 'is there',
    welcome: 'is there',
    'market btcusdt': 'is there',
  });
  expect(await countAll()).toEqual(before);
}, 600_000);

it('everything that it creates is in the audit log, by the owner, and none of its secrets', async () => {
  const { rows } = await server.owner.query<{ operator: string; act: string; details: string }>(
    'SELECT operator, act, details FROM audit_log ORDER BY seq',
  );
  const acts = new Set(rows.map(({ act }) => act));
  for (const act of [
    'user create',
    'operator enrol',
    'org setting',
    'channel create',
    'coin add',
    'market create',
    'market phase',
    'trading_key create',
    'ledger deposit',
  ]) {
    expect(acts, act).toContain(act);
  }
  expect(JSON.stringify(rows)).not.toMatch(/svc_(secret|operator)_/);
});
