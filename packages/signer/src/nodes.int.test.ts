// What the signer makes is taken by real nodes: Litecoin's own, and anvil.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transferData } from '@rialto/chains';
import { hasAnvil, startAnvil, type EvmNode } from '../../../server/src/testing/chains/anvil.ts';
import {
  hasLitecoind,
  startLitecoin,
  type LitecoinNode,
} from '../../../server/src/testing/chains/litecoin.ts';
import {
  LTC,
  USDT,
  depositAddress,
  evmFields,
  evmRequest,
  hotAddress,
  makePsbt,
  openDesk,
  ourAddress,
  payout,
  strangersEvm,
  utxoRequest,
  type PsbtInput,
  type PsbtOutput,
  type TestDesk,
} from './test-signer.ts';
import { toUnits } from './amount.ts';
import type { SignRequest } from './request.ts';

function sign(desk: TestDesk, request: SignRequest): { raw: string; txid: string } {
  const answer = desk.send(request);
  if (!('raw' in answer)) throw new Error(`It was not signed: ${JSON.stringify(answer)}`);
  return answer;
}

describe.skipIf(!hasLitecoind)('Litecoin', () => {
  let node: LitecoinNode;
  beforeAll(async () => {
    node = await startLitecoin();
  }, 120_000);
  afterAll(() => node?.remove());

  interface Seen {
    readonly confirmations?: string;
    readonly vout: readonly { n: string; value: string; scriptPubKey: { addresses?: string[] } }[];
  }
  const look = async (txid: string) => (await node.call('getrawtransaction', [txid, true])) as Seen;

  /** A deposit that is mined, as an input. */
  async function deposit(index: number, coins: string): Promise<PsbtInput> {
    const txid = await node.pay(ourAddress(0, index), coins);
    await node.mine(1);
    const { vout } = await look(txid);
    const output = vout.find(({ scriptPubKey }) =>
      scriptPubKey.addresses?.includes(ourAddress(0, index)),
    );
    // The node writes all eight places.
    const units = toUnits((output?.value ?? '').replace(/\.?0+$/, ''), 8) ?? 0n;
    return { txid, vout: Number(output?.n), units, index };
  }
  const send = (raw: string) => node.call('sendrawtransaction', [raw]);

  it('takes and mines a payout of several deposits to addresses of every form, and its change', async () => {
    const desk = openDesk();
    const inputs = [await deposit(5, '3'), await deposit(6, '2')];
    const forms = ['bech32', 'p2sh-segwit', 'legacy'];
    const addresses = await Promise.all(
      forms.map(async (form) => String(await node.call('getnewaddress', ['', form]))),
    );
    const paid: PsbtOutput[] = addresses.map((address) => ({ address, units: LTC / 2n }));
    const change = 5n * LTC - (3n * LTC) / 2n - 10_000n;
    const { raw, txid } = sign(
      desk,
      utxoRequest({
        unsigned: makePsbt(inputs, [
          ...paid,
          { address: ourAddress(1, 2), units: change, change: { index: 2 } },
        ]),
        outputs: addresses.map((address, at) => payout(`W${at}`, '0.5', address)),
      }),
    );
    expect(await send(raw)).toBe(txid);

    // A child that pays for it, from its change, before it is mined.
    const child = sign(
      desk,
      utxoRequest({
        paymentId: 'P2',
        kind: 'child',
        outputs: [],
        unsigned: makePsbt(
          [{ txid, vout: 3, units: change, branch: 1, index: 2 }],
          [{ address: ourAddress(1, 3), units: change - 9000n, change: { index: 3 } }],
        ),
      }),
    );
    expect(await send(child.raw)).toBe(child.txid);
    await node.mine(1);
    expect((await look(txid)).confirmations).toBe('1');
    expect((await look(child.txid)).confirmations).toBe('1');
    for (const address of addresses) {
      expect(await node.call('getreceivedbyaddress', [address])).toBe('0.50000000');
    }
  }, 120_000);

  it('mines one version of a payment: the void and the payment exclude each other', async () => {
    const desk = openDesk();
    const input = await deposit(7, '1');
    const address = String(await node.call('getnewaddress', ['', 'bech32']));
    const left = (fee: bigint) => ({
      address: ourAddress(1, 4),
      units: LTC / 2n - fee,
      change: { index: 4 },
    });
    const pay = sign(
      desk,
      utxoRequest({
        unsigned: makePsbt([input], [{ address, units: LTC / 2n }, left(5000n)]),
        outputs: [payout('W9', '0.5', address)],
      }),
    );
    const undo = sign(
      desk,
      utxoRequest({
        purpose: 'void',
        outputs: [],
        unsigned: makePsbt(
          [input],
          [{ address: ourAddress(1, 4), units: LTC - 9000n, change: { index: 4 } }],
        ),
      }),
    );
    expect(await send(undo.raw)).toBe(undo.txid);
    await node.mine(1);
    await expect(send(pay.raw)).rejects.toThrow(/missing|spent/i);
  }, 120_000);

  it('refuses what was signed for a wrong amount: a lie about an input is worth nothing', async () => {
    const desk = openDesk();
    const input = await deposit(8, '1');
    const address = String(await node.call('getnewaddress', ['', 'bech32']));
    const { raw } = sign(
      desk,
      utxoRequest({
        unsigned: makePsbt([{ ...input, units: LTC / 2n + 5000n }], [{ address, units: LTC / 2n }]),
        outputs: [payout('W10', '0.5', address)],
      }),
    );
    await expect(send(raw)).rejects.toThrow(/verify|signature/i);
  }, 120_000);
});

describe.skipIf(!hasAnvil)('anvil', () => {
  let node: EvmNode;
  beforeAll(async () => {
    node = await startAnvil();
    await node.send({ to: hotAddress, value: `0x${(9n * 10n ** 18n).toString(16)}` });
    await node.call('anvil_setCode', [USDT, TOKEN]);
    await node.mine(1);
  }, 120_000);
  afterAll(() => node?.remove());

  const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  // Logs a Transfer from the caller to the first argument, of the second: what `transfer` of a token logs.
  const TOKEN = `0x602435600052600435337f${TRANSFER}60206000a300`;
  const send = (raw: string) => node.call('eth_sendRawTransaction', [raw]);
  const balance = async (address: string) =>
    BigInt(String(await node.call('eth_getBalance', [address, 'latest'])));
  const receipt = async (txid: string) =>
    (await node.call('eth_getTransactionReceipt', [txid])) as {
      status: string;
      logs: { address: string; topics: string[]; data: string }[];
    } | null;
  const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const transfer = (to: string, units: bigint) =>
    `0x${Buffer.from(transferData(to, units)).toString('hex')}`;

  it('takes and mines a native payout and one of a token, from the hot wallet', async () => {
    const desk = openDesk();
    const native = sign(desk, evmRequest());
    expect(await send(native.raw)).toBe(native.txid);
    // The same bytes again are no second payment.
    await expect(send(native.raw)).rejects.toThrow(/already imported/);
    const to = strangersEvm(1);
    const token = sign(
      desk,
      evmRequest({
        paymentId: 'P2',
        unsigned: evmFields({
          nonce: '1',
          to: USDT,
          value: '0',
          data: transfer(to, 25_000_000n),
          gas: '60000',
        }),
        outputs: [{ ...payout('W2', '25', to), coin: 'usdt' }],
      }),
    );
    expect(await send(token.raw)).toBe(token.txid);
    await node.mine(1);
    expect(await balance(to)).toBe(10n ** 18n);
    expect(await receipt(token.txid)).toMatchObject({
      status: '0x1',
      logs: [
        {
          topics: [`0x${TRANSFER}`, topic(hotAddress), topic(to)],
          data: `0x${(25_000_000).toString(16).padStart(64, '0')}`,
        },
      ],
    });
  }, 60_000);

  it('mines the dearer version under the same nonce, and a void instead of a payment', async () => {
    const desk = openDesk();
    const fields = (fee: string) =>
      evmFields({ nonce: '2', to: strangersEvm(2), maxFeePerGas: fee, maxPriorityFeePerGas: fee });
    const request = (fee: string) =>
      evmRequest({ unsigned: fields(fee), outputs: [payout('W3', '1', strangersEvm(2))] });
    const cheap = sign(desk, request('3000000000'));
    const dear = sign(desk, request('4000000000'));
    await send(cheap.raw);
    await send(dear.raw);
    await node.mine(1);
    expect(await receipt(cheap.txid)).toBeNull();
    expect(await receipt(dear.txid)).toMatchObject({ status: '0x1' });

    const stuck = evmFields({ nonce: '3', to: strangersEvm(3) });
    const pay = sign(
      desk,
      evmRequest({
        paymentId: 'P2',
        unsigned: stuck,
        outputs: [payout('W4', '1', strangersEvm(3))],
      }),
    );
    const undo = sign(
      desk,
      evmRequest({
        paymentId: 'P2',
        purpose: 'void',
        outputs: [],
        unsigned: { ...stuck, to: hotAddress, value: '0' },
      }),
    );
    await send(undo.raw);
    await node.mine(1);
    await expect(send(pay.raw)).rejects.toThrow(/nonce too low/);
    expect(await balance(strangersEvm(3))).toBe(0n);
  }, 60_000);

  it('takes gas to a deposit address and the sweep of a token from there', async () => {
    const desk = openDesk();
    const deposit = depositAddress(3);
    const gas = sign(
      desk,
      evmRequest({
        kind: 'gas',
        unsigned: evmFields({ nonce: '4', to: deposit, value: String(10n ** 16n) }),
        outputs: [{ address: deposit, amount: '0.01', index: 3 }],
      }),
    );
    await send(gas.raw);
    await node.mine(1);
    const sweep = sign(
      desk,
      evmRequest({
        paymentId: 'P2',
        kind: 'sweep',
        unsigned: evmFields({
          path: "m/44'/60'/0'/0/3",
          to: USDT,
          value: '0',
          data: transfer(hotAddress, 7n),
          gas: '60000',
        }),
        outputs: [{ address: hotAddress, amount: '0.000007', coin: 'usdt' }],
      }),
    );
    await send(sweep.raw);
    await node.mine(1);
    expect(await receipt(sweep.txid)).toMatchObject({
      status: '0x1',
      logs: [{ topics: [`0x${TRANSFER}`, topic(deposit), topic(hotAddress)] }],
    });
  }, 60_000);
});
