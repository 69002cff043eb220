// A private Litecoin node on a chain of its own (regtest), for tests of custody.
import { EngineProcess } from '../../platform/engines/engine.ts';
import { findBinaries, freePort, requireBinary } from '../../platform/engines/process.ts';
import { pause } from '../../platform/std/wait.ts';
import { openRpc, type Call } from '../../trading/custody/chains/rpc.ts';

const INSTALL = 'Install Litecoin’s node: "apt install litecoind" on Debian and Ubuntu.';
const PASSWORD = 'a-node-of-tests';
/** Coins of a mined block can be spent after so many. */
const MATURITY = 100;
/** Coins to pay with, at first; each payment takes one of its own. */
const COINS = 20;

/** Whether to run the tests on this node: where it is installed, and always in CI. */
export const hasLitecoind = findBinaries(['litecoind']).length > 0 || process.env['CI'] === 'true';

export interface LitecoinNode {
  /** With its name and password. */
  readonly url: string;
  /** Numbers of its answers are texts. */
  readonly call: Call;
  /** Mines blocks, each to a new address, and returns their hashes. */
  mine(count: number): Promise<string[]>;
  /** Mines an empty block: what waits in the pool goes on waiting. */
  mineEmpty(): Promise<void>;
  /** Pays from the node's own wallet, and returns the transaction. */
  pay(address: string, coins: string): Promise<string>;
  /** One transaction that pays to several addresses. */
  payMany(coins: Readonly<Record<string, string>>): Promise<string>;
  height(): Promise<number>;
  /** Abandons the newest blocks. What they held waits in the pool again. */
  abandon(count: number): Promise<void>;
  /** Follows another node's chain from now on. */
  follow(other: LitecoinNode): Promise<void>;
  readonly peerAddress: string;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * `rich`: with coins that can be spent, which takes more than a hundred blocks. `replaces`: takes another version of what
 * waits in its pool, which a Litecoin node refuses by default.
 */
export async function startLitecoin({ rich = true, replaces = false } = {}): Promise<LitecoinNode> {
  const peerPort = await freePort();
  const options = { name: 'Litecoin', orderly: 'SIGTERM', quick: 'SIGTERM' } as const;
  const urlOf = (port: number) => `http://rialto:${PASSWORD}@127.0.0.1:${port}`;
  const engine = await EngineProcess.start(options, (home) => {
    const command = requireBinary(['litecoind'], home.account, INSTALL);
    return {
      // Tests share the machine with each other.
      command: 'nice',
      configure: (port) => [
        '-n',
        '19',
        command,
        '-regtest',
        '-printtoconsole',
        `-datadir=${home.folder}`,
        `-rpcport=${port}`,
        `-rpcuser=rialto`,
        `-rpcpassword=${PASSWORD}`,
        `-bind=127.0.0.1:${peerPort}`,
        '-dnsseed=0',
        '-fallbackfee=0.0002',
        '-txindex=1',
        '-keypool=5',
        ...(replaces ? ['-mempoolreplacement=1'] : []),
        // A payment depends on no other that waits, so that a test can keep one of them out of a block.
        '-spendzeroconfchange=0',
      ],
      probe: async (port) => {
        await openRpc(urlOf(port))('getblockchaininfo', []);
      },
    };
  });
  const url = urlOf(engine.port);
  const call = openRpc(url);
  await call('createwallet', ['tests']);
  const mine = async (count: number) =>
    (await call('generatetoaddress', [count, await call('getnewaddress', [])])) as string[];
  const height = async () => Number(await call('getblockcount', []));
  if (rich) await mine(MATURITY + COINS);
  return {
    url,
    call,
    mine,
    height,
    peerAddress: `127.0.0.1:${peerPort}`,
    async mineEmpty() {
      await call('generateblock', [await call('getnewaddress', []), []]);
    },
    pay: async (address, coins) => String(await call('sendtoaddress', [address, coins])),
    payMany: async (coins) => String(await call('sendmany', ['', coins])),
    async abandon(count) {
      const first = await call('getblockhash', [(await height()) - count + 1]);
      await call('invalidateblock', [first]);
    },
    async follow(other) {
      await call('addnode', [other.peerAddress, 'add']);
      while ((await call('getbestblockhash', [])) !== (await other.call('getbestblockhash', []))) {
        await pause(50);
      }
    },
    kill: (signal) => engine.kill(signal),
    stop: () => engine.stop(),
    async restart() {
      await engine.restart();
      await call('loadwallet', ['tests']);
    },
    remove: () => engine.remove(),
  };
}
