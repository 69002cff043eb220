// Withdrawals from the request to the queue: who may ask, who must agree, and what the ledger holds meanwhile. The coins
// come from a real chain; paying them out is another part.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { openWorld, type CustodyTrader, type CustodyWorld } from '../../../testing/chains/world.ts';
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { signIn, type SignedIn } from '../../../testing/session.ts';
import type { TradingAnswer } from '../../../testing/trader.ts';
import { codeOf, resultOf } from '../../../testing/trading/desk.ts';
import type { AddressBookEntry } from '../address-book/shapes.ts';
import { approveWithdrawal, listAwaiting, rejectWithdrawal } from './approvals.ts';
import { withdrawalIdOf, type Withdrawal, type WithdrawQuote } from './shapes.ts';
import { lookAtWithdrawals } from './worker.ts';

const HOUR_MS = 3600 * 1000;
const WAIT = { timeout: 20_000 };

interface Owner {
  readonly trader: CustodyTrader;
  readonly session: SignedIn;
  /** With a key that may withdraw. */
  withdraw(params: Record<string, string>): Promise<TradingAnswer>;
  /** With a browser. */
  ask(method: string, verb: string, params: Record<string, string>): Promise<TradingAnswer>;
  /** Adds an address to the book. */
  trust(address: string): Promise<string>;
}

describe.skipIf(!hasLitecoind)('withdrawals', () => {
  let node: LitecoinNode;
  let world: CustodyWorld;
  let offsetMs = 0;
  const outside = async () => String(await node.call('getnewaddress', ['', 'bech32']));

  beforeAll(async () => {
    node = await startLitecoin();
    world = await openWorld(
      [
        {
          network: 'LTC',
          chain: 'litecoin-regtest',
          publicKey: extendedPublicKey(ABANDON, "m/84'/2'/0'"),
          nodes: [node.url],
          blockSeconds: 3600,
          withdrawals: {
            ltc: { automaticMax: '1', oneOperatorMax: '5', familyDayMax: '20', batchMax: '10' },
          },
        },
      ],
      {},
      { stepUp: async () => {}, clock: { now: () => Date.now() + offsetMs } },
    );
    await world.list('ltc', 'LTC');
    world.watch();
  }, 60_000);
  afterAll(async () => {
    offsetMs = 0;
    await world.close();
    await node.remove();
  });

  async function exampleOwner(coins = '0'): Promise<Owner> {
    const trader = await world.trader({
      permissions: ['read', 'withdraw'],
      ipAllowlist: ['127.0.0.1', '::1'],
    });
    const session = await signIn(world.server, trader.userId);
    const ask: Owner['ask'] = (method, verb, params) =>
      session.ask(method, `/json/v1/private/wallet/${verb}`, params);
    if (coins !== '0') {
      await expect.poll(() => trader.address('ltc').catch(String), WAIT).toMatch(/^rltc1q/);
      const txid = await node.pay(await trader.address('ltc'), coins);
      await node.mine(2);
      await trader.until(txid, 'credited');
      await expect.poll(async () => (await trader.balance('ltc')).available, WAIT).toBe(coins);
    }
    return {
      trader,
      session,
      ask,
      withdraw: (params) =>
        trader.call(`${world.server.baseUrl}/private/wallet/withdraw`, {
          method: 'POST',
          params: { coin: 'ltc', ...params },
        }),
      async trust(address) {
        const added = await ask('POST', 'withdraw_address_add', { coin: 'ltc', address });
        return resultOf<AddressBookEntry>(added).addressId;
      },
    };
  }

  /** Moves the clock of the venue for the length of the work. A browser does not notice; keys sign the true time. */
  async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
    offsetMs += ms;
    try {
      return await work();
    } finally {
      offsetMs -= ms;
    }
  }

  const balanceOf = async ({ session }: Owner) => {
    const path = '/json/v1/private/account/balances';
    const [balance] = resultOf<{ available: string; pendingWithdraw: string }[]>(
      await session.ask('GET', path, { coin: 'ltc' }),
    );
    return [balance?.available, balance?.pendingWithdraw];
  };

  it('C11: an address is used 24 hours after it came into the book, and not a minute before', async () => {
    const owner = await exampleOwner('3');
    const address = await outside();
    expect(codeOf(await owner.withdraw({ amount: '1', address }))).toBe('5008');
    const added = await owner.ask('POST', 'withdraw_address_add', {
      coin: 'ltc',
      address: address.toUpperCase(),
      label: 'ledger',
    });
    const entry = resultOf<AddressBookEntry>(added);
    expect(entry).toMatchObject({ address, network: 'LTC', label: 'ledger' });
    expect(Number(entry.usableAt) - Number(entry.createdAt)).toBe(24 * HOUR_MS);
    // Adding it again does not shorten or lengthen the wait.
    const again = await owner.ask('POST', 'withdraw_address_add', { coin: 'ltc', address });
    expect(resultOf<AddressBookEntry>(again)).toEqual(entry);
    const { addressId } = entry;
    const small = { coin: 'ltc', amount: '0.005', address };
    expect(codeOf(await owner.ask('POST', 'withdraw', small))).toBe('5006');
    await later(24 * HOUR_MS - 60_000, async () => {
      const params = { coin: 'ltc', amount: '1', addressId };
      const refused = await owner.ask('POST', 'withdraw', params);
      expect(codeOf(refused)).toBe('5012');
      expect(refused.body.error?.details).toEqual({ usableAt: entry.usableAt });
      // Typing the address does not go around it.
      const typed = { coin: 'ltc', amount: '1', address };
      expect(codeOf(await owner.ask('POST', 'withdraw', typed))).toBe('5012');
    });
    await later(24 * HOUR_MS, async () => {
      const quote = resultOf<WithdrawQuote>(
        await owner.ask('GET', 'withdraw_quote', { coin: 'ltc', amount: '1', addressId }),
      );
      expect(quote).toMatchObject({
        fee: '0.001',
        netAmount: '0.999',
        dailyLeft: '20',
        approvalsNeeded: '0',
        availableAt: '',
      });
      expect(quote.checks.every(({ ok }) => ok)).toBe(true);
      const made = resultOf<Withdrawal>(
        await owner.ask('POST', 'withdraw', { coin: 'ltc', amount: '1', addressId }),
      );
      expect(made).toMatchObject({ status: 'awaiting_confirmation', netAmount: '0.999', address });
      expect(await balanceOf(owner)).toEqual(['2', '1']);
      const { withdrawId } = made;
      const confirmed = await owner.ask('POST', 'withdraw_confirm', { withdrawId });
      expect(resultOf<Withdrawal>(confirmed).status).toBe('queued');
      const canceled = await owner.ask('DELETE', 'withdraw_cancel', { withdrawId });
      expect(resultOf<Withdrawal>(canceled)).toMatchObject({
        status: 'canceled',
        statusReason: 'by_owner',
      });
    });
    expect(await balanceOf(owner)).toEqual(['3', '0']);
  });

  it('an address that is none, of another chain, or a digit off is not taken', async () => {
    const owner = await exampleOwner();
    const address = await outside();
    const off = `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`;
    for (const wrong of [off, 'ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'nowhere', '0x12']) {
      const answer = await owner.ask('POST', 'withdraw_address_add', {
        coin: 'ltc',
        address: wrong,
      });
      expect(codeOf(answer), wrong).toBe('5002');
    }
    const withMemo = { coin: 'ltc', address, memo: '17' };
    expect(codeOf(await owner.ask('POST', 'withdraw_address_add', withMemo))).toBe('5003');
  });

  it('a row of the book that somebody wrote into the database is not used', async () => {
    const owner = await exampleOwner('2');
    const thief = await outside();
    const { rows } = await world.server.owner.query<{ id: string }>(
      `INSERT INTO withdraw_addresses (family_id, coin, network, address, usable_at, proof, created_at)
       VALUES ($1, 'ltc', 'LTC', $2, now() - interval '2 days', '\\x00', now()) RETURNING id`,
      [owner.trader.accountId, thief],
    );
    const answer = await owner.withdraw({ amount: '1', addressId: `A${rows[0]?.id}` });
    expect(codeOf(answer)).toBe('1000');
    expect(codeOf(await owner.withdraw({ amount: '1', address: thief }))).toBe('1000');
    expect(await balanceOf(owner)).toEqual(['2', '0']);
  });

  it('to an address outside the book an operator agrees, above the second limit two, and never its owner', async () => {
    const owner = await exampleOwner('9');
    const [ana, ben] = [await exampleOperator(world.ctx), await exampleOperator(world.ctx)];
    const ask = async (amount: string) => {
      const asked = { coin: 'ltc', amount, address: await outside() };
      const { withdrawId } = resultOf<Withdrawal>(await owner.ask('POST', 'withdraw', asked));
      const confirmed = await owner.ask('POST', 'withdraw_confirm', { withdrawId });
      expect(resultOf<Withdrawal>(confirmed).status).toBe('awaiting_approval');
      return withdrawalIdOf(withdrawId);
    };
    const small = await ask('0.5');
    const large = await ask('6');
    const waiting = await listAwaiting(world.ctx);
    expect(waiting.map(({ row }) => row.withdrawId)).toEqual([small, large]);
    expect((await approveWithdrawal(world.ctx, ana, small)).row.status).toBe('queued');
    expect((await approveWithdrawal(world.ctx, ana, large)).row.status).toBe('awaiting_approval');
    await expect(approveWithdrawal(world.ctx, ana, large)).rejects.toThrow('cannot approve it too');
    // Whatever the code says, the table lets nothing leave without its approvals.
    await expect(
      world.server.owner.query("UPDATE withdrawals SET status = 'queued' WHERE withdraw_id = $1", [
        large,
      ]),
    ).rejects.toThrow('lacks an approval');
    expect((await approveWithdrawal(world.ctx, ben, large)).row.status).toBe('queued');
    const back = await rejectWithdrawal(world.ctx, ben, large, 'The address is known to us.');
    expect(back.row).toMatchObject({ status: 'rejected', statusReason: 'by_operator' });
    await expect(approveWithdrawal(world.ctx, ana, large)).rejects.toThrow('rejected');
    await expect.poll(() => balanceOf(owner), WAIT).toEqual(['8.5', '0.5']);
  });

  it('C11: nobody approves a withdrawal of their own', async () => {
    const owner = await exampleOwner('2');
    const { withdrawId } = resultOf<Withdrawal>(
      await owner.ask('POST', 'withdraw', {
        coin: 'ltc',
        amount: '1',
        address: await outside(),
      }),
    );
    await owner.ask('POST', 'withdraw_confirm', { withdrawId });
    const operator = await exampleOperator(world.ctx);
    await world.server.owner.query('UPDATE users SET role = 100 WHERE id = $1', [
      owner.trader.userId,
    ]);
    await world.server.owner.query(
      `INSERT INTO operator_secrets (user_id, secret_hash)
       SELECT $1, secret_hash FROM operator_secrets WHERE user_id = $2`,
      [owner.trader.userId, operator.id],
    );
    const { rows } = await world.server.owner.query<{ email: string }>(
      'SELECT email FROM users WHERE id = $1',
      [owner.trader.userId],
    );
    const themselves = { ...operator, id: owner.trader.userId, email: rows[0]?.email ?? '' };
    const id = withdrawalIdOf(withdrawId);
    await expect(approveWithdrawal(world.ctx, themselves, id)).rejects.toThrow('cannot approve');
    await expect(
      world.server.owner.query('INSERT INTO withdrawal_approvals VALUES ($1, $2, now())', [
        id,
        owner.trader.userId,
      ]),
    ).rejects.toThrow('somebody else than its owner');
  });

  it('C11: withdrawals rest after a change of credentials, also one that is asked for already', async () => {
    const owner = await exampleOwner('2');
    const address = await outside();
    const asked = { coin: 'ltc', amount: '1', address };
    const { withdrawId } = resultOf<Withdrawal>(await owner.ask('POST', 'withdraw', asked));
    await world.server.owner.query(
      "UPDATE trading_accounts SET withdraw_freeze_until = now() + interval '1 day' WHERE id = $1",
      [owner.trader.accountId],
    );
    expect(codeOf(await owner.ask('POST', 'withdraw', asked))).toBe('5009');
    expect(codeOf(await owner.ask('POST', 'withdraw_confirm', { withdrawId }))).toBe('5009');
    const quote = resultOf<WithdrawQuote>(
      await owner.ask('GET', 'withdraw_quote', { coin: 'ltc', amount: '1' }),
    );
    expect(quote.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['not_frozen']);
    expect(quote.availableAt).not.toBe('');
    // Taking it back is always possible.
    expect(codeOf(await owner.ask('DELETE', 'withdraw_cancel', { withdrawId }))).toBe('');
    expect(await balanceOf(owner)).toEqual(['2', '0']);
  });

  it('what nobody confirms within half an hour goes back', async () => {
    const owner = await exampleOwner('2');
    const asked = { coin: 'ltc', amount: '1', address: await outside() };
    const { withdrawId } = resultOf<Withdrawal>(await owner.ask('POST', 'withdraw', asked));
    await lookAtWithdrawals(world.ctx);
    expect(await balanceOf(owner)).toEqual(['1', '1']);
    await later(31 * 60_000, async () => {
      expect(codeOf(await owner.ask('POST', 'withdraw_confirm', { withdrawId }))).toBe('5010');
      await lookAtWithdrawals(world.ctx);
    });
    await expect.poll(() => balanceOf(owner), WAIT).toEqual(['2', '0']);
    const { items } = (await owner.trader.get('wallet/withdrawals')) as { items: Withdrawal[] };
    expect(items).toEqual([
      expect.objectContaining({ withdrawId, status: 'canceled', statusReason: 'not_confirmed' }),
    ]);
  });

  it('the same clientWithdrawId is one withdrawal, and free again after the ledger refused', async () => {
    const owner = await exampleOwner('2');
    const addressId = await owner.trust(await outside());
    await later(25 * HOUR_MS, async () => {
      const terms = { coin: 'ltc', addressId, clientWithdrawId: 'rent-05' };
      const poor = await owner.ask('POST', 'withdraw', { ...terms, amount: '3' });
      expect(codeOf(poor)).toBe('5001');
      expect(poor.body.error?.details).toMatchObject({ required: '3', available: '2' });
      const first = await owner.ask('POST', 'withdraw', { ...terms, amount: '1' });
      const again = await owner.ask('POST', 'withdraw', { ...terms, amount: '1' });
      expect(resultOf(again)).toEqual(resultOf(first));
      expect(again.headers.get('x-svc-idempotent-replay')).toBe('true');
      const other = await owner.ask('POST', 'withdraw', { ...terms, amount: '0.5' });
      expect(codeOf(other)).toBe('5011');
    });
    expect(await balanceOf(owner)).toEqual(['1', '1']);
  });

  it('C10: parallel requests over one balance and one limit never go over', async () => {
    const address = await outside();
    /** Asks many times at once, again and again until nothing more is given. */
    const takeAll = async (owner: Owner, amount: string, refusal: string) => {
      const ask = () =>
        owner.ask('POST', 'withdraw', { coin: 'ltc', amount, address }).then(codeOf);
      for (;;) {
        const codes = await Promise.all(Array.from({ length: 20 }, ask));
        // A busy server answers that it did nothing, or that the outcome is unknown.
        expect(codes.filter((code) => !['', refusal, '1001', '1003'].includes(code))).toEqual([]);
        if (codes.every((code) => code === refusal)) break;
      }
    };
    /** One whose outcome was unknown is shown as waiting until custody has heard the engine's answer. */
    const expectHeld = (owner: Owner, count: number) =>
      expect
        .poll(async () => {
          await lookAtWithdrawals(world.ctx);
          const { items } = (await owner.trader.get('wallet/withdrawals', { limit: '500' })) as {
            items: Withdrawal[];
          };
          return items.filter(({ status }) => status === 'awaiting_confirmation').length;
        }, WAIT)
        .toBe(count);
    const rich = await exampleOwner('30');
    // 22 times 0.9 is 19.8; one more would be above the 20 of a day.
    await takeAll(rich, '0.9', '5007');
    await expectHeld(rich, 22);
    expect(await balanceOf(rich)).toEqual(['10.2', '19.8']);
    const poor = await exampleOwner('3');
    await takeAll(poor, '0.3', '5001');
    await expectHeld(poor, 10);
    expect(await balanceOf(poor)).toEqual(['0', '3']);
  });

  it('to another account of the venue the ledger pays at once, without a fee', async () => {
    const [giver, taker] = [await exampleOwner('2'), await exampleOwner()];
    const address = await taker.trader.address('ltc');
    const addressId = await giver.trust(address);
    await later(25 * HOUR_MS, async () => {
      const made = resultOf<Withdrawal>(
        await giver.ask('POST', 'withdraw', { coin: 'ltc', amount: '1', addressId }),
      );
      expect(made).toMatchObject({ isInternal: true, fee: '0', netAmount: '1' });
      const { withdrawId } = made;
      const paid = await giver.ask('POST', 'withdraw_confirm', { withdrawId });
      expect(resultOf<Withdrawal>(paid).status).toBe('completed');
      await expect.poll(() => balanceOf(taker), WAIT).toEqual(['1', '0']);
      expect(await balanceOf(giver)).toEqual(['1', '0']);
      const { items } = resultOf<{ items: unknown[] }>(await taker.ask('GET', 'deposits', {}));
      expect(items).toEqual([
        expect.objectContaining({ isInternal: true, status: 'credited', txid: withdrawId }),
      ]);
      expect(codeOf(await giver.ask('DELETE', 'withdraw_cancel', { withdrawId }))).toBe('5010');
      await lookAtWithdrawals(world.ctx);
    });
    // A deposit that is in no block is nothing that the chain has lost.
    await node.mine(1);
    await world.untilReason('LTC', '');
    const own = { coin: 'ltc', amount: '1', address: await giver.trader.address('ltc') };
    expect(codeOf(await giver.ask('POST', 'withdraw', own))).toBe('2009');
  });

  it('nobody sees, confirms or cancels a withdrawal of another', async () => {
    const [owner, other] = [await exampleOwner('2'), await exampleOwner()];
    const asked = { coin: 'ltc', amount: '1', address: await outside() };
    const { withdrawId } = resultOf<Withdrawal>(await owner.ask('POST', 'withdraw', asked));
    expect(codeOf(await other.ask('POST', 'withdraw_confirm', { withdrawId }))).toBe('5014');
    expect(codeOf(await other.ask('DELETE', 'withdraw_cancel', { withdrawId }))).toBe('5014');
    expect(await other.trader.get('wallet/withdrawals')).toMatchObject({ items: [] });
    const addressId = await owner.trust(await outside());
    expect(codeOf(await other.ask('DELETE', 'withdraw_address_remove', { addressId }))).toBe(
      '5008',
    );
    expect(codeOf(await other.ask('POST', 'withdraw', { ...asked, addressId }))).toBe('2009');
    const { address: _typed, ...byId } = { ...asked, addressId };
    expect(codeOf(await other.ask('POST', 'withdraw', byId))).toBe('5008');
    expect(codeOf(await owner.ask('DELETE', 'withdraw_address_remove', { addressId }))).toBe('');
    expect(resultOf(await owner.ask('GET', 'withdraw_addresses', {}))).toEqual([]);
    const { rows } = await world.server.owner.query(
      `SELECT act, outcome FROM audit_log WHERE subject = $1 ORDER BY seq`,
      [`account ${owner.trader.accountId}`],
    );
    expect(rows).toEqual([
      { act: 'withdraw_address add', outcome: 'done' },
      { act: 'withdraw_address remove', outcome: 'done' },
    ]);
  });

  it('an api process that dies after the request leaves it to custody', async () => {
    const owner = await exampleOwner('2');
    const asked = { coin: 'ltc', amount: '1', address: await outside() };
    const { withdrawId } = resultOf<Withdrawal>(await owner.ask('POST', 'withdraw', asked));
    // As it stands between the two commits of a request.
    await world.server.owner.query('ALTER TABLE withdrawals DISABLE TRIGGER USER');
    await world.server.owner.query(
      "UPDATE withdrawals SET status = 'requested', is_booked = false WHERE withdraw_id = $1",
      [withdrawalIdOf(withdrawId)],
    );
    await world.server.owner.query('ALTER TABLE withdrawals ENABLE TRIGGER USER');
    const shown = async () => {
      const { items } = (await owner.trader.get('wallet/withdrawals')) as { items: Withdrawal[] };
      return items[0];
    };
    expect(await shown()).toMatchObject({ statusReason: 'requested' });
    await lookAtWithdrawals(world.ctx);
    expect(await shown()).toMatchObject({ status: 'awaiting_confirmation', statusReason: '' });
  });
});
