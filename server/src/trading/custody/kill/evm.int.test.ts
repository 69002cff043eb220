// C2 on an EVM chain, where a payment lost or doubled would leave a hole in the nonces.
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  hasAnvil,
  LEDGER_TOKEN_CODE,
  startAnvil,
  type EvmNode,
} from '../../../testing/chains/anvil.ts';
import { drawAddresses, evmNetwork, evmPolicy } from '../../../testing/chains/evm-venue.ts';
import {
  KILLED_LIMITS,
  KILLS_TIMEOUT_MS,
  openKilledVenue,
  type KilledVenue,
} from '../../../testing/chains/killed-venue.ts';
import { startSigner } from '../../../testing/chains/signer.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { parseAmount } from '../../amount.ts';

describe.skipIf(!hasAnvil || !isThorough)('custody under load that is killed', () => {
  let node: EvmNode;
  let venue: KilledVenue;
  beforeAll(async () => {
    node = await startAnvil();
    const token = await node.deploy(LEDGER_TOKEN_CODE);
    const signer = await startSigner({
      DEV: evmPolicy(token, {
        hourMax: '400',
        dayMax: '400',
        fee: { rateMax: '500000000000', transactionMax: '0.1', hourMax: '10', dayMax: '10' },
      }),
    });
    venue = await openKilledVenue({
      network: 'DEV',
      coin: 'ether',
      signer,
      terms: evmNetwork(signer, node, {
        // Deposits are small, and everything is paid out in the end.
        sweeps: { ether: '0.3' },
        withdrawals: { ether: KILLED_LIMITS },
      }),
      listing: { tokenDecimal: '18', withdrawPrecision: '12' },
      newAddress: drawAddresses(),
      pay: (coins) => payEach(node, coins),
      mine: (count) => node.mine(count),
      hasRoom: async () => true,
      readPayments: () => readTransfers(node),
    });
  }, KILLS_TIMEOUT_MS);
  afterAll(async () => {
    await venue.close();
    await node.remove();
  });

  it('C2: credits and pays everything once', { timeout: KILLS_TIMEOUT_MS }, async () => {
    console.log(await venue.killUnderLoad());
  });
});

async function payEach(node: EvmNode, coins: Readonly<Record<string, string>>): Promise<string> {
  let txid = '';
  for (const [to, amount] of Object.entries(coins)) {
    // Both count in units of 10^-18.
    txid = await node.send({ to, value: `0x${(parseAmount(amount) ?? 0n).toString(16)}` });
  }
  return txid;
}

async function readTransfers(node: EvmNode): Promise<Map<string, bigint[]>> {
  const transfers = new Map<string, bigint[]>();
  const tip = await node.height();
  for (let height = 1; height <= tip; height += 1) {
    const block = await node.call('eth_getBlockByNumber', [`0x${height.toString(16)}`, true]);
    const { transactions } = block as { transactions: { to: string | null; value: string }[] };
    for (const { to, value } of transactions) {
      if (to === null) continue;
      transfers.set(to, [...(transfers.get(to) ?? []), BigInt(value)]);
    }
  }
  return transfers;
}
