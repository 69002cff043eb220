// Deposits that wait in the pool of real nodes: shown, never credited, and the same deposit with their block.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasAnvil, startAnvil, type EvmNode } from '../../../testing/chains/anvil.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';

const LONG = 180_000;
const WAIT = { timeout: 30_000 };

/** As the node lists it: numbers are texts. */
interface Unspent {
  readonly txid: string;
  readonly vout: string;
  readonly amount: string;
}

describe.skipIf(!hasLitecoind || !hasAnvil)('the pool', () => {
  let litecoin: LitecoinNode;
  let anvil: EvmNode;
  let world: CustodyWorld;
  beforeAll(async () => {
    litecoin = await startLitecoin();
    anvil = await startAnvil();
    world = await openWorld([
      {
        network: 'LTC',
        chain: 'litecoin-regtest',
        publicKey: extendedPublicKey(ABANDON, "m/84'/2'/0'"),
        nodes: [litecoin.url],
        blockSeconds: 3600,
      },
      {
        network: 'DEV',
        chain: 'evm',
        chainId: '31337',
        publicKey: extendedPublicKey(ABANDON, "m/44'/60'/0'"),
        nodes: [anvil.url],
        blockSeconds: 3600,
      },
    ]);
    await world.list('ltc', 'LTC');
    await world.list('ether', 'DEV', { tokenDecimal: '18' });
    // As from two processes: one deposit stays one.
    world.watch({ poolMs: 50 });
    world.watch({ poolMs: 50 });
  }, LONG);
  afterAll(async () => {
    await world.close();
    await litecoin.remove();
    await anvil.remove();
  });

  const traderOf = async (coin: string) => {
    const trader = await world.trader();
    await expect.poll(() => trader.address(coin).catch(String), WAIT).not.toMatch(/Error/);
    return { trader, address: await trader.address(coin) };
  };

  it(
    'a deposit is shown before its block, and is the same one with it',
    async () => {
      const { trader, address } = await traderOf('ltc');
      const txid = await litecoin.pay(address, '1');
      const [shown] = await trader.until(txid, 'detected');
      expect(shown).toMatchObject({ amount: '1', confirmations: '0', blockHash: '' });
      expect(await trader.balance('ltc')).toMatchObject({ available: '0', pendingDeposit: '1' });
      await litecoin.mine(1);
      const [mined] = await trader.until(txid, 'confirming');
      expect(mined).toMatchObject({ depositId: shown?.depositId, confirmations: '1' });
      await litecoin.mine(1);
      await trader.until(txid, 'credited');
      expect(await trader.deposits()).toHaveLength(1);
      await expect
        .poll(() => trader.balance('ltc'), WAIT)
        .toMatchObject({ available: '1', pendingDeposit: '0' });
    },
    LONG,
  );

  it(
    'what is spent elsewhere vanishes, and nothing of it is credited',
    async () => {
      const { trader, address } = await traderOf('ltc');
      const [coin] = (await litecoin.call('listunspent', [])) as Unspent[];
      const input = [{ txid: coin?.txid, vout: Number(coin?.vout) }];
      const own = String(await litecoin.call('getnewaddress', []));
      const sign = async (to: string) => {
        const rest = (Number(coin?.amount) - 2.001).toFixed(8);
        const raw = await litecoin.call('createrawtransaction', [
          input,
          [{ [to]: '2' }, { [own]: rest }],
        ]);
        const signed = await litecoin.call('signrawtransactionwithwallet', [raw]);
        return (signed as { hex: string }).hex;
      };
      const other = String(await litecoin.call('getnewaddress', []));
      const [deposit, instead] = [await sign(address), await sign(other)];
      const txid = String(await litecoin.call('sendrawtransaction', [deposit]));
      await trader.until(txid, 'detected');
      // A block with the other one: the pool gives up what it had.
      await litecoin.call('generateblock', [own, [instead]]);
      const [gone] = await trader.until(txid, 'orphaned');
      expect(gone).toMatchObject({ statusReason: 'vanished' });
      expect(await trader.balance('ltc')).toMatchObject({ total: '0', pendingDeposit: '0' });
      await litecoin.mine(3);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await trader.deposits()).toMatchObject([{ txid, status: 'orphaned' }]);
    },
    LONG,
  );

  it(
    'a transfer of an EVM chain is shown before its block',
    async () => {
      const { trader, address } = await traderOf('ether');
      const value = `0x${(10n ** 18n).toString(16)}`;
      const txid = await anvil.send({ to: address, value });
      await trader.until(txid, 'detected');
      await anvil.mine(2);
      await trader.until(txid, 'credited');
      expect(await trader.deposits()).toHaveLength(1);
    },
    LONG,
  );
});
