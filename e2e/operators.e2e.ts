// What operators do with a venue: `rialto admin` beside a running server, and without one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { openCommandLine, type CommandLine } from './command-line.ts';

const AVA = ['--by', 'ava@example.com'];
const BEN = ['--by', 'ben@example.com'];
const BTCUSDT =
  '--base-precision 6 --quote-precision 2 --minimum-quote-size 5 --max-market-order-ask 10 ' +
  '--max-market-order-bid 500000 --listing-price 64000';

let shell: CommandLine;
let server: RialtoProcess;
let folder: string;

/** At this shell everybody has their own secret in their own environment. */
const secrets: Record<string, string> = {};

function rialto(args: readonly string[], overrides: Record<string, string> = {}) {
  const secret = secrets[args[args.indexOf('--by') + 1] ?? ''];
  const own: Record<string, string> =
    secret === undefined ? {} : { RIALTO_OPERATOR_SECRET: secret };
  return shell.rialto(args, { ...own, ...overrides });
}

interface Answer {
  command: number;
  status: string;
  message: string;
  operator_secret: string;
  fingerprint: string;
}

/** Runs `rialto admin … --json`, which must succeed, and returns what it printed. */
function admin(...args: string[]): Answer {
  const { status, stdout, stderr } = rialto(['admin', ...args, '--json']);
  expect(stderr).toBe('');
  expect([0, 1, 3]).toContain(status);
  return JSON.parse(stdout) as Answer;
}

const refused = (...args: string[]): string => {
  const { status, stderr } = rialto(['admin', ...args]);
  expect(status).toBe(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
};

beforeAll(async () => {
  shell = await openCommandLine({ MONEY: 'simulated' });
  folder = mkdtempSync(join(tmpdir(), 'rialto-operators-'));
  expect(rialto(['migrate']).status).toBe(0);
  const person = (email: string, role: string) =>
    ['create-user', '--email', email, '--name', 'Person', '--role', role] as const;
  expect(refused(...person('mia@example.com', 'member'))).toContain('add --role owner');
  secrets['ava@example.com'] = admin(...person('ava@example.com', 'owner')).operator_secret;
  expect(refused(...person('eve@example.com', 'owner'))).toContain('an operator has to do this');
  admin(...person('ben@example.com', 'administrator'), ...AVA);
  admin(...person('mia@example.com', 'member'), ...AVA);
  const { operator_secret, fingerprint, status } = admin('operator', 'enrol', 'ben@example.com');
  expect(status).toBe('awaiting_approval');
  secrets['ben@example.com'] = operator_secret;
  const agree = ['operator', 'approve', 'ben@example.com', '--fingerprint', fingerprint] as const;
  expect(admin(...agree, ...AVA)).toMatchObject({ status: 'enrolled' });
  admin('create-trading-key', '--email', 'mia@example.com', '--permissions', 'read,trade', ...AVA);
});
afterAll(async () => {
  await server?.stop();
  await stopAllEngines();
  rmSync(folder, { recursive: true });
});

describe('without an engine', () => {
  it('a command reports that it waits, with its own exit status, and can be retracted', () => {
    const coin = [
      'admin',
      'coin',
      'add',
      '--symbol',
      'irt',
      '--name-en',
      'Toman',
      '--name-fa',
      'تومان',
    ];
    const { status, stdout } = rialto([...coin, ...AVA, '--wait', '0.2']);
    expect(status).toBe(3);
    expect(stdout).toContain('No engine has taken it yet.');
    const [waiting] = JSON.parse(rialto(['admin', 'pending', '--json']).stdout) as [Answer];
    expect(waiting).toMatchObject({ act: 'coin add', status: 'waiting', by: 'ava@example.com' });
    const old = rialto(['admin', 'withdraw', String(waiting.command), ...BEN]);
    expect(old.status).toBe(1);
    expect(old.stderr).toContain(`Run: rialto admin retract ${waiting.command} --by YOUR_ADDRESS`);
    expect(admin('retract', String(waiting.command), ...BEN)).toMatchObject({
      status: 'withdrawn',
    });
    expect(rialto(['admin', 'pending']).stdout).toBe('Nothing waits.\n');
  });
});

describe('with a server', () => {
  beforeAll(async () => {
    server = await startRialtoProcess('api,engine,relay,worker', shell.settings);
  });

  it('coins are defined from a file that `coin show` prints, and from flags', () => {
    admin(
      'coin',
      'add',
      '--symbol',
      'btc',
      '--name-en',
      'Bitcoin',
      '--name-fa',
      'بیت‌کوین',
      ...AVA,
    );
    const network = {
      NetworkSymbol: 'TRX',
      NetworkNameEn: 'Tron',
      NetworkNameFa: 'ترون',
      isDefault: true,
      tokenNameOnNetwork: 'Tether USD',
      tokenSymbolOnNetwork: 'USDT',
      addressUrl: 'https://explorer.example/trx/address/{address}',
      contractAddressUrl: '',
      transactionUrl: 'https://explorer.example/trx/tx/{txid}',
      contractAddress: '',
      memoRequired: false,
      memoRegex: '',
      addressRegex: '^T[1-9A-HJ-NP-Za-km-z]{33}$',
      tokenDecimal: '6',
      depositFee: '0',
      withdrawFee: '1',
      depositStatus: 'active',
      withdrawStatus: 'active',
      minimumDeposit: '1',
      minimumWithdraw: '5',
      DepositConfirmationCount: '20',
      withdrawPrecision: '6',
    };
    const tether = { symbol: 'usdt', nameEn: 'Tether', nameFa: 'تتر', networks: { TRX: network } };
    const file = join(folder, 'usdt.json');
    writeFileSync(file, JSON.stringify(tether));
    expect(admin('coin', 'add', '--file', file, ...AVA)).toMatchObject({ status: 'done' });
    expect(JSON.parse(rialto(['admin', 'coin', 'show', 'usdt']).stdout)).toEqual(tether);

    const wrong = {
      ...network,
      addressRegex: '^(T$',
      transactionUrl: 'https://x',
      isDefault: false,
    };
    writeFileSync(file, JSON.stringify({ ...tether, networks: { TRX: wrong } }));
    const stderr = refused('coin', 'add', '--file', file, ...AVA);
    for (const part of ['exactly one must have isDefault', 'addressRegex', '{txid}']) {
      expect(stderr).toContain(part);
    }
    writeFileSync(file, JSON.stringify({ ...tether, networks: {} }));
    expect(refused('coin', 'add', '--file', file, ...AVA)).toContain('usdt is on TRX already');
  });

  it('a market is created, configured and opened, and invalid changes are refused with a reason', () => {
    expect(refused('market', 'create', 'btc', 'usdt', ...AVA)).toContain('--listing-price');
    expect(admin('market', 'create', 'btc', 'usdt', ...BTCUSDT.split(' '), ...AVA)).toMatchObject({
      status: 'done',
    });
    const again = admin('market', 'create', 'btc', 'usdt', ...BTCUSDT.split(' '), ...AVA);
    expect(again).toMatchObject({ status: 'refused', message: expect.stringContaining('already') });
    const unknown = admin('market', 'create', 'btc', 'doge', ...BTCUSDT.split(' '), ...AVA);
    expect(unknown.message).toContain('No coin has the symbol "doge"');
    expect(
      admin('market', 'configure', 'btcusdt', '--price-band-percent', '12.5', ...AVA),
    ).toMatchObject({ status: 'done' });
    const terms = JSON.parse(rialto(['admin', 'market', 'show', 'btcusdt']).stdout) as object;
    expect(terms).toMatchObject({ priceBandPercent: '12.5', minimumQuoteSize: '5' });
    const finer = ['market', 'configure', 'btcusdt', '--minimum-price', '0.001', ...AVA];
    expect(refused(...finer)).toContain('minimumPrice must be a decimal number with at most 2');
    expect(admin('market', 'phase', 'btcusdt', 'continuous', ...AVA)).toMatchObject({
      status: 'done',
    });
    expect(refused('market', 'phase', 'btcusdt', 'delisted', ...AVA)).toContain(
      '--confirm btcusdt',
    );
    expect(refused('market', 'phase', 'btcusdt', 'open', ...AVA)).toContain('one of pre_open');
  });

  it('money is credited from a funded account when two operators agree', () => {
    const deposit = ['ledger', 'deposit', '--coin', 'usdt', '--amount', '1000'];
    expect(admin(...deposit, '--to', 'adjustments', ...AVA)).toMatchObject({ status: 'done' });
    expect(
      rialto(['admin', ...deposit, '--to', 'adjustments', ...AVA], { MONEY: 'real' }),
    ).toMatchObject({ status: 1, stderr: expect.stringContaining('MONEY=real') });
    const credit = ['ledger', 'credit', '--coin', 'usdt', '--to', 'mia@example.com', ...AVA];
    const { command, status } = admin(...credit, '--amount', '250.5', '--reason', 'Goodwill');
    expect(status).toBe('awaiting_approval');
    expect(refused('approve', String(command), ...AVA)).toContain('cannot approve it too');
    // A person with the shell and one secret is one person, whatever name they give.
    const asBen = ['admin', 'approve', String(command), ...BEN];
    for (const secret of [secrets['ava@example.com'] ?? '', 'svc_operator_guess']) {
      expect(rialto(asBen, { RIALTO_OPERATOR_SECRET: secret })).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The secret is not that of ben@example.com'),
      });
    }
    expect(rialto(asBen, { RIALTO_OPERATOR_SECRET: '' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('RIALTO_OPERATOR_SECRET_FILE'),
    });
    secrets['mia@example.com'] = secrets['ava@example.com'] ?? '';
    expect(refused('approve', String(command), '--by', 'mia@example.com')).toContain(
      'The secret is not that of mia@example.com',
    );
    expect(admin('approve', String(command), ...BEN)).toMatchObject({ status: 'done' });
    const tooMuch = admin(...credit, '--amount', '750', '--reason', 'More');
    expect(admin('approve', String(tooMuch.command), ...BEN)).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('The source has 749.5 usdt, and 750 were asked for.'),
    });
  });

  it('accounts are suspended and put into tiers', () => {
    const suspend = ['account', 'suspend', 'mia@example.com', '--reason', 'Court order', ...AVA];
    expect(admin(...suspend)).toMatchObject({ status: 'done' });
    expect(refused('account', 'suspend', 'ben@example.com', '--reason', 'x', ...AVA)).toContain(
      'names no trading account',
    );
    admin('account', 'resume', '1', '--reason', 'Lifted', ...AVA);
    const tier = ['fees', 'define', '1', '--maker', '-0.01', '--taker', '0.05', ...AVA];
    expect(admin(...tier)).toMatchObject({ status: 'done' });
    expect(admin('fees', 'set-tier', '1', '1', ...AVA)).toMatchObject({ status: 'done' });
    expect(refused('fees', 'set-tier', '1', '9', ...AVA)).toContain('one that is defined: 0, 1');
  });

  it('orders are looked up and canceled, and every market is halted at once', () => {
    const cancel = ['account', 'cancel-orders', 'mia@example.com', '--reason', 'Odd', ...AVA];
    expect(admin(...cancel)).toMatchObject({
      status: 'done',
      message: 'Done. Canceled orders: 0.',
    });
    expect(refused('order', 'show', '999')).toContain('No order is known as 999.');
    expect(refused('order', 'show', 'abc')).toContain('--client-id');
    const byClient = ['order', 'show', '--account', 'mia@example.com', '--client-id', 'none'];
    expect(refused(...byClient)).toContain('"none" of account 1');
    expect(refused('order', 'show', '--client-id', 'none')).toContain('together');

    const haltAll = ['market', 'halt-all', '--reason', 'A drill', ...AVA];
    expect(admin(...haltAll)).toMatchObject([{ subject: 'btcusdt', status: 'done' }]);
    expect(refused(...haltAll.slice(0, -1), 'mia@example.com')).toContain('The secret is not that');
    const phase = ['market', 'phase', 'btcusdt', 'continuous', '--reason', 'The drill is over'];
    expect(admin(...phase, ...AVA)).toMatchObject({ status: 'done' });
  });

  it('a deactivated person keeps the money, and returns only through the chat', async () => {
    const who = ['--email', 'mia@example.com', ...AVA];
    expect(admin('deactivate-user', ...who)).toMatchObject({ status: 'deactivated' });
    const show = () =>
      JSON.parse(rialto(['admin', 'account', 'show', '1', '--json']).stdout) as object;
    await expect.poll(show, { timeout: 15_000 }).toMatchObject({
      owner: 'mia@example.com',
      person: 'deactivated',
      suspended: true,
      because: 'deactivation',
      balances: [{ coin: 'usdt', available: '250.5' }],
    });
    expect(refused('account', 'release', '1', '--reason', 'Please', ...AVA)).toContain(
      'rialto admin reactivate-user',
    );
    expect(refused('deactivate-user', ...who)).toContain('deactivated');
    expect(admin('reactivate-user', ...who)).toMatchObject({ status: 'active' });
    await expect.poll(show, { timeout: 15_000 }).toMatchObject({ suspended: false, because: '' });
  });

  it('everything is in the audit log, whose end can be noted and compared', async () => {
    const list = ['admin', 'audit', 'list', '--json', '--limit', '1000'];
    const entries = JSON.parse(rialto(list).stdout) as {
      operator: string;
      act: string;
      outcome: string;
    }[];
    for (const { operator } of entries) expect(operator).toMatch(/^(host: \S+@\S+|\S+@\S+)$/);
    expect(entries.findLast(({ act }) => act === 'user create')?.operator).toMatch(/^host: /);
    for (const [act, outcome] of [
      ['user create', 'done'],
      ['trading_key create', 'done'],
      ['coin add', 'withdrawn'],
      ['market create', 'refused'],
      ['ledger credit', 'approved'],
      ['approve', 'denied'],
      ['operator prove', 'denied'],
      ['operator enrol', 'awaiting_approval'],
      ['operator approve', 'done'],
      ['account suspend', 'done'],
      ['account cancel_orders', 'done'],
      ['user deactivate', 'done'],
      ['user reactivate', 'done'],
      ['fees define', 'done'],
    ]) {
      expect(entries).toContainEqual(expect.objectContaining({ act, outcome }));
    }
    const verify = ['admin', 'audit', 'verify', '--json'];
    const whole = JSON.parse(rialto(verify).stdout) as { whole: boolean; end: string };
    expect(whole.whole).toBe(true);
    expect(rialto([...verify, '--expect', whole.end]).status).toBe(0);

    const client = new pg.Client({ connectionString: shell.postgres.ownerUrl });
    await client.connect();
    await client.query(`SET session_replication_role = 'replica'`);
    const { rows } = await client.query(
      `DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log) RETURNING *`,
    );
    expect(rows).toHaveLength(1);
    const cut = rialto([...verify, '--expect', whole.end]);
    expect(cut.status).toBe(1);
    expect(cut.stdout).toContain('does not reach the expected end');
    await client.query(`UPDATE audit_log SET operator = 'eve@example.com' WHERE seq = 5`);
    await client.end();
    const changed = rialto(['admin', 'audit', 'verify']);
    expect(changed.status).toBe(1);
    expect(changed.stdout).toContain('Entry 5 is wrong');
  });

  it('operators are the active owners and administrators who have a secret', () => {
    const list = () =>
      JSON.parse(rialto(['admin', 'operator', 'list', '--json']).stdout) as object[];
    expect(list()).toMatchObject([
      { email: 'ava@example.com', role: 'owner', secret: 'enrolled' },
      { email: 'ben@example.com', role: 'administrator', secret: 'enrolled' },
    ]);
    const toOwner = ['set-role', '--email', 'mia@example.com', '--role', 'owner'];
    expect(refused(...toOwner, ...BEN)).toContain('owner');
    const file = join(folder, 'secret');
    writeFileSync(file, `${secrets['ben@example.com']}\n`, { mode: 0o600 });
    const changed = rialto(['admin', 'operator', 'change-secret', ...BEN, '--json'], {
      RIALTO_OPERATOR_SECRET: '',
      RIALTO_OPERATOR_SECRET_FILE: file,
    });
    expect(changed.status).toBe(0);
    expect(refused('operator', 'change-secret', ...BEN)).toContain('The secret is not that');
    secrets['ben@example.com'] = (JSON.parse(changed.stdout) as Answer).operator_secret;
    expect(refused('operator', 'revoke', 'ben@example.com', ...AVA)).toContain('fewer than two');
    admin('set-role', '--email', 'ben@example.com', '--role', 'member', ...AVA);
    expect(refused('market', 'halt-all', '--reason', 'x', ...BEN)).toContain('not that of ben');
    expect(list()).toMatchObject([{ email: 'ava@example.com' }]);
  });
});
