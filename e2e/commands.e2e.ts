// The commands of an operator, run as an operator runs them: migrate, admin, doctor, config.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startRialtoProcess } from '../server/src/testing/rialto-process.ts';
import { openCommandLine, type CommandLine } from './command-line.ts';

const CREATE = ['admin', 'create-user', '--json', '--email'];
const DEMO = fileURLToPath(new URL('../scripts/demo/main.ts', import.meta.url));

let settings: CommandLine['settings'];
let rialto: CommandLine['rialto'];
const AVA = ['--by', 'ava@example.com'];

beforeAll(async () => {
  ({ settings, rialto } = await openCommandLine());
});
afterAll(() => stopAllEngines());

describe('from an empty database to a server', () => {
  it('doctor finds the missing migrations, and migrate applies them', () => {
    const before = rialto(['doctor']);
    expect(before.status).toBe(1);
    expect(before.stdout).toContain('✗ broken');
    expect(before.stdout).toContain('What to do: Run `rialto migrate`.');
    const migrated = rialto(['migrate']);
    expect(migrated).toMatchObject({ status: 0, stderr: '' });
    expect(migrated.stdout).toContain('Applied 0001_events.');
    expect(rialto(['migrate']).stdout).toBe(
      'The database is up to date.\nThe server works as "rialto_server", which may do what it needs and owns nothing; the owner is "rialto".\n',
    );
    // The server's role can do everything that the server does, but cannot migrate.
    const alone = rialto(['migrate'], { DATABASE_OWNER_URL: '' });
    expect(alone).toMatchObject({ status: 1, stdout: '' });
    expect(alone.stderr).toContain('belongs to the role "rialto", and "rialto_server" cannot');
    expect(alone.stderr).not.toMatch(/\n\s+at /);
  });

  it('admin creates an owner, a bot and a key, and shows each secret once', () => {
    const owner = rialto([...CREATE, 'ava@example.com', '--name', 'Ava', '--role', 'owner']);
    expect(JSON.parse(owner.stdout)).toMatchObject({
      user_id: 1,
      role: 'owner',
      chat_api_key: expect.stringMatching(/^\w{32}$/),
      password: expect.stringMatching(/^\w{20}$/),
      operator_secret: expect.stringMatching(/^svc_operator_\w{32}$/),
    });
    settings['RIALTO_OPERATOR_SECRET'] = (
      JSON.parse(owner.stdout) as { operator_secret: string }
    ).operator_secret;
    const ofAva = ['--bot-of', 'ava@example.com'];
    const bot = rialto([...CREATE, 'bot@example.com', '--name', 'Desk Bot', ...ofAva, ...AVA]);
    expect(JSON.parse(bot.stdout)).not.toHaveProperty('password');
    const forBot = ['--email', 'bot@example.com', '--permissions', 'read,trade'];
    const key = rialto(['admin', 'create-trading-key', '--json', ...forBot, ...AVA]);
    expect(JSON.parse(key.stdout)).toMatchObject({
      permissions: 'read,trade',
      api_key: expect.stringMatching(/^svc_key_/),
      secret_key: expect.stringMatching(/^svc_secret_/),
    });
  });

  it('admin explains its refusals', () => {
    const again = ['admin', 'create-user', '--email', 'AVA@example.com', '--name', 'Other', ...AVA];
    expect(rialto(again)).toMatchObject({ status: 1, stderr: expect.stringContaining('already') });
    const lastOwner = [
      'admin',
      'set-role',
      '--email',
      'ava@example.com',
      '--role',
      'member',
      ...AVA,
    ];
    expect(rialto(lastOwner)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('only organization owner'),
    });
    const withdraw = ['admin', 'create-trading-key', '--email', 'ava@example.com', ...AVA];
    expect(rialto([...withdraw, '--permissions', 'withdraw'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--ip'),
    });
    for (const { stderr } of [rialto(again), rialto(lastOwner)]) {
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('admin works beside a running server, and the server notices the changes', async () => {
    const server = await startRialtoProcess('api,engine,relay,worker', settings);
    const role = ['admin', 'set-role', '--email', 'bot@example.com', '--role', 'moderator', ...AVA];
    expect(rialto(role).status).toBe(0);
    const healthy = rialto(['doctor', '--json'], {
      PORT: String(server.port),
      OPS_PORT: String(server.opsPort),
    });
    expect(healthy.status, healthy.stdout).toBe(0);
    const { healthy: isHealthy, findings } = JSON.parse(healthy.stdout) as {
      healthy: boolean;
      findings: { check: string; what: string; status: string }[];
    };
    expect(isHealthy).toBe(true);
    const of = (check: string) => findings.find((finding) => finding.check === check);
    expect(of('port')?.what).toContain('Rialto answers');
    expect(of('processes')?.what).toContain('1 alive');
    expect(of('events')).toMatchObject({ status: 'ok' });
    expect(await server.stop()).toBe(0);
  });
});

it('config prints the settings in force, and names misspelt ones', () => {
  const { status, stdout } = rialto(['config'], { SMPT_URL: 'smtp://mail.example' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^TRADING_RATE_LIMIT +10 +default$/m);
  expect(stdout).toMatch(/^LOG_LEVEL +silent +environment$/m);
  expect(stdout).toContain('SMPT_URL is not a setting; SMTP_URL is.');
  expect(stdout).not.toContain(settings['MASTER_KEY']);
});

it('config prints every setting with its default as a table', () => {
  const { status, stdout } = rialto(['config', '--defaults']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\| Setting \| Default \| What it is for \|\n\| --- /);
  expect(stdout).toContain('| `TRADING_RATE_LIMIT` | `10` |');
});

it('an unknown command says where to look', () => {
  const { status, stderr } = rialto(['sevre']);
  expect(status).toBe(1);
  expect(stderr).toContain('Did you mean serve?');
});

describe('a mistake in starting something', () => {
  let busy: Server;
  let port: string;
  beforeAll(async () => {
    busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    port = String((busy.address() as AddressInfo).port);
  });
  afterAll(() => busy.close());

  const demo = (...args: readonly string[]) =>
    spawnSync(process.execPath, [DEMO, ...args], {
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    });

  it('a busy port is named before anything else is checked, with the flag or setting that chose it', () => {
    const nowhere = { DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none', PORT: port };
    const flag = rialto(['serve', '--port', port], { ...nowhere, PORT: '0' });
    expect(flag).toMatchObject({ status: 1, stdout: '' });
    expect(flag.stderr).toContain(`Another program already listens on 127.0.0.1:${port}.`);
    expect(flag.stderr).toContain('choose another port with --port.');
    expect(rialto(['serve'], nowhere).stderr).toContain('with --port or PORT.');
    const ops = rialto(['serve'], { ...nowhere, PORT: '0', OPS_PORT: port });
    expect(ops.stderr).toContain('with OPS_PORT.');
    // A role without an API does not need the port.
    expect(rialto(['serve', '--roles', 'relay'], nowhere).stderr).toContain('PostgreSQL');
    const { status, stdout, stderr } = demo('--port', port);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('choose another port with --port.');
  });

  it('an unknown flag is named, with the likely intended one', () => {
    const flag = rialto(['serve', '--prot', '8081']);
    expect(flag).toMatchObject({ status: 1, stdout: '' });
    expect(flag.stderr).toContain("unknown option '--prot'\n(Did you mean --port?)");
    const { status, stderr } = demo('--prot', '8081');
    expect([status, stderr]).toEqual([1, '--prot is not a flag; did you mean --port?\n']);
    expect(demo('--port', '80801').stderr).toBe(
      '--port must be a port from 0 to 65535, not "80801".\n',
    );
  });
});
