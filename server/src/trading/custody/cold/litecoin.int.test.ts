// Coins back from a cold wallet with two of three keys, on a real Litecoin node.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../accounts/operators/operator.ts';
import { hasLitecoind } from '../../../testing/chains/litecoin.ts';
import { openLitecoinVenue, type LitecoinVenue } from '../../../testing/chains/litecoin-venue.ts';
import { exampleOperator } from '../../../testing/operators.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { parseAmount } from '../../amount.ts';
import { askReturn, findReturn, readReturn, submitReturn } from '../operators/cold.ts';
import { resolvePayment } from '../operators/payments.ts';
import { addSignature, readSignRequest } from '../operators/signatures.ts';

const LONG = 240_000;
const WAIT = { timeout: 30_000 };

describe.skipIf(!hasLitecoind || !isThorough)('the cold wallet', () => {
  let venue: LitecoinVenue;
  let cold: string;
  let operators: [Operator, Operator];
  beforeAll(async () => {
    venue = await openLitecoinVenue(async (node) => {
      const keys = await Promise.all(
        [1, 2, 3].map(async () => String(await node.call('getnewaddress', ['', 'bech32']))),
      );
      const made = await node.call('addmultisigaddress', [2, keys, '', 'bech32']);
      cold = (made as { address: string }).address;
      return {
        policy: { coldTargets: [cold] },
        network: { tiers: { ltc: { floor: '5', target: '8', ceiling: '12', cold } } },
      };
    });
    operators = [await exampleOperator(venue.world.ctx), await exampleOperator(venue.world.ctx)];
  }, LONG);
  afterAll(() => venue.close());

  const payments = async () => {
    const { rows } = await venue.world.server.owner.query<{ kind: string; state: string }>(
      'SELECT kind, state FROM custody_payments ORDER BY payment_id',
    );
    return rows.map(({ kind, state }) => `${kind} ${state}`);
  };
  const difference = () => venue.world.differences('LTC');
  const ask = async (amount: string) => {
    const { ctx } = venue.world;
    const id = await askReturn(ctx, operators[0], { network: 'LTC', coin: 'ltc', amount });
    return venue.paying(async () => {
      const answered = async () => {
        const found = await findReturn(ctx, id);
        return found?.paymentId ?? (found?.refusal || undefined);
      };
      await expect.poll(answered, WAIT).toBeDefined();
      return answered();
    });
  };
  const signAtHome = async (psbt: string) => {
    const made = await venue.node.call('walletprocesspsbt', [psbt]);
    return made as { psbt: string; complete: boolean };
  };

  it(
    'gives coins back that two of its keys have signed for, and nothing is missing meanwhile',
    async () => {
      const { node, world } = venue;
      const { ctx } = world;
      const owner = await venue.ownerWith('15');
      await venue.paying(async () => {
        await expect.poll(() => venue.received(cold), WAIT).toBe('7');
        await node.mine(2);
        await expect.poll(payments, WAIT).toEqual(['to_cold done']);
      });
      await expect.poll(difference, WAIT).toEqual({ ltc: 0n });

      expect(await ask('7')).toMatch(/7 ltc to its cold wallet .* not enough for 7/);
      expect(await ask('0.000000001')).toMatch(/8 decimals/);
      const paymentId = await ask('4');
      if (typeof paymentId !== 'bigint') throw new Error(`Refused: ${paymentId}`);
      const { text, outputs, from } = await readReturn(ctx, paymentId);
      expect(from).toBe(cold);
      expect(outputs.map(({ address }) => address)).toEqual([
        expect.not.stringMatching(cold),
        cold,
      ]);
      expect(outputs[0]?.amount).toBe('4');
      const back = parseAmount(outputs[1]?.amount ?? '') ?? 0n;
      expect(back).toBeGreaterThan(29n * 10n ** 17n);
      // It waits for its owner: nobody else is asked, and a second one waits for its end.
      expect(await ask('1')).toMatch(/submit or drop it first/);
      expect(await payments()).toEqual(['to_cold done', 'from_cold needs_operator']);
      const again = resolvePayment(ctx, operators[0], paymentId, 'retry', 'test');
      await expect(again).rejects.toThrow('where the cold wallet is');
      await expect(readSignRequest(ctx, paymentId)).rejects.toThrow('where the cold wallet is');
      const foreign = { key: 'ed25519:00', signature: '00' };
      await expect(addSignature(ctx, operators[0], paymentId, foreign)).rejects.toThrow(
        'no payment',
      );

      // What is not that transaction, signed, is refused.
      const submit = (bytes: string) => submitReturn(ctx, operators[1], paymentId, bytes);
      await expect(submit(text)).rejects.toThrow('signed whole');
      await expect(submit('')).rejects.toThrow('neither');
      await expect(submit('f'.repeat(400_001))).rejects.toThrow('longer than');
      const elsewhere = await node.call('walletcreatefundedpsbt', [[], [{ [cold]: 1 }]]);
      const stranger = await signAtHome((elsewhere as { psbt: string }).psbt);
      await expect(submit(stranger.psbt)).rejects.toThrow('something else');
      await expect(submitReturn(ctx, operators[1], 999n, text)).rejects.toThrow('no payment P999');

      const signed = await signAtHome(text);
      expect(signed.complete).toBe(true);
      // A signature with a wrong digit: no node takes it, and the right one replaces it.
      const txid = await submit(signed.psbt);
      const raw = String(
        (
          await world.server.owner.query<{ raw: string }>(
            'SELECT raw FROM custody_attempts WHERE txid = $1',
            [txid],
          )
        ).rows[0]?.raw,
      );
      const at = raw.lastIndexOf('3044') + 40;
      const broken = `${raw.slice(0, at)}${raw[at] === '0' ? '1' : '0'}${raw.slice(at + 1)}`;
      expect(await submit(broken)).toBe(txid);
      await venue.paying(async () => {
        const said = () =>
          world.server.owner
            .query<{ reason: string }>(
              "SELECT reason FROM custody_payments WHERE kind = 'from_cold'",
            )
            .then(({ rows }) => rows[0]?.reason);
        await expect.poll(said, WAIT).toMatch(/refused/);
      });
      expect(await submit(signed.psbt)).toBe(txid);
      await venue.paying(async () => {
        await expect.poll(payments, WAIT).toEqual(['to_cold done', 'from_cold confirming']);
        await expect(submit(signed.psbt)).rejects.toThrow('nodes have its bytes');
        await expect.poll(difference, WAIT).toEqual({ ltc: 0n });
        await node.mine(1);
        // Spent in a block that has too few confirmations to be compared.
        await expect.poll(difference, WAIT).toEqual({ ltc: 0n });
        await node.mine(2);
        await expect.poll(payments, WAIT).toEqual(['to_cold done', 'from_cold done']);
      });
      await expect.poll(difference, WAIT).toEqual({ ltc: 0n });
      // 8 were left, and 4 came back.
      const { withdrawId } = await owner.payOut('7');
      await venue.paying(async () => {
        await owner.until(withdrawId, 'confirming');
        await node.mine(2);
        await owner.until(withdrawId, 'completed');
      });
      await expect.poll(difference, WAIT).toEqual({ ltc: 0n });
    },
    LONG,
  );

  it(
    'gives its coins free again when two operators drop what nobody signed',
    async () => {
      const { ctx } = venue.world;
      const paymentId = await ask('1');
      if (typeof paymentId !== 'bigint') throw new Error(`Refused: ${paymentId}`);
      for (const by of operators) await resolvePayment(ctx, by, paymentId, 'drop', 'test');
      const late = await signAtHome((await readReturn(ctx, paymentId)).text);
      const submit = submitReturn(ctx, operators[0], paymentId, late.psbt);
      await expect(submit).rejects.toThrow('is done');
      expect(await ask('1')).toBeTypeOf('bigint');
    },
    LONG,
  );
});
