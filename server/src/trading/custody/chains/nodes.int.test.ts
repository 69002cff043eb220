// The readers of both families on real nodes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FORWARDER_CODE,
  hasAnvil,
  REFUSING_CODE,
  startAnvil,
  TOKEN_CODE,
  words,
  type EvmNode,
} from '../../../testing/chains/anvil.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../testing/chains/litecoin.ts';
import { openEvmNode } from './evm/node.ts';
import { NodeRefusal, openRpc } from './rpc.ts';
import { openUtxoNode } from './utxo/node.ts';
import { UTXO_CHAINS, type UtxoParams } from './utxo/params.ts';

const REGTEST = UTXO_CHAINS['litecoin-regtest'] as UtxoParams;
const NO_CONTRACTS: ReadonlySet<string> = new Set();

describe.skipIf(!hasLitecoind)('litecoind', () => {
  let litecoin: LitecoinNode;
  beforeAll(async () => {
    litecoin = await startLitecoin();
  });
  afterAll(() => litecoin.remove());

  it('is read block by block, with amounts to the last digit', async () => {
    const node = openUtxoNode(litecoin.call, REGTEST.network);
    expect(await node.identify()).toBe(REGTEST.genesis);
    const address = String(await litecoin.call('getnewaddress', ['', 'bech32']));
    const legacy = String(await litecoin.call('getnewaddress', ['', 'legacy']));
    const txid = await litecoin.payMany({ [address]: '0.12345678', [legacy]: '2' });
    await litecoin.mine(1);
    const tip = await node.tip();
    const block = await node.readBlock(tip.hash, NO_CONTRACTS);
    expect(block).toMatchObject(tip);
    expect(block.parent).toBe(await node.hashAt(tip.height - 1));
    expect(await node.hashAt(tip.height + 1)).toBeUndefined();
    const ours = block.transfers.filter((transfer) => transfer.address === address);
    expect(ours).toEqual([
      expect.objectContaining({ txid, units: 12_345_678n, contract: '', maturity: 0 }),
    ]);
    expect(block.transfers.some((transfer) => transfer.address === legacy)).toBe(false);
    expect(block.transfers.filter(({ maturity }) => maturity === 100)).toHaveLength(1);
  });

  it('that refuses, is silent, or says too much is an error and no answer', async () => {
    const node = openUtxoNode(litecoin.call, REGTEST.network);
    await expect(node.readBlock('0'.repeat(64), NO_CONTRACTS)).rejects.toThrow(NodeRefusal);
    const small = openRpc(litecoin.url, { bytesMax: 100 });
    await expect(small('getblockchaininfo', [])).rejects.toThrow('larger than 100 bytes');
    const stranger = openRpc(litecoin.url.replace('rialto:', 'nobody:'));
    await expect(stranger('getblockchaininfo', [])).rejects.toThrow('expected JSON');
    litecoin.kill('SIGSTOP');
    const impatient = openRpc(litecoin.url, { timeoutMs: 200 });
    await expect(impatient('getblockchaininfo', [])).rejects.toThrow('aborted');
    litecoin.kill('SIGCONT');
  });
});

describe.skipIf(!hasAnvil)('anvil', () => {
  let evm: EvmNode;
  beforeAll(async () => {
    evm = await startAnvil();
  });
  afterAll(() => evm.remove());

  it('is read block by block: its coin, listed tokens, and what contracts pass on', async () => {
    const token = await evm.deploy(TOKEN_CODE);
    const unlisted = await evm.deploy(TOKEN_CODE);
    const forwarder = await evm.deploy(FORWARDER_CODE);
    const to = `0x${'1'.repeat(40)}`;
    const refusing = await evm.deploy(REFUSING_CODE);
    await evm.send({ to, value: '0x9' });
    await evm.send({ to: token, data: words(to, 2n ** 200n) });
    await evm.send({ to: unlisted, data: words(to, 6n) });
    await evm.send({ to: forwarder, value: '0x7', data: words(to) });
    // This one fails, and moves nothing.
    await evm.send({ to: forwarder, value: '0x3', data: words(refusing) });
    await evm.send({ to, value: '0x5' });
    await evm.mine(1);
    const node = openEvmNode(evm.call, { traces: true });
    const tip = await node.tip();
    const block = await node.readBlock(tip.hash, new Set([token]));
    expect(block).toMatchObject(tip);
    expect(block.parent).toBe(await node.hashAt(tip.height - 1));
    expect(await node.hashAt(tip.height + 1)).toBeUndefined();
    const ours = block.transfers.filter((transfer) => transfer.address === to);
    expect(ours.map(({ place, contract, units }) => [place, contract, units])).toEqual([
      ['n', '', 9n],
      ['l0', token, 2n ** 200n],
      ['t0', '', 7n],
      ['n', '', 5n],
    ]);
    expect(block.transfers.filter(({ units }) => units === 3n)).toEqual([]);
    const plain = openEvmNode(evm.call, { traces: false });
    const seen = await plain.readBlock(tip.hash, new Set([token]));
    expect(seen.transfers.some(({ place }) => place.startsWith('t'))).toBe(false);
  });

  it('gives another log index to a transaction that is mined elsewhere, and we the same place', async () => {
    const node = openEvmNode(evm.call, { traces: false });
    const token = await evm.deploy(TOKEN_CODE);
    const to = `0x${'2'.repeat(40)}`;
    const txid = await evm.send({ to: token, data: words(to, 5n) });
    await evm.mine(1);
    const placesOf = async () => {
      const { transfers } = await node.readBlock((await node.tip()).hash, new Set([token]));
      return transfers.filter((one) => one.txid === txid).map(({ place }) => place);
    };
    const logIndex = async () => {
      const receipt = await evm.call('eth_getTransactionReceipt', [txid]);
      return (receipt as { logs: { logIndex: string }[] }).logs[0]?.logIndex;
    };
    expect([await logIndex(), await placesOf()]).toEqual(['0x0', ['l0']]);
    const raw = await evm.rawOf(txid);
    const [, second = ''] = (await evm.call('eth_accounts', [])) as string[];
    const tip = {
      from: second,
      to: token,
      data: words(to, 1n),
      maxPriorityFeePerGas: '0x77359400',
      maxFeePerGas: '0x12a05f2000',
    };
    await evm.reorganise(1);
    await evm.send(tip);
    await evm.call('eth_sendRawTransaction', [raw]);
    await evm.mine(1);
    expect([await logIndex(), await placesOf()]).toEqual(['0x1', ['l0']]);
  });

  it('that comes back without its chain is another chain', async () => {
    const node = openEvmNode(evm.call, { traces: false });
    const before = await node.identify();
    await evm.restart();
    expect(await node.identify()).not.toBe(before);
    expect(before.split('/')[0]).toBe('31337');
  });
});
