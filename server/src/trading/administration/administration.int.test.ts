// Operators at work under /json/v1/admin, in a venue with a running engine: what they do is done, and is in the audit log.
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import type { Grant } from '../../accounts/operators/grants.ts';
import { openSession } from '../../accounts/sessions/actions.ts';
import { ringEngine } from '../../platform/bus/bells.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { liveVenue, type LiveVenue } from '../../testing/live-venue.ts';
import { grantTo } from '../../testing/operators.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send, type TradingAnswer } from '../../testing/trader.ts';
import { insertHaltCommand } from '../operators/access.ts';
import { codeOf, resultOf } from '../../testing/trading/desk.ts';

type Params = Readonly<Record<string, string>>;

let server: TestServer;
let venue: LiveVenue;
beforeAll(async () => {
  server = await startTestServer({
    withEngine: true,
    settings: { TRADING_RATE_LIMIT: '100000' },
  });
  venue = await liveVenue(server);
}, 240_000);
afterAll(() => server.close());

interface Operating {
  readonly person: Person;
  get(path: string, params?: Params): Promise<TradingAnswer>;
  /** With a code of their app, unless `otp` says otherwise. */
  post(path: string, params?: Params, otp?: string): Promise<TradingAnswer>;
}

/** A person with grants and an authenticator, signed in. */
async function operatorWith(...grants: readonly Grant[]): Promise<Operating> {
  const { ctx, origin } = server;
  const person = await examplePerson(ctx);
  await grantTo(ctx, person, ...grants);
  const secret = randomBytes(20);
  await ctx.db
    .insertInto('totpSecrets')
    .values({
      userId: person.id,
      sealed: ctx.secrets.seal(`totp ${person.id}`, secret.toString('hex')),
      confirmedAt: new Date(),
    })
    .execute();
  const { token, csrfToken } = await openSession(
    ctx,
    person,
    { address: '127.0.0.1', agent: 'test' },
    { methods: ['password', 'totp'], isFresh: true },
  );
  const headers = { cookie: `sessionid=${token}`, 'x-csrftoken': csrfToken };
  const url = (path: string) => `${origin}/json/v1/admin${path}`;
  return {
    person,
    get: (path, params = {}) =>
      send(`${url(path)}?${new URLSearchParams(params).toString()}`, { headers }),
    async post(path, params = {}, otp) {
      // Codes are good once. A test does not wait half a minute for the next one.
      await ctx.db
        .updateTable('totpSecrets')
        .set({ lastStep: 0n })
        .where('userId', '=', person.id)
        .execute();
      const body = new URLSearchParams(params);
      const sent = { ...headers, 'x-svc-otp': otp ?? codeNow(secret) };
      return send(url(path), { method: 'POST', body, headers: sent });
    },
  };
}

/** RFC 6238: SHA-1, six digits, 30 seconds. */
function codeNow(secret: Buffer): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

interface Requested {
  readonly requestId: string;
  readonly status: string;
  readonly digest: string;
}
interface Pending extends Requested {
  readonly subject: string;
  readonly requestedBy: string;
}

async function notesOf({ person }: Operating): Promise<string[]> {
  const rows = await server.ctx.db
    .selectFrom('auditLog')
    .select(['act', 'subject', 'outcome'])
    .where('operator', '=', person.email)
    .where('act', 'not like', 'session %')
    .orderBy('seq')
    .execute();
  return rows.map(({ act, subject, outcome }) => `${act}: ${subject}: ${outcome}`);
}

const statusOf = async (requestId: string): Promise<string> => {
  const { status } = await server.ctx.db
    .selectFrom('operatorCommands')
    .select('status')
    .where('id', '=', BigInt(requestId.replace('command-', '')))
    .executeTakeFirstOrThrow();
  return status;
};

describe('[I23] an adjustment of the ledger', () => {
  it('takes two operators with the grant, and the digest of what was shown', async () => {
    const [asks, approves] = [await operatorWith('treasury'), await operatorWith('treasury')];
    const looks = await operatorWith('look', 'markets', 'support');
    const trader = await venue.trader({ usdt: '100' });
    const terms = { from: String(trader.accountId), to: 'fees', coin: 'usdt', amount: '5' };
    expect(
      codeOf(await asks.post('/ledger/adjust', { ...terms, reason: 'A fee.' }, '000000')),
    ).toBe('3009');
    const asked = resultOf<Requested>(
      await asks.post('/ledger/adjust', { ...terms, reason: 'A fee.' }),
    );
    expect(asked.status).toBe('awaiting_approval');
    const waiting = resultOf<Pending[]>(await looks.get('/pending'));
    const shown = waiting.find(({ requestId }) => requestId === asked.requestId);
    expect(shown).toMatchObject({ digest: asked.digest, requestedBy: asks.person.email });

    const decision = { requestId: asked.requestId, digest: asked.digest };
    for (let twice = 0; twice < 2; twice += 1) {
      expect(codeOf(await asks.post('/approve', decision))).toBe('9002');
    }
    const without = await looks.post('/approve', decision);
    expect([codeOf(without), without.body.error?.details]).toEqual(['3008', { grant: 'treasury' }]);
    const changed = { ...decision, digest: 'f'.repeat(64) };
    expect(codeOf(await approves.post('/approve', changed))).toBe('9004');
    expect(codeOf(await approves.post('/approve', decision, '000000'))).toBe('3009');
    expect(await statusOf(asked.requestId)).toBe('awaiting_approval');

    expect(resultOf<Requested>(await approves.post('/approve', decision)).status).toBe('done');
    expect(codeOf(await approves.post('/approve', decision))).toBe('9003');
    expect(codeOf(await approves.post('/reject', decision))).toBe('9003');
    const subject = `5 usdt from ${trader.accountId} to fees`;
    expect(await notesOf(asks)).toEqual([
      `ledger credit: ${subject}: awaiting_approval`,
      `approve: command ${asked.requestId.slice(8)}: denied`,
      `approve: command ${asked.requestId.slice(8)}: denied`,
      `ledger credit: ${subject}: done`,
    ]);
    expect(await notesOf(approves)).toContain(`ledger credit: ${subject}: approved`);
  }, 120_000);

  it('can be rejected, also by who asked, and then is never carried out', async () => {
    const [asks, other] = [await operatorWith('treasury'), await operatorWith('everything')];
    const terms = { to: 'fees', coin: 'usdt', amount: '1', reason: 'A mistake.' };
    for (const by of [asks, other]) {
      const asked = resultOf<Requested>(await asks.post('/ledger/adjust', terms));
      const decision = { requestId: asked.requestId, digest: asked.digest };
      expect(resultOf<Requested>(await by.post('/reject', decision)).status).toBe('withdrawn');
      expect(codeOf(await other.post('/approve', decision))).toBe('9003');
    }
  }, 120_000);

  it('waits for a day', async () => {
    const [asks, approves] = [await operatorWith('treasury'), await operatorWith('treasury')];
    const terms = { to: 'fees', coin: 'usdt', amount: '1', reason: 'Late.' };
    const { requestId, digest } = resultOf<Requested>(await asks.post('/ledger/adjust', terms));
    await server.owner.query(
      `UPDATE operator_commands SET created_at = created_at - interval '24 hours' WHERE id = $1`,
      [requestId.slice(8)],
    );
    expect(codeOf(await approves.post('/approve', { requestId, digest }))).toBe('9003');
    const waiting = resultOf<Pending[]>(await asks.get('/pending'));
    expect(waiting.find((one) => one.requestId === requestId)?.status).toBe('expired');
  }, 120_000);
});

describe('[I23] a grant', () => {
  it('is asked for by one, approved by another, and by neither for themselves', async () => {
    const [first, second, third] = [
      await operatorWith('everything'),
      await operatorWith('everything'),
      await operatorWith('everything'),
    ];
    const mia = await examplePerson(server.ctx);
    const ask = (by: Operating, email: string) =>
      by.post('/grant/request', { email, grant: 'support', reason: 'New desk.' });
    expect(codeOf(await ask(first, first.person.email))).toBe('9002');
    expect(codeOf(await ask(first, 'nobody@example.com'))).toBe('9006');
    const { requestId, digest } = resultOf<Requested>(await ask(first, mia.email));
    const decision = { requestId, digest };
    expect(codeOf(await first.post('/approve', decision))).toBe('9002');
    expect(codeOf(await second.post('/approve', { requestId, digest: '0'.repeat(64) }))).toBe(
      '9004',
    );
    const own = resultOf<Requested>(await ask(first, third.person.email));
    expect(codeOf(await third.post('/approve', own as unknown as Params))).toBe('2004');
    const { requestId: ownId, digest: ownDigest } = own;
    expect(codeOf(await third.post('/approve', { requestId: ownId, digest: ownDigest }))).toBe(
      '9002',
    );
    const given = resultOf<{ email: string }[]>(await second.get('/grants'));
    expect(given.some(({ email }) => email === mia.email)).toBe(false);
    expect(resultOf<Requested>(await second.post('/approve', decision)).status).toBe('approved');
    expect(codeOf(await third.post('/approve', decision))).toBe('9003');
    const revoke = { email: mia.email, grant: 'support', reason: 'Left.' };
    resultOf(await third.post('/grant/revoke', revoke));
    expect(codeOf(await third.post('/grant/revoke', revoke))).toBe('9008');
  }, 120_000);
});

describe('the reason of a halt', () => {
  it('is public while an operator holds a market still, and not after', async () => {
    const operator = await operatorWith('markets');
    const move = async (phase: string, reason: string) =>
      resultOf<Requested>(
        await operator.post('/market/phase', { symbol: 'btcusdt', phase, reason }),
      ).status;
    const seen = async () => {
      const answer = await send(`${server.baseUrl}/public/markets?symbol=btcusdt`);
      const [market] = resultOf<{ phase: string; phaseReason: string }[]>(answer);
      return `${market?.phase}: ${market?.phaseReason}`;
    };
    const within = { timeout: 10_000 };
    expect(await move('halted', 'A <b>feed</b> is late.')).toBe('done');
    await expect.poll(seen, within).toBe('halted: A <b>feed</b> is late.');
    expect(await move('cancel_only', 'Orders can go.')).toBe('done');
    await expect.poll(seen, within).toBe('cancel_only: Orders can go.');
    // Words about an opening are for the audit log alone.
    expect(await move('continuous', 'Mia has looked at it.')).toBe('done');
    await expect.poll(seen, within).toBe('continuous: ');
  }, 120_000);

  it('is not that of a broken rule, which operators alone are told', async () => {
    const { db } = server.ctx;
    const command = JSON.stringify({ type: 'set_phase', symbol: 'ethusdt', phase: 'halted' });
    const halt = { symbol: 'ethusdt', command, by: 'auditor', reason: 'a rule is broken' } as const;
    expect(await insertHaltCommand(db, halt)).toBe(true);
    ringEngine(server.ctx);
    const seen = async () => {
      const answer = await send(`${server.baseUrl}/public/markets?symbol=ethusdt`);
      return resultOf<{ phase: string; phaseReason: string }[]>(answer)[0];
    };
    const within = { timeout: 10_000 };
    await expect.poll(seen, within).toMatchObject({ phase: 'halted', phaseReason: '' });
    await venue.setPhase('ethusdt', 'continuous');
  }, 120_000);
});

describe('support and markets', () => {
  it('do what the command line does, and write it down', async () => {
    const operator = await operatorWith('support', 'markets');
    const trader = await venue.trader({ usdt: '100' });
    const account = String(trader.accountId);
    const act = async (path: string, params: Params) =>
      resultOf<Requested>(await operator.post(path, { reason: 'For a test.', ...params })).status;
    expect(await act('/account/suspend', { account })).toBe('done');
    expect(await act('/account/resume', { account })).toBe('done');
    expect(await act('/account/cancel_orders', { account })).toBe('done');
    expect(await act('/market/phase', { symbol: 'btcusdt', phase: 'halted' })).toBe('done');
    expect(await act('/market/phase', { symbol: 'btcusdt', phase: 'continuous' })).toBe('done');
    expect(await act('/market/cancel_orders', { symbol: 'btcusdt' })).toBe('done');
    expect(
      await act('/network/status', { coin: 'btc', network: 'BTC', depositStatus: 'paused' }),
    ).toBe('done');
    const plain = async (path: string, params: Params) =>
      resultOf<Requested>(await operator.post(path, params)).status;
    expect(await plain('/market/update', { symbol: 'btcusdt', priceBandPercent: '15' })).toBe(
      'done',
    );
    expect(await plain('/coin/upsert', { symbol: 'doge', nameEn: 'Doge', nameFa: 'دوج' })).toBe(
      'done',
    );
    expect(
      await plain('/fees/define', { tier: '1', makerMillionths: '800', takerMillionths: '1200' }),
    ).toBe('done');
    expect(await act('/fees/set_tier', { account, tier: '1' })).toBe('done');
    resultOf(await operator.post('/fees/unpin', { account, reason: 'For a test.' }));
    expect(await notesOf(operator)).toEqual(
      expect.arrayContaining([
        `account suspend: account ${account}: requested`,
        `account suspend: account ${account}: done`,
        'market phase: btcusdt: done',
        'coin add: btc: done',
        `fees set_tier: account ${account}: done`,
      ]),
    );
    expect(resultOf<unknown[]>(await operator.get('/audit', { limit: '5' }))).toHaveLength(5);
    expect(resultOf(await operator.get('/account', { account }))).toMatchObject({ account });
  }, 240_000);

  it('help people: sessions, keys and tries', async () => {
    const operator = await operatorWith('support');
    const trader = await venue.trader({});
    const mia = await examplePerson(server.ctx);
    const { email } = mia;
    await openSession(
      server.ctx,
      mia,
      { address: '127.0.0.1', agent: 'test' },
      { methods: ['password'], isFresh: true },
    );
    const reason = 'Lost laptop.';
    expect(resultOf(await operator.post('/person/end_sessions', { email, reason }))).toEqual({
      email,
      sessions: '1',
    });
    resultOf(await operator.post('/person/end_sessions', { email, reason }));
    resultOf(await operator.post('/person/revoke_chat_key', { email, reason }));
    resultOf(await operator.post('/person/clear_tries', { email }));
    const { keyId } = trader;
    resultOf(await operator.post('/person/revoke_trading_key', { keyId, reason }));
    expect(codeOf(await operator.post('/person/revoke_trading_key', { keyId, reason }))).toBe(
      '7003',
    );
    expect(resultOf(await operator.get('/person', { email }))).toMatchObject({ email, keys: [] });
    const { body } = await server.ctx.metrics.render();
    expect(body).not.toMatch(/rialto_audit_forgotten_total\{[^}]*admin/);
    expect((await verifyAuditLog(server.ctx.db)).trouble).toBeUndefined();
  }, 120_000);

  it('treasury reconciles', async () => {
    const operator = await operatorWith('treasury');
    const { isCovered } = resultOf<{ isCovered: boolean }>(await operator.post('/reconcile'));
    expect(isCovered).toBe(true);
  }, 60_000);
});
