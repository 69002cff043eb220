// `rialto admin custody` as an operator types it, on a venue with a real Litecoin node.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import type { CoinOwner } from '../../../testing/chains/owner.ts';
import { EXAMPLE_SECRET, exampleOperator } from '../../../testing/operators.ts';
import { RIALTO_BINARY } from '../../../testing/rialto-process.ts';

const run = promisify(execFile);
const LONG = 300_000;
const WAIT = { timeout: 30_000 };

type Fields = Record<string, string>;

describe.skipIf(!hasLitecoind)('rialto admin custody', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-custody-commands-'));
  const at = (name: string) => join(folder, name);
  let venue: LitecoinVenue;
  let owner: CoinOwner;
  let operators: [string, string];
  beforeAll(async () => {
    venue = await openLitecoinVenue(async (node) => {
      const cold = String(await node.call('getnewaddress', ['', 'bech32']));
      return {
        policy: { coldTargets: [cold] },
        network: { tiers: { ltc: { floor: '0.1', target: '11', ceiling: '12', cold } } },
      };
    });
    const { ctx } = venue.world;
    operators = [(await exampleOperator(ctx)).email, (await exampleOperator(ctx)).email];
  }, LONG);
  afterAll(async () => {
    await venue.close();
    rmSync(folder, { recursive: true });
  });

  const states = async () => {
    const { rows } = await venue.world.server.owner.query<{ one: string }>(
      "SELECT kind || ' ' || state AS one FROM custody_payments ORDER BY payment_id",
    );
    return rows.map(({ one }) => one);
  };
  /** What it prints and how it ends; `by` is the first operator. */
  async function type(args: readonly string[], by?: string) {
    const env = {
      ...process.env,
      ...venue.world.environment,
      RIALTO_OPERATOR: by ?? operators[0],
      RIALTO_OPERATOR_SECRET: EXAMPLE_SECRET,
    };
    const command = [RIALTO_BINARY, 'admin', 'custody', ...args];
    try {
      const { stdout } = await run(process.execPath, command, { env });
      return { code: 0, stdout, stderr: '' };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }
  async function json<T = Fields>(args: readonly string[], by?: string): Promise<T> {
    const { code, stdout, stderr } = await type([...args, '--json'], by);
    expect(`${code} ${stderr}`).toBe('0 ');
    return JSON.parse(stdout) as T;
  }
  async function refusal(...args: readonly string[]): Promise<string> {
    const { code, stderr } = await type(args);
    expect(code).toBe(1);
    return stderr;
  }
  const status = async () => {
    const rows = await json<Fields[]>(['status']);
    return Object.fromEntries(rows.map(({ what = '', ...row }) => [what, row]));
  };

  it(
    'shows networks and hot wallets, pauses, resumes and reads again',
    async () => {
      owner = await venue.ownerWith('15');
      await venue.paying(async () => {
        await expect.poll(states, WAIT).toEqual(['to_cold confirming']);
        await venue.node.mine(2);
        await expect.poll(states, WAIT).toEqual(['to_cold done']);
      });
      expect(await status()).toMatchObject({
        'network LTC': { state: 'active', reason: '' },
        'hot wallet LTC ltc': {
          details: expect.stringMatching(/floor 0.1, target 11, ceiling 12/),
        },
      });
      const plain = await type(['status']);
      expect(plain.stdout).toMatch(/network LTC +active/);

      expect(await refusal('pause', 'LTC')).toContain('--reason');
      expect(await refusal('pause', 'DOGE', '--reason', 'x')).toContain('DOGE');
      expect(await json(['pause', 'LTC', '--reason', 'a fork'])).toEqual({
        network: 'LTC',
        state: 'paused',
      });
      expect((await status())['network LTC']).toMatchObject({
        reason: expect.stringContaining('a fork'),
      });
      await json(['resume', 'LTC']);
      await venue.world.untilReason('LTC', '');

      expect(await refusal('rescan', 'LTC', '--from', '-1')).toContain('--from');
      expect(await refusal('rescan', 'LTC', '--from', '1', '--addresses', '5001')).toContain(
        'At most 5000',
      );
      expect(await json(['rescan', 'LTC', '--from', '1', '--addresses', '5'])).toMatchObject({
        state: 'reads again from 1',
        addresses: '5',
      });
    },
    LONG,
  );

  it(
    'approves and rejects withdrawals',
    async () => {
      const { withdrawId } = await owner.payOut('10.5');
      await owner.until(withdrawId, 'awaiting_approval');
      expect((await status())[`withdrawal ${withdrawId}`]).toMatchObject({
        state: 'awaiting_approval',
        details: expect.stringMatching(/^10\.5 ltc to .*, 0 of 1 approvals$/),
      });
      expect(await refusal('approve', '7')).toContain('7');
      expect(await refusal('approve', 'W999999')).toContain('W999999');
      expect(await json(['reject', withdrawId, '--reason', 'a test'])).toMatchObject({
        state: 'rejected',
      });
      await owner.until(withdrawId, 'rejected');
      const { withdrawId: next } = await owner.payOut('10.1');
      await owner.until(next, 'awaiting_approval');
      expect(await json(['approve', next])).toMatchObject({ approvals: '1 of 1' });
      await venue.paying(async () => {
        await owner.until(next, 'confirming');
        const payment =
          Object.keys(await status()).find((what) => what.startsWith('payment P')) ?? '';
        const id = payment.replace('payment ', '');
        expect(await json(['bump', id])).toEqual({ payment: id, state: 'asked' });
        expect(await refusal('resolve', id, '--way', 'burn', '--reason', 'x')).toContain(
          'not "burn"',
        );
        expect(await refusal('bump', 'P999999')).toContain('P999999');
        await venue.node.mine(2);
        await owner.until(next, 'completed');
      });
    },
    LONG,
  );

  it(
    'brings coins back from the cold wallet by two files',
    async () => {
      const prepare = (amount: string, file: string) =>
        venue.paying(() =>
          json(['cold', 'prepare', 'LTC', '--coin', 'ltc', '--amount', amount, '--out', at(file)]),
        );
      const { payment = '', next } = await prepare('2', 'psbt');
      expect(next).toContain(`cold submit ${payment}`);
      expect(statSync(at('psbt')).mode & 0o777).toBe(0o600);

      const submit = (file: string) => ['cold', 'submit', payment, '--signed', at(file)];
      expect(await refusal(...submit('nothing'))).toContain('no such file');
      writeFileSync(at('huge'), 'a'.repeat(1024 * 1024 + 1));
      expect(await refusal(...submit('huge'))).toContain('larger than');
      writeFileSync(at('other'), 'not a transaction');
      expect(await refusal(...submit('other'))).toContain('neither');
      expect(await refusal(...submit('psbt'))).toContain('signed whole');

      const text = readFileSync(at('psbt'), 'utf8').trim();
      const made = await venue.node.call('walletprocesspsbt', [text]);
      const { psbt } = made as { psbt: string };
      // As bytes, which some wallets write.
      writeFileSync(at('signed'), Buffer.from(psbt, 'base64'));
      const { txid } = await json(submit('signed'), operators[1]);
      expect(txid).toMatch(/^[0-9a-f]{64}$/);
      await venue.paying(async () => {
        await expect.poll(async () => (await states()).at(-1), WAIT).toBe('from_cold confirming');
        await venue.node.mine(2);
        await expect.poll(async () => (await states()).at(-1), WAIT).toBe('from_cold done');
      });

      // Without a process that has the role custody nobody answers: the command says so, with the status of "waiting".
      const asked = ['cold', 'prepare', 'LTC', '--coin', 'ltc', '--amount', '1', '--out', at('x')];
      const waiting = await type([...asked, '--wait', '1']);
      expect(waiting.code).toBe(3);
      expect(waiting.stdout).toContain('waiting for a process with the role custody');
    },
    LONG,
  );
});
