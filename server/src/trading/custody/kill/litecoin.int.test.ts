// C2 on Litecoin: custody, the engine, the signer and the database are killed under load.
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  KILLED_LIMITS,
  KILLS_TIMEOUT_MS,
  openKilledVenue,
  type KilledVenue,
} from '../../../testing/chains/killed-venue.ts';
import { litecoinNetwork, litecoinPolicy } from '../../../testing/chains/litecoin-venue.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { startSigner } from '../../../testing/chains/signer.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { parseAmount } from '../../amount.ts';

/** The chain of tests wants an extension at 432 blocks. */
const HEIGHT_MAX = { load: 340, end: 420 };

describe.skipIf(!hasLitecoind || !isThorough)('custody under load that is killed', () => {
  let node: LitecoinNode;
  let venue: KilledVenue;
  beforeAll(async () => {
    node = await startLitecoin();
    const signer = await startSigner({
      LTC: litecoinPolicy({
        hourMax: '400',
        dayMax: '400',
        fee: { rateMax: 600, transactionMax: '0.1', hourMax: '10', dayMax: '10' },
      }),
    });
    venue = await openKilledVenue({
      network: 'LTC',
      coin: 'ltc',
      signer,
      terms: litecoinNetwork(signer, node, { withdrawals: { ltc: KILLED_LIMITS } }),
      listing: {},
      newAddress: async () => String(await node.call('getnewaddress', ['', 'bech32'])),
      pay: (coins) => node.payMany(coins),
      mine: (count) => node.mine(count),
      hasRoom: async (part) => (await node.height()) < HEIGHT_MAX[part],
      readPayments: () => readOutputs(node),
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

async function readOutputs(node: LitecoinNode): Promise<Map<string, bigint[]>> {
  const outputs = new Map<string, bigint[]>();
  const tip = await node.height();
  for (let height = 1; height <= tip; height += 1) {
    const hash = await node.call('getblockhash', [height]);
    const { tx } = (await node.call('getblock', [hash, 2])) as {
      tx: { vout: { value: string; scriptPubKey: { addresses?: string[] } }[] }[];
    };
    for (const { value, scriptPubKey } of tx.flatMap(({ vout }) => vout)) {
      for (const address of scriptPubKey.addresses ?? []) {
        outputs.set(address, [...(outputs.get(address) ?? []), parseAmount(value) ?? 0n]);
      }
    }
  }
  return outputs;
}
