// Deposits on a real EVM node: its own coin, tokens, and what contracts pass on.
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
import { ABANDON, extendedPublicKey } from '../../../testing/extended-keys.ts';
import { openWorld, type CustodyTrader, type CustodyWorld } from '../../../testing/chains/world.ts';

const WAIT = { timeout: 20_000 };
const ETHER = 10n ** 18n;
const hex = (value: bigint) => `0x${value.toString(16)}`;

describe.skipIf(!hasAnvil)('on anvil', () => {
  let node: EvmNode;
  let world: CustodyWorld;
  /** Listed as tusd with six decimals, and as fine with twenty. */
  let token: string;
  let fine: string;
  let unlisted: string;
  let forwarder: string;
  beforeAll(async () => {
    node = await startAnvil();
    token = await node.deploy(TOKEN_CODE);
    fine = await node.deploy(TOKEN_CODE);
    unlisted = await node.deploy(TOKEN_CODE);
    forwarder = await node.deploy(FORWARDER_CODE);
    world = await openWorld([
      {
        network: 'DEV',
        chain: 'evm',
        chainId: '31337',
        publicKey: extendedPublicKey(ABANDON, "m/44'/60'/0'"),
        nodes: [node.url],
        blockSeconds: 3600,
        traces: true,
      },
    ]);
    const terms = { DepositConfirmationCount: '3', minimumDeposit: '0.001' };
    await world.list('ether', 'DEV', { ...terms, tokenDecimal: '18' });
    await world.list('tusd', 'DEV', { ...terms, tokenDecimal: '6', contractAddress: token });
    await world.list('fine', 'DEV', { ...terms, tokenDecimal: '20', contractAddress: fine });
    world.watch();
    world.watch();
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await node.remove();
  });

  const untilAvailable = (whose: CustodyTrader, coin: string, available: string) =>
    expect.poll(async () => (await whose.balance(coin)).available, WAIT).toBe(available);

  it('C1: deposits of every kind in one block are credited once each', async () => {
    await world.untilReason('DEV', '');
    const trader = await world.trader();
    const address = await trader.address('ether');
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(await trader.address('tusd')).toBe(address);
    const coins = await node.send({ to: address, value: hex(2n * ETHER) });
    const tokens = await node.send({ to: token, data: words(address, 1_500_000n) });
    await node.send({ to: unlisted, data: words(address, 9_000_000n) });
    const passed = await node.send({ to: forwarder, value: hex(ETHER), data: words(address) });
    const refusing = await node.send({ to: forwarder, value: hex(ETHER), data: words(forwarder) });
    // Hundredths of what the ledger can count; and a whole number of it.
    const tooFine = await node.send({ to: fine, data: words(address, 101n) });
    const whole = await node.send({ to: fine, data: words(address, 10n ** 20n) });
    const tooMuch = await node.send({ to: token, data: words(address, 2n ** 255n) });
    await node.mine(1);
    await trader.until(coins, 'confirming');
    await node.mine(2);
    for (const txid of [coins, tokens, passed, whole]) await trader.until(txid, 'credited');
    expect((await trader.until(tooFine, 'held'))[0]).toMatchObject({ statusReason: 'precision' });
    expect((await trader.until(tooMuch, 'held'))[0]).toMatchObject({ statusReason: 'too_large' });
    await untilAvailable(trader, 'ether', '3');
    await untilAvailable(trader, 'tusd', '1.5');
    await untilAvailable(trader, 'fine', '1');
    expect((await trader.balance('tusd')).pendingDeposit).toBe('0');
    const deposits = await trader.deposits();
    const placeOf = (txid: string) =>
      deposits.filter((one) => one.txid === txid).map(({ outputIndex }) => outputIndex);
    expect([coins, tokens, passed, refusing].map(placeOf)).toEqual([['n'], ['l0'], ['t0'], []]);
    expect(deposits).toHaveLength(6);
  });

  it('a transaction that fails brings nothing', async () => {
    const trader = await world.trader();
    const address = await trader.address('ether');
    const refusing = await node.deploy(REFUSING_CODE);
    await node.send({ to: forwarder, value: hex(ETHER), data: words(refusing) });
    await node.send({ to: refusing, data: words(address, 5_000_000n) });
    const good = await node.send({ to: address, value: hex(ETHER) });
    await node.mine(3);
    await trader.until(good, 'credited');
    expect(await trader.deposits()).toHaveLength(1);
  });

  it('C3: a token that is mined again at another log index is credited once', async () => {
    const trader = await world.trader();
    const address = await trader.address('tusd');
    const txid = await node.send({ to: token, data: words(address, 7_000_000n) });
    await node.mine(1);
    await trader.until(txid, 'confirming');
    const raw = await node.rawOf(txid);
    const [, other = ''] = (await node.call('eth_accounts', [])) as string[];
    await node.reorganise(1);
    await node.send({
      from: other,
      to: token,
      data: words(1n, 1n),
      maxPriorityFeePerGas: '0x77359400',
      maxFeePerGas: '0x12a05f2000',
    });
    await node.call('eth_sendRawTransaction', [raw]);
    await node.mine(1);
    const receipt = await node.call('eth_getTransactionReceipt', [txid]);
    expect(receipt).toMatchObject({ logs: [{ logIndex: '0x1' }] });
    await node.mine(2);
    await trader.until(txid, 'credited');
    await untilAvailable(trader, 'tusd', '7');
    expect(await trader.deposits()).toHaveLength(1);
  });

  it('C3: a deposit that vanishes with its block is not credited', async () => {
    const trader = await world.trader();
    const txid = await node.send({ to: await trader.address('ether'), value: hex(ETHER) });
    await node.mine(1);
    await trader.until(txid, 'confirming');
    await node.reorganise(1);
    await node.mine(1);
    await trader.until(txid, 'detected');
    await node.mine(100);
    await trader.until(txid, 'orphaned');
    await untilAvailable(trader, 'ether', '0');
  });

  it('C5: a node that comes back with another chain pauses the network', async () => {
    await node.restart();
    await world.untilReason('DEV', 'wrong_chain');
  });
});
