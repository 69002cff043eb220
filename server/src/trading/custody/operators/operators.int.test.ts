// What operators do with custody, on a real Litecoin node and with a real signer.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grant } from '../../../accounts/operators/grants.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { codeAt, stepAt } from '../../../accounts/second-factors/totp.ts';
import { openSession } from '../../../accounts/sessions/actions.ts';
import { hasLitecoind, startLitecoin } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import { examplePerson } from '../../../testing/example.ts';
import { exampleOperator, grantTo } from '../../../testing/operators.ts';
import { send } from '../../../testing/trader.ts';
import { pauseNetwork, rescanNetwork, resumeNetwork, sweepNetwork } from './networks.ts';
import { bumpPayment, resolvePayment } from './payments.ts';

const WAIT = { timeout: 30_000 };
const LONG = 240_000;

interface Reasoned {
  readonly reason: string;
}

describe.skipIf(!hasLitecoind)('operators of custody', () => {
  let venue: LitecoinVenue;
  let ana: Operator;
  let ben: Operator;
  beforeAll(async () => {
    const limits = { automaticMax: '30', oneOperatorMax: '40', familyDayMax: '80', batchMax: '8' };
    venue = await openLitecoinVenue({
      node: await startLitecoin({ replaces: true }),
      policy: { transactionMax: '20', hourMax: '90', dayMax: '100', approvalAbove: '9' },
      network: { withdrawals: { ltc: limits } },
    });
    ana = await exampleOperator(venue.world.ctx);
    ben = await exampleOperator(venue.world.ctx);
  }, LONG);
  afterAll(() => venue.close());

  const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await venue.world.server.owner.query(text, values)).rows as T[];

  const paymentOf = async (withdrawId: string) => {
    const [row] = await query<{ id: string; state: string; reason: string }>(
      `SELECT payment_id::text AS id, state, reason FROM custody_payments
         JOIN custody_payment_outputs USING (payment_id) WHERE withdraw_id = $1`,
      [withdrawId.slice(1)],
    );
    return row ?? { id: '0', state: '', reason: '' };
  };

  /** A browser of an operator with a grant, who shows a code for each act. */
  async function operatorWith(grant: Grant) {
    const { ctx, server } = venue.world;
    const person = await examplePerson(ctx);
    await grantTo(ctx, person, grant);
    const secret = randomBytes(20);
    const sealed = ctx.secrets.seal(`totp ${person.id}`, secret.toString('hex'));
    const factor = { userId: person.id, sealed, confirmedAt: new Date() };
    await ctx.db.insertInto('totpSecrets').values(factor).execute();
    const { token, csrfToken } = await openSession(
      ctx,
      person,
      { address: '127.0.0.1', agent: 'test' },
      { methods: ['password', 'totp'], isFresh: true },
    );
    const headers = { cookie: `sessionid=${token}`, 'x-csrftoken': csrfToken };
    return async (method: string, path: string, params: Record<string, string> = {}) => {
      // Codes are good once. A test does not wait half a minute for the next one.
      await ctx.db
        .updateTable('totpSecrets')
        .set({ lastStep: 0n })
        .where('userId', '=', person.id)
        .execute();
      const text = new URLSearchParams(params).toString();
      const url = `${server.origin}/json/v1/admin${path}`;
      const code = codeAt(secret, stepAt(Date.now() / 1000));
      const { body } =
        method === 'GET'
          ? await send(`${url}?${text}`, { headers })
          : await send(url, {
              method,
              body: new URLSearchParams(params),
              headers: { ...headers, 'x-svc-otp': code },
            });
      return body;
    };
  }

  it(
    'a pause holds deposits and payouts until operators end it',
    async () => {
      const { world, node } = venue;
      const owner = await venue.ownerWith('3');
      await pauseNetwork(world.ctx, ana, 'LTC', 'A new release of the node.');
      const state = async () => {
        const { body } = await send(`${world.server.baseUrl}/public/status`);
        return (body.result as { networks: unknown[] }).networks[0];
      };
      await expect
        .poll(state, WAIT)
        .toMatchObject({ depositStatus: 'paused', reason: 'operators' });
      const txid = await node.pay(await owner.trader.address('ltc'), '1');
      await node.mine(2);
      const [held] = await owner.trader.until(txid, 'held');
      expect(held).toMatchObject({ statusReason: 'paused' });
      await expect(owner.payOut('1')).rejects.toThrow();
      await resumeNetwork(world.ctx, ben, 'LTC');
      await owner.trader.until(txid, 'credited');
      await expect.poll(state, WAIT).toMatchObject({ depositStatus: 'active', reason: '' });
      const acts = await query<{ act: string; operator: string }>(
        "SELECT act, operator FROM audit_log WHERE act LIKE 'custody %' ORDER BY seq",
      );
      expect(acts).toEqual([
        { act: 'custody pause', operator: ana.email },
        { act: 'custody resume', operator: ben.email },
      ]);
      await expect(pauseNetwork(world.ctx, ana, 'DOGE', 'why')).rejects.toThrow(/no network/);
      await expect(sweepNetwork(world.ctx, ana, 'LTC')).rejects.toThrow(/no network/);
    },
    LONG,
  );

  it(
    'blocks that are read again bring what was not recorded, and nothing twice',
    async () => {
      const { world, node } = venue;
      const owner = await venue.ownerWith('2');
      const [deposit] = await owner.trader.deposits();
      // As if the coin had not been listed when the block came.
      await query('DELETE FROM custody_transfers WHERE txid = $1', [deposit?.txid]);
      expect(await owner.trader.deposits()).toEqual([]);
      const from = (await node.height()) - 20;
      await expect(rescanNetwork(world.ctx, ana, 'LTC', { from: 0 })).rejects.toThrow(
        /from 1 up to/,
      );
      await expect(rescanNetwork(world.ctx, ana, 'LTC', { from: 999_999 })).rejects.toThrow(
        /from 1 up to/,
      );
      const rescanned = async () => {
        await rescanNetwork(world.ctx, ana, 'LTC', { from });
        const left = 'SELECT rescan_from FROM custody_networks';
        await expect.poll(() => query(left), WAIT).toEqual([{ rescan_from: null }]);
      };
      await rescanned();
      await owner.trader.until(deposit?.txid ?? '', 'credited');
      const events = "SELECT count(*)::int AS n FROM event_log WHERE type = 'deposit'";
      const count = async () => (await query<{ n: number }>(events))[0]?.n;
      await expect.poll(count, WAIT).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = await count();
      await rescanned();
      expect(await owner.trader.balance('ltc')).toMatchObject({ total: '2', pendingDeposit: '0' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await count()).toBe(before);
    },
    LONG,
  );

  it(
    'a large payment is signed when enough operators have signed it, on machines of their own',
    async () => {
      const { signer, node } = venue;
      const owner = await venue.ownerWith('15');
      const treasury = await operatorWith('treasury');
      const looking = await operatorWith('look');
      const { withdrawId, address } = await owner.payOut('12');
      await venue.paying(async () => {
        await expect
          .poll(() => owner.find(withdrawId), WAIT)
          .toMatchObject({ status: 'signing', statusReason: 'operators_sign' });
        const { id } = await paymentOf(withdrawId);
        const paymentId = `P${id}`;
        const listed = await looking('GET', '/payments');
        expect(listed.result).toMatchObject([{ paymentId, state: 'signing', signatures: '0' }]);
        expect((await looking('GET', '/payment/request', { paymentId })).error?.code).toBe('3008');
        const { result } = await treasury('GET', '/payment/request', { paymentId });
        const { request } = result as { request: string };
        expect(JSON.parse(request)).toMatchObject({ outputs: [{ withdrawId, amount: '11.999' }] });
        const bring = (signed: { key: string; signature: string }) =>
          treasury('POST', '/payment/sign', { paymentId, ...signed });
        // What is signed for another payment is worth nothing.
        const foreign = await signer.approve('ben', request.replace(paymentId, 'P999'));
        expect((await bring(foreign)).error).toBeUndefined();
        const first = await signer.approve('ana', request);
        expect((await bring(first)).result).toEqual({ paymentId, signatures: '2' });
        expect((await bring(first)).error?.code).toBe('9002');
        await new Promise((resolve) => setTimeout(resolve, 1000));
        expect(await owner.find(withdrawId)).toMatchObject({ status: 'signing', txid: '' });
        await query('ALTER TABLE custody_signatures DISABLE TRIGGER USER');
        await query('DELETE FROM custody_signatures WHERE key = $1', [foreign.key]);
        await query('ALTER TABLE custody_signatures ENABLE TRIGGER USER');
        expect((await bring(await signer.approve('ben', request))).error).toBeUndefined();
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
        expect((await bring(first)).error?.code).toMatch(/^900/);
      });
      expect(await venue.received(address)).toBe('11.999');
    },
    LONG,
  );

  it(
    'a payment that the signer refuses for good is dropped by two operators, and its coins are free',
    async () => {
      const { world, signer, node } = venue;
      const owner = await venue.ownerWith('28');
      const { withdrawId } = await owner.payOut('25');
      await venue.paying(async () => {
        await owner.until(withdrawId, 'signing');
        await expect.poll(async () => (await paymentOf(withdrawId)).state, WAIT).toBe('signing');
      });
      const { id } = await paymentOf(withdrawId);
      const paymentId = BigInt(id);
      const resolve = (by: Operator, way: 'retry' | 'drop' | 'void') =>
        resolvePayment(world.ctx, by, paymentId, way, 'Above the ceiling of the signer.');
      // It may be signed at any moment.
      await expect(resolve(ana, 'drop')).rejects.toThrow(/may be signing/);
      const treasury = await operatorWith('treasury');
      const { result } = await treasury('GET', '/payment/request', { paymentId: `P${id}` });
      const { request } = result as { request: string };
      for (const name of ['ana', 'ben'] as const) {
        const signed = await signer.approve(name, request);
        await treasury('POST', '/payment/sign', { paymentId: `P${id}`, ...signed });
      }
      await venue.paying(() =>
        expect
          .poll(() => paymentOf(withdrawId), WAIT)
          .toMatchObject({ state: 'needs_operator', reason: expect.stringMatching(/^limit_/) }),
      );
      // Measured with the next look.
      const shown = async () => (await world.ctx.metrics.render()).body;
      await venue.paying(() =>
        expect
          .poll(shown, WAIT)
          .toMatch(/rialto_custody_payments\{[^}]*state="needs_operator"[^}]*\} 1\n/),
      );
      const body = await shown();
      const figure = (name: string, labels: string) =>
        expect(body).toMatch(new RegExp(`rialto_custody_${name}\\{[^}]*${labels}[^}]*\\} `));
      figure('oldest_unconfirmed_seconds', 'network="LTC"');
      figure('hot_balance', 'coin="ltc"');
      figure('scan_lag_seconds', 'network="LTC"');
      await expect(bumpPayment(world.ctx, ana, paymentId)).rejects.toThrow(/only what was sent/);
      await resolve(ana, 'retry');
      await venue.paying(() =>
        expect.poll(async () => (await paymentOf(withdrawId)).state, WAIT).toBe('needs_operator'),
      );
      expect(await resolve(ana, 'drop')).toEqual({ isDone: false, deciders: 1 });
      await expect(resolve(ana, 'drop')).rejects.toThrow();
      expect(await owner.find(withdrawId)).toMatchObject({ status: 'signing' });
      const decided = await treasury('GET', '/payments');
      expect(decided.result).toMatchObject([
        {
          paymentId: `P${id}`,
          withdrawIds: [withdrawId],
          decisions: [{ way: 'drop', email: ana.email }],
        },
      ]);
      // The second one over HTTP: it is the same act.
      const second = { paymentId: `P${id}`, way: 'drop', reason: 'As Ana says.' };
      expect((await treasury('POST', '/payment/resolve', second)).result).toEqual({
        paymentId: `P${id}`,
        way: 'drop',
        isDone: true,
        deciders: '2',
        decidersNeeded: '2',
      });
      const late = await treasury('POST', '/payment/resolve', { ...second, way: 'retry' });
      expect(late.error).toMatchObject({
        name: 'ACT_REFUSED',
        message: expect.stringContaining('has ended'),
      });
      const bump = await treasury('POST', '/payment/bump', { paymentId: `P${id}` });
      expect(bump.error).toMatchObject({
        name: 'ACT_REFUSED',
        message: expect.stringContaining('has ended'),
      });
      expect(await owner.until(withdrawId, 'rejected')).toMatchObject({
        statusReason: 'not_signed',
      });
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '28', pendingWithdraw: '0' });
      await expect(resolve(ana, 'void')).rejects.toThrow(/has ended/);
      const again = await owner.payOut('5');
      await venue.paying(async () => {
        await owner.until(again.withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(again.withdrawId, 'completed');
      });
    },
    LONG,
  );

  it(
    'what was signed is voided by two operators: the amount comes back, and nothing is paid',
    async () => {
      const { world, node } = venue;
      const owner = await venue.ownerWith('4');
      const { withdrawId, address } = await owner.payOut('3');
      // Signed, and no node has got it: the process stops before it sends.
      let looks = 0;
      const stopAfterSigning = (point: string) => {
        if (point === 'finished') looks += 1;
        if (point === 'finished' && looks > 2) throw new Error('stopped');
      };
      await venue.paying(() => owner.until(withdrawId, 'broadcasting'), {
        probe: stopAfterSigning,
      });
      const paymentId = BigInt((await paymentOf(withdrawId)).id);
      const resolve = (by: Operator, way: 'drop' | 'void') =>
        resolvePayment(world.ctx, by, paymentId, way, 'The address was reported as stolen.');
      await expect(resolve(ana, 'drop')).rejects.toThrow(/Void it/);
      await resolve(ana, 'void');
      await resolve(ben, 'void');
      await venue.paying(async () => {
        await expect
          .poll(async () => {
            await node.mine(1);
            return (await owner.find(withdrawId)).status;
          }, WAIT)
          .toBe('failed');
      });
      expect(await venue.received(address)).toBe('0');
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '4', pendingWithdraw: '0' });
    },
    LONG,
  );

  it(
    'what waits in the pool with a child is voided too, and the books agree',
    async () => {
      const { world, node } = venue;
      const owner = await venue.ownerWith('4');
      const { withdrawId, address } = await owner.payOut('3');
      const children = () =>
        query<{ state: string; reason: string }>(
          "SELECT state, reason FROM custody_payments WHERE kind = 'child' ORDER BY payment_id DESC LIMIT 1",
        );
      await venue.paying(async () => {
        await owner.until(withdrawId, 'confirming');
        const paymentId = BigInt((await paymentOf(withdrawId)).id);
        await bumpPayment(world.ctx, ana, paymentId);
        await expect.poll(children, WAIT).toMatchObject([{ state: 'confirming' }]);
        const pool = async () => (await node.call('getrawmempool', [])) as string[];
        expect(await pool()).toHaveLength(2);
        for (const by of [ana, ben]) await resolvePayment(world.ctx, by, paymentId, 'void', 'test');
        // The void replaces both.
        await expect.poll(pool, WAIT).toHaveLength(1);
        await node.mine(2);
        await owner.until(withdrawId, 'failed');
      });
      expect(await children()).toEqual([{ state: 'done', reason: 'failed' }]);
      expect(await venue.received(address)).toBe('0');
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '4', pendingWithdraw: '0' });
      await expect.poll(() => world.differences('LTC'), WAIT).toEqual({ ltc: 0n });
    },
    LONG,
  );

  it(
    'a bump pays more for what waits in the pool',
    async () => {
      const { world, node } = venue;
      const owner = await venue.ownerWith('4');
      const { withdrawId } = await owner.payOut('1');
      await venue.paying(async () => {
        await owner.until(withdrawId, 'confirming');
        const { id } = await paymentOf(withdrawId);
        await bumpPayment(world.ctx, ana, BigInt(id));
        const child =
          "SELECT state FROM custody_payments WHERE kind = 'child' ORDER BY payment_id DESC LIMIT 1";
        await expect.poll(() => query(child), WAIT).toEqual([{ state: 'confirming' }]);
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      });
    },
    LONG,
  );

  it(
    'a withdrawal that needs an approval leaves when an operator approves it over HTTP',
    async () => {
      const owner = await venue.ownerWith('3');
      const treasury = await operatorWith('treasury');
      const asked = await owner.ask<{ withdrawId: string }>('withdraw', {
        coin: 'ltc',
        amount: '1',
        address: await venue.newAddress(),
      });
      const { withdrawId } = asked;
      await owner.ask('withdraw_confirm', { withdrawId });
      await owner.until(withdrawId, 'awaiting_approval');
      const [person] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
        owner.trader.userId,
      ]);
      const listed = await treasury('GET', '/withdrawals');
      expect(listed.result).toMatchObject([
        {
          approvals: '0',
          approvedBy: [],
          ownerEmail: person?.email,
          because: ['not_in_book'],
          automaticMax: '30',
          oneOperatorMax: '40',
          address: { state: 'absent', label: '', addedAt: '', usableAt: '' },
          withdrawal: { withdrawId },
        },
      ]);
      const approved = await treasury('POST', '/withdraw/approve', { withdrawId });
      expect(approved.error).toBeUndefined();
      expect(approved.result).toMatchObject({
        approvals: '1',
        approvalsNeeded: '1',
        approvedBy: [{ email: expect.stringContaining('@') }],
        withdrawal: { status: 'queued' },
      });
      expect((await treasury('POST', '/withdraw/approve', { withdrawId })).error?.code).toBe(
        '9003',
      );
    },
    LONG,
  );

  it(
    'what the book knows of the address is told, and that its row was altered',
    async () => {
      const owner = await venue.ownerWith('33');
      const treasury = await operatorWith('treasury');
      const { withdrawId, address } = await owner.payOut('32');
      await owner.until(withdrawId, 'awaiting_approval');
      const shown = async () => {
        const { result } = await treasury('GET', '/withdrawals');
        const all = result as { withdrawal: { withdrawId: string } }[];
        return all.find(({ withdrawal }) => withdrawal.withdrawId === withdrawId);
      };
      const known = { label: expect.any(String), addedAt: expect.stringMatching(/^[0-9]{13}$/) };
      expect(await shown()).toMatchObject({
        because: ['amount'],
        address: { state: 'present', ...known },
      });
      await query('ALTER TABLE withdraw_addresses DISABLE TRIGGER USER');
      await query('UPDATE withdraw_addresses SET removed_at = now() WHERE address = $1', [address]);
      expect(await shown()).toMatchObject({ address: { state: 'removed', ...known } });
      await query(
        "UPDATE withdraw_addresses SET usable_at = usable_at - interval '1 day' WHERE address = $1",
        [address],
      );
      await query('ALTER TABLE withdraw_addresses ENABLE TRIGGER USER');
      expect(await shown()).toMatchObject({ address: { state: 'altered' } });
      const reason = 'The row of the address was altered.';
      expect((await treasury('POST', '/withdraw/reject', { withdrawId })).error?.name).toBe(
        'PARAMETER_MISSING',
      );
      const rejected = await treasury('POST', '/withdraw/reject', { withdrawId, reason });
      expect(rejected.result).toMatchObject({ withdrawal: { status: 'rejected' } });
      await expect
        .poll(() => owner.trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '33', pendingWithdraw: '0' });
    },
    LONG,
  );

  it(
    'networks are looked at, paused and resumed over HTTP, and hot wallets are as the payer measured them',
    async () => {
      const treasury = await operatorWith('treasury');
      const network = async () =>
        ((await treasury('GET', '/custody/networks')).result as unknown[])[0];
      expect(await network()).toMatchObject({
        network: 'LTC',
        status: 'active',
        reason: '',
        heldReason: '',
        lagBlocks: expect.stringMatching(/^[0-9]+$/),
        rescanFrom: '',
      });
      const asked = { network: 'LTC', reason: 'A drill.' };
      expect((await treasury('POST', '/custody/pause', { network: 'LTC' })).error?.name).toBe(
        'PARAMETER_MISSING',
      );
      const other = await treasury('POST', '/custody/pause', { ...asked, network: 'DOGE' });
      expect(other.error).toMatchObject({
        name: 'PARAMETER_INVALID',
        message: expect.stringContaining('no network'),
      });
      // Twice is the same as once; the newer reason stands.
      for (const reason of ['First.', asked.reason]) {
        const { result } = await treasury('POST', '/custody/pause', { ...asked, reason });
        expect(result).toEqual({ network: 'LTC', isHeld: true });
      }
      expect(await network()).toMatchObject({
        status: 'paused',
        reason: 'operators',
        heldReason: 'A drill.',
      });
      const resumed = await treasury('POST', '/custody/resume', { ...asked, reason: 'Over.' });
      expect(resumed.result).toEqual({ network: 'LTC', isHeld: false });
      expect(await network()).toMatchObject({ status: 'active', heldReason: '' });
      const acts = await query<{ act: string; details: string }>(
        "SELECT act, details FROM audit_log WHERE act LIKE 'custody %' ORDER BY seq DESC LIMIT 2",
      );
      expect(
        acts.map(({ act, details }) => [act, (JSON.parse(details) as Reasoned).reason]),
      ).toEqual([
        ['custody resume', 'Over.'],
        ['custody pause', 'A drill.'],
      ]);
      expect((await treasury('GET', '/custody/tiers')).result).toMatchObject([
        {
          network: 'LTC',
          coin: 'ltc',
          hot: expect.stringMatching(/^[0-9]+(\.[0-9]+)?$/),
          measuredAt: expect.stringMatching(/^[0-9]{13}$/),
          floor: '',
          state: 'unbounded',
        },
      ]);
      expect((await treasury('GET', '/custody/stops')).result).toEqual([]);
      // The console asks once for all of it.
      expect((await treasury('GET', '/custody')).result).toEqual({
        networks: [expect.objectContaining({ network: 'LTC' })],
        withdrawals: [],
        payments: [],
        tiers: [expect.objectContaining({ state: 'unbounded' })],
        reports: [expect.objectContaining({ coin: 'ltc', outcome: 'equal' })],
        stops: [],
      });
      const nobody = await treasury('POST', '/payment/bump', { paymentId: 'P999999' });
      expect(nobody.error).toMatchObject({
        name: 'PARAMETER_INVALID',
        message: expect.stringContaining('no payment'),
      });
      const way = { paymentId: 'P999999', way: 'forget', reason: 'why' };
      expect((await treasury('POST', '/payment/resolve', way)).error?.name).toBe(
        'PARAMETER_INVALID',
      );
    },
    LONG,
  );
});
