// Recoveries over HTTP: two operators with real codes, neither of them the person, and what the audit log keeps of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../accounts/audit/access.ts';
import type { Grant } from '../../accounts/operators/grants.ts';
import { openSession } from '../../accounts/sessions/actions.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { giveTotp } from '../../testing/factors.ts';
import { startMailCatcher, type MailCatcher } from '../../testing/mail-catcher.ts';
import { grantTo } from '../../testing/operators.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { send, type TradingAnswer } from '../../testing/trader.ts';
import { codeOf, resultOf } from '../../testing/trading/desk.ts';

type Params = Readonly<Record<string, string>>;

interface Operating {
  readonly person: Person;
  get(path: string): Promise<TradingAnswer>;
  /** With the next code of their app, unless `otp` says otherwise. */
  post(path: string, params: Params, otp?: string): Promise<TradingAnswer>;
}

interface Recovery {
  readonly id: string;
  readonly state: string;
  readonly usableAt: string;
}

const REASON = 'Seen in person, passport.';
const HOUR_MS = 3_600_000;

let mail: MailCatcher;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, TRADING_RATE_LIMIT: '100000' },
    withJobs: true,
  });
}, 240_000);
afterAll(async () => {
  await server.close();
  await mail.close();
});

/** A person with grants and an authenticator, signed in. */
async function operatorWith(...grants: readonly Grant[]): Promise<Operating> {
  const { ctx, origin } = server;
  const person = await examplePerson(ctx);
  await grantTo(ctx, person, ...grants);
  const app = await giveTotp(ctx, person);
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
    get: (path) => send(url(path), { headers }),
    async post(path, params, otp) {
      const body = new URLSearchParams(params);
      const sent = { ...headers, 'x-svc-otp': otp ?? (await app.next()) };
      return send(url(path), { method: 'POST', body, headers: sent });
    },
  };
}

async function shownTo(operator: Operating, id: string): Promise<Recovery | undefined> {
  const listed = resultOf<Recovery[]>(await operator.get('/recovery/list'));
  return listed.find((one) => one.id === id);
}

async function notesOf({ person }: Operating) {
  const rows = await server.ctx.db
    .selectFrom('auditLog')
    .select(['act', 'subject', 'outcome', 'details'])
    .where('operator', '=', person.email)
    .where('act', 'like', 'recovery %')
    .orderBy('seq')
    .execute();
  return rows.map(({ details, ...row }) => ({
    ...row,
    details: JSON.parse(details) as Record<string, unknown>,
  }));
}

describe('[I25] a recovery over HTTP', () => {
  it('is asked for by one operator, approved by another, and waits; each act takes a code', async () => {
    const [asks, approves] = [await operatorWith('support'), await operatorWith('support')];
    const looks = await operatorWith('look');
    const ada = await examplePerson(server.ctx);
    const terms = { email: ada.email, reason: REASON };

    expect(codeOf(await asks.post('/recovery/ask', terms, '000000'))).toBe('3009');
    const asked = resultOf<Recovery>(await asks.post('/recovery/ask', terms));
    const { id } = asked;
    expect(asked).toEqual({ id: expect.stringMatching(/^[1-9]\d*$/) as string, state: 'asked' });
    expect((await mail.next(ada.email)).subject).toBe('Recovery of your account was asked for');
    expect(await shownTo(looks, id)).toEqual({
      id,
      email: ada.email,
      state: 'asked',
      reason: REASON,
      askedBy: asks.person.email,
      askedAt: expect.stringMatching(/^\d{13}$/) as string,
      approvedBy: '',
      usableAt: '',
      expiresAt: expect.stringMatching(/^\d{13}$/) as string,
    });

    expect(codeOf(await approves.post('/recovery/approve', { id }, ''))).toBe('3009');
    const approved = resultOf<Recovery>(await approves.post('/recovery/approve', { id }));
    expect(approved).toMatchObject({ id, state: 'waiting' });
    expect((await mail.next(ada.email)).subject).toBe('Recovery of your account was approved');
    const { rows } = await server.owner.query<{ state: string; hours: number }>(
      `SELECT state, extract(epoch FROM usable_at - approved_at)::float8 / 3600 AS hours
         FROM recoveries WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ state: 'waiting', hours: 72 }]);
    expect(Number(approved.usableAt)).toBeGreaterThan(Date.now() + 71 * HOUR_MS);
    expect(await shownTo(asks, id)).toMatchObject({
      state: 'waiting',
      approvedBy: approves.person.email,
      usableAt: approved.usableAt,
    });

    const common = { userId: ada.id, recoveryId: id, via: 'session', from: '127.0.0.1' };
    expect(await notesOf(asks)).toEqual([
      {
        act: 'recovery ask',
        subject: ada.email,
        outcome: 'done',
        details: expect.objectContaining({
          ...common,
          by: asks.person.id,
          reason: REASON,
        }) as unknown,
      },
    ]);
    expect(await notesOf(approves)).toEqual([
      {
        act: 'recovery approve',
        subject: ada.email,
        outcome: 'done',
        details: expect.objectContaining({
          ...common,
          by: approves.person.id,
          waitHours: 72,
          request: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+$/) as string,
        }) as unknown,
      },
    ]);
  }, 240_000);

  it('is refused to one operator twice and to the person, and that is in the audit log', async () => {
    const asks = await operatorWith('everything');
    const ada = await operatorWith('support');
    const own = { email: ada.person.email, reason: REASON };
    expect(codeOf(await ada.post('/recovery/ask', own))).toBe('9002');
    const { id } = resultOf<Recovery>(await asks.post('/recovery/ask', own));
    const twice = await asks.post('/recovery/approve', { id });
    expect([twice.status, codeOf(twice)]).toEqual([403, '9002']);
    expect(codeOf(await ada.post('/recovery/approve', { id }))).toBe('9002');
    expect(await shownTo(asks, id)).toMatchObject({ state: 'asked', approvedBy: '' });
    const denied = { outcome: 'denied', details: { refusal: 'SAME_PERSON', via: 'session' } };
    const approval = { act: 'recovery approve', subject: `recovery ${id}`, ...denied };
    expect((await notesOf(asks)).at(-1)).toEqual(approval);
    expect(await notesOf(ada)).toEqual([
      { act: 'recovery ask', subject: ada.person.email, ...denied },
      approval,
    ]);
  }, 240_000);

  it('is canceled by one operator, once; what is not under way is refused', async () => {
    const [asks, cancels] = [await operatorWith('support'), await operatorWith('support')];
    const ada = await examplePerson(server.ctx);
    const terms = { email: ada.email, reason: REASON };
    const { id } = resultOf<Recovery>(await asks.post('/recovery/ask', terms));
    const again = await cancels.post('/recovery/ask', terms);
    expect([codeOf(again), again.body.error?.details]).toEqual([
      '9008',
      { refusal: 'RECOVERY_OPEN' },
    ]);
    expect(resultOf(await cancels.post('/recovery/cancel', { id }))).toEqual({
      id,
      state: 'canceled',
    });
    const late = await operatorWith('support');
    expect(codeOf(await late.post('/recovery/cancel', { id }))).toBe('9003');
    expect(codeOf(await late.post('/recovery/approve', { id }))).toBe('9003');
    const lost = await operatorWith('support');
    expect(codeOf(await lost.post('/recovery/approve', { id: '999999' }))).toBe('9003');
    const nobody = { email: 'nobody@example.com', reason: REASON };
    expect(codeOf(await lost.post('/recovery/ask', nobody))).toBe('9006');
    // Refused before a code is spent.
    for (const wrong of ['0', '-1', '1.5', '1'.repeat(19)]) {
      expect(codeOf(await lost.post('/recovery/cancel', { id: wrong }, '000000'))).toBe('2002');
    }
    const long = { ...terms, reason: 'x'.repeat(501) };
    expect(codeOf(await lost.post('/recovery/ask', long, '000000'))).toMatch(/^200[23]$/);
    expect((await notesOf(cancels)).map(({ act, outcome }) => `${act}: ${outcome}`)).toEqual([
      'recovery ask: denied',
      'recovery cancel: done',
    ]);
    const { body } = await server.ctx.metrics.render();
    expect(body).not.toMatch(/rialto_audit_forgotten_total\{[^}]*admin/);
    expect((await verifyAuditLog(server.ctx.db)).trouble).toBeUndefined();
  }, 240_000);
});
