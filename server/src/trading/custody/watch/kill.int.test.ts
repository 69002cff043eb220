// The custody role as a process of its own, killed again and again while coins come in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '../../../platform/std/wait.ts';
import { clusterSettings } from '../../../testing/context.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';
import { startRialtoProcess, type RialtoProcess } from '../../../testing/rialto-process.ts';
import { isThorough } from '../../../testing/thorough.ts';
import { openWorld, type CustodyWorld } from '../../../testing/chains/world.ts';

/** Each costs the start of a process, so the gate leaves it to the test of every single step. */
const KILLS = 25;
/** A look comes every second, so this hits some looks and some pauses. */
const LIFE_MS_MAX = 1500;

describe.skipIf(!hasLitecoind || !isThorough)('custody that is killed', () => {
  let node: LitecoinNode;
  let world: CustodyWorld;
  let custody: RialtoProcess | undefined;
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
        },
      ],
      clusterSettings(),
    );
    await world.list('ltc', 'LTC');
    custody = await startRialtoProcess('custody', world.environment);
  }, 120_000);
  afterAll(async () => {
    await custody?.stop();
    await world.close();
    await node.remove();
  });

  it(`C2: credits everything once, after ${KILLS} kills`, { timeout: 600_000 }, async () => {
    await world.untilReason('LTC', '');
    const trader = await world.trader();
    const address = await trader.address('ltc');
    for (let kill = 0; kill < KILLS; kill += 1) {
      await node.payMany({ [address]: '0.5', [await trader.freshAddress('ltc')]: '0.25' });
      await node.mine(1);
      await pause(Math.random() * LIFE_MS_MAX);
      custody?.kill('SIGKILL');
      await node.mine(1);
      await custody?.restart();
    }
    await node.mine(2);
    const expected = String(KILLS * 0.75);
    await expect
      .poll(() => trader.balance('ltc'), { timeout: 30_000 })
      .toMatchObject({ available: expected, pendingDeposit: '0' });
    const deposits = await trader.deposits();
    expect(deposits.map(({ status }) => status)).toEqual(Array(KILLS * 2).fill('credited'));
    // An orderly end is one too.
    expect(await custody?.stop()).toBe(0);
  });
});
