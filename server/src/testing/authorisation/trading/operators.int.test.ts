// Calls every route of the administration as every kind of operator. What is expected is written by hand, independently of
// the declarations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRANTS, type Grant } from '../../../accounts/operators/grants.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { endOwnSessions, openSession } from '../../../accounts/sessions/actions.ts';
import { ADMIN_ROUTES } from '../../../trading/administration/list.ts';
import { examplePerson, type Person } from '../../example.ts';
import { addExampleFactor, exampleOperator, grantTo } from '../../operators.ts';
import { startTestServer, type TestServer } from '../../server.ts';
import { send, type TradingAnswer } from '../../trader.ts';

type Params = Readonly<Record<string, string>>;

const DIGEST = '0'.repeat(64);
const REASON = { reason: 'For the matrix.' };
const NOBODY = { email: 'nobody@example.com' };

/** The grant that a route takes, what must be proved again, and parameters that change nothing. */
const TAKES: Readonly<
  Record<string, readonly [grant: Grant, level: 'fresh' | 'each', params: Params]>
> = {
  adminDocument: ['look', 'fresh', {}],
  adminPending: ['look', 'fresh', {}],
  adminGrants: ['look', 'fresh', {}],
  adminAccount: ['look', 'fresh', { account: '999999' }],
  adminPerson: ['look', 'fresh', NOBODY],
  adminAudit: ['look', 'fresh', { limit: '1' }],
  adminMarketCreate: [
    'markets',
    'fresh',
    {
      base: 'btc',
      quote: 'usdt',
      basePrecision: '18',
      quotePrecision: '18',
      minimumQuoteSize: '1',
      maxMarketOrderAsk: '1',
      maxMarketOrderBid: '1',
      listingPrice: '1',
    },
  ],
  adminMarketUpdate: ['markets', 'fresh', { symbol: 'nosuch' }],
  adminMarketPhase: ['markets', 'fresh', { symbol: 'nosuch', phase: 'delisted', ...REASON }],
  adminMarketCancelOrders: ['markets', 'fresh', { symbol: 'nosuch', ...REASON }],
  adminCoinUpsert: ['markets', 'fresh', { symbol: '!', nameEn: '!', nameFa: '!' }],
  adminNetworkStatus: ['markets', 'fresh', { coin: 'nosuch', network: 'X', ...REASON }],
  adminFeesDefine: ['markets', 'fresh', { tier: '1', makerMillionths: '-5', takerMillionths: '1' }],
  adminFeesSetTier: ['markets', 'fresh', { account: '999999', tier: '0', ...REASON }],
  adminFeesUnpin: ['markets', 'fresh', { account: '999999', ...REASON }],
  adminAccountSuspend: ['support', 'fresh', { account: '999999', ...REASON }],
  adminAccountResume: ['support', 'fresh', { account: '999999', ...REASON }],
  adminAccountCancelOrders: ['support', 'fresh', { account: '999999', ...REASON }],
  adminPersonEndSessions: ['support', 'fresh', { ...NOBODY, ...REASON }],
  adminPersonRevokeTradingKey: ['support', 'fresh', { keyId: 'svc_key_none', ...REASON }],
  adminPersonRevokeChatKey: ['support', 'fresh', { ...NOBODY, ...REASON }],
  adminPersonClearTries: ['support', 'fresh', NOBODY],
  adminRecoveryList: ['look', 'fresh', {}],
  adminRecoveryAsk: ['support', 'each', { ...NOBODY, ...REASON }],
  adminRecoveryApprove: ['support', 'each', { id: '999999' }],
  adminRecoveryCancel: ['support', 'each', { id: '999999' }],
  adminLedgerAdjust: ['treasury', 'each', { to: 'fees', coin: 'btc', amount: '1', ...REASON }],
  adminReconcile: ['treasury', 'each', {}],
  adminWithdrawals: ['look', 'fresh', {}],
  adminCustody: ['look', 'fresh', {}],
  adminCustodyNetworks: ['look', 'fresh', {}],
  adminCustodyPause: ['treasury', 'fresh', { network: 'NOSUCH', ...REASON }],
  adminCustodyResume: ['treasury', 'each', { network: 'NOSUCH', ...REASON }],
  adminCustodyTiers: ['look', 'fresh', {}],
  adminCustodyStops: ['look', 'fresh', {}],
  adminCustodyReports: ['look', 'fresh', {}],
  adminCustodyReconcile: ['treasury', 'fresh', {}],
  adminReservesPublish: ['treasury', 'each', {}],
  adminWithdrawApprove: ['treasury', 'each', { withdrawId: 'W999999' }],
  adminDepositReverse: ['treasury', 'each', { depositId: 'D999999', ...REASON }],
  adminWithdrawReject: ['treasury', 'each', { withdrawId: 'W999999', ...REASON }],
  adminPayments: ['look', 'fresh', {}],
  adminPaymentBump: ['treasury', 'each', { paymentId: 'P999999' }],
  adminPaymentResolve: ['treasury', 'each', { paymentId: 'P999999', way: 'retry', ...REASON }],
  adminPaymentRequest: ['treasury', 'fresh', { paymentId: 'P999999' }],
  adminPaymentSign: [
    'treasury',
    'each',
    {
      paymentId: 'P999999',
      key: `ed25519:${'A'.repeat(43)}=`,
      signature: `${'A'.repeat(86)}==`,
    },
  ],
  adminGrantRequest: ['everything', 'each', { ...NOBODY, grant: 'look', ...REASON }],
  adminGrantRevoke: ['everything', 'each', { ...NOBODY, grant: 'look', ...REASON }],
  adminApprove: ['look', 'each', { requestId: 'grant-999', digest: DIGEST }],
  adminReject: ['look', 'each', { requestId: 'command-999', digest: DIGEST }],
};

/** Which grants open what takes the one at the left. */
const OPENED_BY: Readonly<Record<Grant, readonly Grant[]>> = {
  look: ['look', 'support', 'markets', 'treasury', 'everything'],
  support: ['support', 'everything'],
  markets: ['markets', 'everything'],
  treasury: ['treasury', 'everything'],
  everything: ['everything'],
};

interface Browser {
  readonly person: Person;
  ask(
    name: string,
    changes?: { headers?: Record<string, string>; params?: Params },
  ): Promise<TradingAnswer>;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { TRADING_RATE_LIMIT: '100000' } });
});
afterAll(() => server.close());

async function browserOf(person: Person, isFresh = true): Promise<Browser> {
  const { ctx, origin } = server;
  const visitor = { address: '127.0.0.1', agent: 'test' };
  const proven = { methods: ['password', 'totp'], isFresh } as const;
  const { token, csrfToken } = await openSession(ctx, person, visitor, proven);
  return {
    person,
    ask(name, { headers = {}, params = TAKES[name]?.[2] ?? {} } = {}) {
      const route = ADMIN_ROUTES.find((one) => one.name === name);
      if (route === undefined) throw new Error(`There is no route ${name}.`);
      const url = `${origin}/json/v1/admin${route.path}`;
      const sent = { cookie: `sessionid=${token}`, 'x-csrftoken': csrfToken, ...headers };
      const text = new URLSearchParams(params);
      if (route.method === 'GET') return send(`${url}?${text.toString()}`, { headers: sent });
      return send(url, { method: 'POST', body: text, headers: sent });
    },
  };
}

async function operatorWith(...grants: readonly Grant[]): Promise<Person> {
  const person = await examplePerson(server.ctx);
  await grantTo(server.ctx, person, ...grants);
  await addExampleFactor(server.ctx, person);
  return person;
}

const codeOf = ({ body }: TradingAnswer): string => body.error?.code ?? '';
const DOOR = new Set(['3001', '3008', '3009', '3010', '3012', '3013']);
/** What the door said: its code, or that it opened. */
const doorOf = (answer: TradingAnswer): string => {
  const code = codeOf(answer);
  expect(code).not.toBe('1000');
  return DOOR.has(code) ? code : 'open';
};
const NAMES = Object.keys(TAKES);

describe('[I6] every route of the administration', () => {
  it('is in the table, with its grant and its step-up', () => {
    const declared = ADMIN_ROUTES.map(({ name, grant, stepUp }) => `${name} ${grant} ${stepUp}`);
    const expected = Object.entries(TAKES).map(
      ([name, [grant, level]]) => `${name} ${grant} ${level}`,
    );
    expect(new Set(declared)).toEqual(new Set(expected));
    expect(declared).toHaveLength(expected.length);
  });

  it.each(GRANTS)('opens to %s as the table says', async (grant) => {
    const browser = await browserOf(await operatorWith(grant));
    const wrong: string[] = [];
    for (const [name, [needed, level]] of Object.entries(TAKES)) {
      const isOpen = OPENED_BY[needed].includes(grant);
      const expected = isOpen ? (level === 'each' ? '3009' : 'open') : '3008';
      const answer = await browser.ask(name);
      const door = doorOf(answer);
      if (door !== expected) wrong.push(`${name}: ${door}, not ${expected}`);
      const { details } = answer.body.error ?? {};
      if (door === '3008') expect(details).toEqual({ grant: needed });
      if (door === '3009') expect(details).toMatchObject({ level: 'each', enrol: false });
    }
    expect(wrong).toEqual([]);
  });

  it('is closed to people without a grant, whatever their role in the chat is, and to secrets', async () => {
    const owner = await exampleOperator(server.ctx, { role: ROLE.owner });
    await addExampleFactor(server.ctx, owner);
    const member = await examplePerson(server.ctx);
    await addExampleFactor(server.ctx, member);
    for (const person of [owner, member]) {
      const browser = await browserOf(person);
      for (const name of NAMES)
        expect([name, doorOf(await browser.ask(name))]).toEqual([name, '3008']);
    }
  });

  it('is closed to operators without a second factor', async () => {
    const person = await examplePerson(server.ctx);
    await grantTo(server.ctx, person, 'everything');
    const browser = await browserOf(person);
    for (const name of NAMES) {
      const answer = await browser.ask(name);
      expect([name, doorOf(answer)]).toEqual([name, '3009']);
      expect(answer.body.error?.details).toMatchObject({ enrol: true });
    }
  });

  it('is closed to a session that has shown no factor of late', async () => {
    const browser = await browserOf(await operatorWith('everything'), false);
    for (const name of NAMES) {
      const answer = await browser.ask(name);
      expect([name, doorOf(answer)]).toEqual([name, '3009']);
      expect(answer.body.error?.details).toMatchObject({ level: TAKES[name]?.[1], enrol: false });
    }
  });

  it('is closed without a session, with one that has ended, and to keys', async () => {
    const person = await operatorWith('everything');
    const browser = await browserOf(person);
    for (const name of NAMES) {
      const stranger = await browser.ask(name, { headers: { cookie: '' } });
      expect([name, doorOf(stranger)]).toEqual([name, '3012']);
      const basic = await browser.ask(name, {
        headers: { cookie: '', authorization: person.basic },
      });
      expect([name, doorOf(basic)]).toEqual([name, '3012']);
    }
    await endOwnSessions(server.ctx, person);
    for (const name of NAMES)
      expect([name, doorOf(await browser.ask(name))]).toEqual([name, '3012']);
  });

  it('[I4] is closed to requests that our pages did not make', async () => {
    const browser = await browserOf(await operatorWith('everything'));
    for (const { name, method } of ADMIN_ROUTES) {
      const elsewhere: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        ...(method === 'GET' ? [] : [{ 'x-csrftoken': '' }, { 'x-csrftoken': 'A'.repeat(43) }]),
      ];
      for (const headers of elsewhere) {
        const answer = await browser.ask(name, { headers });
        expect([name, headers, doorOf(answer)]).toEqual([name, headers, '3013']);
      }
    }
  });
});

describe('the rights of a session', () => {
  it('end with the grant, at once', async () => {
    const person = await operatorWith('support');
    const browser = await browserOf(person);
    expect(codeOf(await browser.ask('adminAccountSuspend'))).toBe('9007');
    await server.ctx.db.deleteFrom('operatorGrants').where('userId', '=', person.id).execute();
    expect(codeOf(await browser.ask('adminAccountSuspend'))).toBe('3008');
    expect(codeOf(await browser.ask('adminPending'))).toBe('3008');
  });

  it('that were missing are in the audit log', async () => {
    const browser = await browserOf(await operatorWith('look'));
    await browser.ask('adminLedgerAdjust');
    const row = await server.ctx.db
      .selectFrom('auditLog')
      .select(['act', 'subject', 'outcome'])
      .where('operator', '=', browser.person.email)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      act: 'ledger credit',
      subject: 'POST /json/v1/admin/ledger/adjust',
      outcome: 'denied',
    });
  });
});
