// A private EVM node on a chain of its own, for tests of custody. It mines when it is told to.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineProcess } from '../../platform/engines/engine.ts';
import { canUse, findBinaries } from '../../platform/engines/process.ts';
import { openRpc, textOf, type Call } from '../../trading/custody/chains/rpc.ts';

/** Whether to run the tests on this node: where its package is, and always in CI. */
export const hasAnvil = findBinaries(['anvil']).length > 0 || process.env['CI'] === 'true';

export interface EvmNode {
  readonly url: string;
  /** Numbers of its answers are texts. */
  readonly call: Call;
  /** An account of the node with many coins. */
  readonly rich: string;
  mine(count: number): Promise<void>;
  /** Puts a transaction into the pool, and returns its hash. */
  send(transaction: Readonly<Record<string, string>>): Promise<string>;
  /** Puts the code of a contract onto the chain, and returns its address. */
  deploy(code: string): Promise<string>;
  /** Replaces the newest blocks by others; `raws` are mined again, each in the block of this number. */
  reorganise(
    depth: number,
    raws?: readonly (readonly [raw: string, block: number])[],
  ): Promise<void>;
  /** The signed bytes of a transaction. */
  rawOf(txid: string): Promise<string>;
  height(): Promise<number>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  /** Comes back without its chain. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export async function startAnvil(): Promise<EvmNode> {
  const options = { name: 'anvil', orderly: 'SIGTERM', quick: 'SIGTERM' } as const;
  const urlOf = (port: number) => `http://127.0.0.1:${port}`;
  // Of the first block. A later one at each start makes each start another chain.
  let birth = Math.floor(Date.now() / 1000);
  const engine = await EngineProcess.start(options, (home) => {
    const [found] = findBinaries(['anvil']);
    if (found === undefined) {
      throw new Error(
        'Cannot find anvil: "npm ci" brings it, unless optional packages are left out.',
      );
    }
    let command = found;
    if (!canUse(home.account, found)) {
      // A checkout that only root may read.
      command = join(home.folder, 'anvil');
      copyFileSync(found, command);
      home.own(command);
    }
    return {
      command: 'nice',
      configure: (port) => {
        birth += 1;
        const given = ['--port', String(port), '--timestamp', String(birth), '--accounts', '3'];
        return ['-n', '19', command, ...given, '--no-mining', '--silent'];
      },
      probe: async (port) => {
        await openRpc(urlOf(port))('eth_chainId', []);
      },
    };
  });
  const url = urlOf(engine.port);
  const call = openRpc(url);
  const [rich] = (await call('eth_accounts', [])) as string[];
  if (rich === undefined) throw new Error('anvil has no account.');
  const mine = async (count: number) => {
    await call('anvil_mine', [`0x${count.toString(16)}`]);
  };
  const send: EvmNode['send'] = async (transaction) =>
    String(await call('eth_sendTransaction', [{ from: rich, gas: '0x200000', ...transaction }]));
  return {
    url,
    call,
    rich,
    mine,
    send,
    async deploy(code) {
      const txid = await send({ data: deployment(code) });
      await mine(1);
      return textOf(await call('eth_getTransactionReceipt', [txid]), 'contractAddress');
    },
    async reorganise(depth, raws = []) {
      await call('anvil_reorg', [depth, raws]);
    },
    rawOf: async (txid) => String(await call('eth_getRawTransactionByHash', [txid])),
    height: async () => Number(await call('eth_blockNumber', [])),
    kill: (signal) => engine.kill(signal),
    stop: () => engine.stop(),
    restart: () => engine.restart(),
    remove: () => engine.remove(),
  };
}

/** Code that returns `code` as the code of the new contract. */
function deployment(code: string): string {
  const length = (code.length / 2).toString(16).padStart(4, '0');
  // PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN: twelve bytes, then the code.
  return `0x61${length}80600c6000396000f3${code}`;
}

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A token without balances: it logs a Transfer to the first word it is called with, of the second. */
export const TOKEN_CODE =
  // MSTORE(0, CALLDATALOAD(32)); LOG3(0, 32, TRANSFER, CALLER, CALLDATALOAD(0))
  `602035600052600035337f${TRANSFER}60206000a300`;

/**
 * A token with balances and six decimals: it knows `balanceOf`, `decimals` and `transfer`. Called with two words alone it
 * makes new ones, the second of them for the first.
 */
export const LEDGER_TOKEN_CODE =
  `60003560e01c806370a0823114602c578063313ce5671460395763a9059cbb14604457600035602035605c565b6004355460005260206000f35b600660005260206000f35b6024353354818110609757033355600435602435605c565b808254018255600052337f` +
  `${TRANSFER}60206000a3600160005260206000f35b60006000fd`;

/** Passes the value that it gets on, to the address in the first word, and fails where that fails. */
export const FORWARDER_CODE =
  // CALL(GAS, CALLDATALOAD(0), CALLVALUE, 0, 0, 0, 0); ISZERO; JUMPI to the REVERT
  `6000600060006000346000355af115601357005b60006000fd`;

/** Fails, whatever it is called with. */
export const REFUSING_CODE = '60006000fd';

/** The words of a call, each as 32 bytes. */
export const words = (...values: readonly (bigint | string)[]): string =>
  `0x${values.map((value) => BigInt(value).toString(16).padStart(64, '0')).join('')}`;
