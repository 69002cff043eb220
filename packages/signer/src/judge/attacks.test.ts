// A stolen server can ask for anything. Each of these asks for one thing too much; the reason of the refusal is part of the protocol.
import { describe, expect, it } from 'vitest';
import { Transaction } from '@scure/btc-signer';
import { transferData, utxoScript } from '@rialto/chains';
import {
  ACCOUNT,
  LTC,
  START,
  USDT,
  approvedBy,
  depositAddress,
  evmFields,
  evmRequest,
  hotAddress,
  keys,
  makePsbt,
  openDesk,
  ourAddress,
  payout,
  policyFile,
  strangersAddress,
  strangersEvm,
  utxoRequest,
  type PsbtInput,
  type PsbtOutput,
} from '../test-signer.ts';
import { toUnits } from '../amount.ts';
import { readPolicy } from '../policy/policy.ts';

const STRANGER = strangersAddress(1);
const toStranger = { address: STRANGER, units: LTC };
const change = (units: bigint, index = 0) => ({
  address: ourAddress(1, index),
  units,
  change: { index },
});

/** A payout with these parts. */
const psbt = (
  inputs: readonly PsbtInput[],
  outputs: readonly PsbtOutput[],
  options?: { lockTime?: number; version?: number },
) => utxoRequest({ unsigned: makePsbt(inputs, outputs, options) });
const unitsOf = (amount: string) => toUnits(amount, 8) ?? 0n;
/** The n-th payout of an amount, of inputs of its own. */
const nth = (n: number, amount = '5') =>
  utxoRequest({
    paymentId: `P${n}`,
    unsigned: makePsbt(
      [{ units: 12n * LTC, vout: n }],
      [{ address: STRANGER, units: unitsOf(amount) }, change(12n * LTC - unitsOf(amount) - 1000n)],
    ),
    outputs: [payout(`W${n}`, amount)],
  });

describe('a payout of Litecoin', () => {
  it('is signed as declared, and the same request gives the same bytes', () => {
    const desk = openDesk();
    const first = desk.send(utxoRequest());
    expect(first).toMatchObject({ ok: true });
    expect(desk.send(utxoRequest())).toEqual(first);
    if (!('raw' in first)) throw new Error('It was not signed.');
    const tx = Transaction.fromRaw(Buffer.from(first.raw, 'hex'));
    expect(tx.id).toBe(first.txid);
    expect(tx.outputsLength).toBe(2);
    // The repetition left no second record.
    expect(desk.memory.seq).toBe(2);
  });

  it('to another address, or of another amount, is refused', () => {
    const desk = openDesk();
    const other = strangersAddress(2);
    expect(desk.ask(psbt([{}], [{ address: other, units: LTC }, change(LTC - 10_000n)]))).toBe(
      'output_not_declared',
    );
    expect(
      desk.ask(psbt([{}], [{ address: STRANGER, units: LTC + 1n }, change(LTC - 10_001n)])),
    ).toBe('output_not_declared');
    expect(
      desk.ask(psbt([{}], [{ address: STRANGER, units: LTC - 1n }, change(LTC - 9999n)])),
    ).toBe('output_not_declared');
    expect(desk.ask(psbt([{}], [change(2n * LTC - 10_000n)]))).toBe('output_missing');
    expect(desk.ask(psbt([{}], [toStranger, toStranger]))).toBe('output_not_declared');
    expect(desk.memory.seq).toBe(1);
  });

  it('with change to a stranger is refused, however it is dressed up', () => {
    const desk = openDesk();
    const left = LTC - 10_000n;
    // Our path, another's script; our deposit branch; an index that nobody would look at; another seed's path.
    expect(
      desk.ask(
        psbt(
          [{}],
          [toStranger, { address: strangersAddress(3), units: left, change: { index: 0 } }],
        ),
      ),
    ).toBe('output_not_declared');
    expect(
      desk.ask(
        psbt(
          [{}],
          [toStranger, { address: ourAddress(0, 5), units: left, change: { branch: 0, index: 5 } }],
        ),
      ),
    ).toBe('output_not_declared');
    expect(desk.ask(psbt([{}], [toStranger, change(left, 1001)]))).toBe('output_not_declared');
    expect(desk.ask(psbt([{}], [toStranger, { address: ourAddress(1, 0), units: left }]))).toBe(
      'output_not_declared',
    );
    expect(desk.ask(psbt([{}], [toStranger, change(left, 1000)]))).toBe('signed');
  });

  it('from an input that is not ours is refused', () => {
    const desk = openDesk();
    const outputs = [toStranger, change(LTC - 10_000n)];
    const script = utxoScript(keys.account(ACCOUNT).publicKey({ branch: 0, index: 1 }));
    expect(desk.ask(psbt([{ script }], outputs))).toBe('input_not_ours');
    expect(desk.ask(psbt([{ fingerprint: 1 }], outputs))).toBe('input_not_ours');
    expect(desk.ask(psbt([{ branch: 2 }], outputs))).toBe('input_not_ours');
    expect(desk.ask(psbt([{ index: 1001 }], outputs))).toBe('input_not_ours');
    expect(desk.ask(psbt([{}, { vout: 1, script }], outputs))).toBe('input_not_ours');
  });

  it('with ten times the fee is refused, by rate and by amount', () => {
    const desk = openDesk();
    // 141 virtual bytes at 100 units each: 14 100 are allowed, and a little less than that is known before signing.
    expect(desk.ask(psbt([{}], [toStranger, change(LTC - 141_000n)]))).toBe('fee_too_high');
    expect(desk.ask(psbt([{}], [toStranger, change(LTC - 14_000n)]))).toBe('signed');
    const wide = {
      ...policyFile,
      networks: {
        LTC: {
          ...policyFile.networks.LTC,
          fee: { ...policyFile.networks.LTC.fee, rateMax: 1_000_000 },
        },
      },
    };
    const other = openDesk(readPolicy(JSON.stringify(wide)));
    expect(other.ask(psbt([{}], [toStranger, change(LTC - 1_000_001n)]))).toBe('fee_too_high');
    // Everything that is not an output is a fee.
    expect(other.ask(psbt([{}], [toStranger]))).toBe('fee_too_high');
  });

  it('above a ceiling is refused: of a transaction, of the hour, of the day', () => {
    const desk = openDesk();
    const big = (n: number, amount: string) => {
      const request = nth(n, amount);
      return { ...request, approvals: approvedBy(2, request) };
    };
    expect(desk.ask(big(1, '11'))).toBe('limit_transaction');
    expect(desk.ask(big(1, '10'))).toBe('signed');
    desk.now += 1000;
    expect(desk.ask(big(2, '10'))).toBe('signed');
    // 101 % of the hour.
    const over = desk.send(nth(3, '0.2'));
    expect(over).toMatchObject({ reason: 'limit_hour', availableAt: String(START + 3_600_000) });
    desk.now = START + 3_599_999;
    expect(desk.ask(nth(3, '1'))).toBe('limit_hour');
    desk.now = START + 3_600_000;
    expect(desk.ask(nth(3, '1'))).toBe('signed');
    for (let n = 4; n < 8; n += 1) {
      desk.now += 3_600_001;
      expect(desk.ask(big(n, '7'))).toBe('signed');
    }
    // 10 + 10 + 1 + 28 = 49 of 50.
    desk.now += 3_600_001;
    expect(desk.send(big(9, '2'))).toMatchObject({
      reason: 'limit_day',
      availableAt: String(START + 24 * 3_600_000),
    });
    expect(desk.ask(nth(9, '1'))).toBe('signed');
  });

  it('gets no new hour when the clock is set back', () => {
    const desk = openDesk();
    for (const n of [1, 2, 3, 4]) expect(desk.ask(nth(n))).toBe('signed');
    desk.now = START - 10 * 3_600_000;
    expect(desk.ask(nth(5))).toBe('limit_hour');
    desk.now = START + 3_599_999;
    expect(desk.ask(nth(5))).toBe('limit_hour');
  });

  it('that delays itself, spends twice, or is no transaction is refused', () => {
    const desk = openDesk();
    const outputs = [toStranger, change(LTC - 10_000n)];
    expect(desk.ask(psbt([{}], outputs, { lockTime: 500 }))).toBe('bad_transaction');
    expect(desk.ask(psbt([{ sequence: 10 }], outputs))).toBe('bad_transaction');
    expect(desk.ask(psbt([{}], outputs, { version: 1 }))).toBe('bad_transaction');
    expect(desk.ask(psbt([{ units: LTC }, { units: LTC }], outputs))).toBe('bad_transaction');
    expect(desk.ask(psbt([{ units: LTC / 2n }], outputs))).toBe('bad_transaction');
    expect(desk.ask(utxoRequest({ unsigned: 'cHNidP8=' }))).toBe('bad_transaction');
    expect(desk.ask(utxoRequest({ unsigned: '%%%' }))).toBe('bad_transaction');
    expect(desk.ask(utxoRequest({ unsigned: evmFields() }))).toBe('bad_transaction');
  });

  it('cannot be put together from two lies about the inputs', () => {
    const desk = openDesk();
    const inputs = (first: bigint, second: bigint) => [
      { units: first },
      { vout: 1, units: second },
    ];
    // In truth both are worth 2 LTC: with the right signature of each, 1.0001 LTC would be the fee.
    const outputs = [toStranger, change(2n * LTC - 10_000n)];
    expect(desk.ask(psbt(inputs(2n * LTC, LTC), outputs))).toBe('signed');
    expect(desk.ask(psbt(inputs(LTC, 2n * LTC), outputs))).toBe('amount_differs');
  });

  it('is not held up by such a lie: the transaction that made the input proves its amount', () => {
    const desk = openDesk();
    const made = new Transaction({ allowUnknownInputs: true });
    made.addInput({ txid: 'cc'.repeat(32), index: 0 });
    made.addOutputAddress(ourAddress(0, 0), 2n * LTC, policyFile.networks.LTC);
    const nonWitnessUtxo = Buffer.from(made.unsignedTx).toString('hex');
    const outputs = [toStranger, change(LTC - 10_000n)];
    expect(
      desk.ask(
        psbt([{ txid: made.id, units: 3n * LTC }], [toStranger, change(2n * LTC - 10_000n)]),
      ),
    ).toBe('signed');
    expect(desk.ask(psbt([{ txid: made.id }], outputs))).toBe('amount_differs');
    expect(desk.ask(psbt([{ txid: made.id, nonWitnessUtxo }], outputs))).toBe('signed');
    // From now on this is the amount.
    expect(desk.ask(psbt([{ txid: made.id }], outputs))).toBe('signed');
    // A transaction that is not the one that made the input proves nothing.
    const forged = Buffer.from(makePsbt([{ txid: made.id, nonWitnessUtxo }], outputs), 'base64');
    const at = forged.indexOf(Buffer.from(made.id, 'hex').reverse());
    forged.fill(0xdd, at, at + 32);
    expect(desk.ask(utxoRequest({ unsigned: forged.toString('base64') }))).toBe('bad_transaction');
  });
});

describe('a further version of a payment', () => {
  it('shares an input with every earlier one', () => {
    const desk = openDesk();
    const version = (inputs: readonly PsbtInput[], fee: bigint) =>
      psbt(inputs, [toStranger, change(2n * LTC * BigInt(inputs.length) - LTC - fee)]);
    const [a, b, c] = [{ vout: 0 }, { vout: 1 }, { vout: 2 }];
    expect(desk.ask(version([a], 1000n))).toBe('signed');
    expect(desk.ask(version([a, b], 2000n))).toBe('signed');
    expect(desk.ask(version([c], 3000n))).toBe('not_in_conflict');
    // It excludes the second, but not the first.
    expect(desk.ask(version([b, c], 3000n))).toBe('not_in_conflict');
    expect(desk.ask(version([a, c], 3000n))).toBe('signed');
  });

  it('pays the same, on the same network and in the same way', () => {
    const desk = openDesk();
    expect(desk.ask(utxoRequest())).toBe('signed');
    const more = utxoRequest({
      unsigned: makePsbt([{}], [{ address: STRANGER, units: LTC + 1n }, change(LTC - 5000n)]),
      outputs: [payout('W1', '1.00000001')],
    });
    expect(desk.ask(more)).toBe('payment_differs');
    const cold = utxoRequest({
      kind: 'to_cold',
      unsigned: makePsbt(
        [{}],
        [{ address: strangersAddress(77), units: LTC }, change(LTC - 5000n)],
      ),
      outputs: [{ address: strangersAddress(77), amount: '1' }],
    });
    expect(desk.ask(cold)).toBe('payment_differs');
    expect(desk.ask(evmRequest())).toBe('payment_differs');
  });

  it('as void pays nobody but the venue, and charges nothing but its fee', () => {
    const desk = openDesk();
    expect(desk.ask(utxoRequest())).toBe('signed');
    const asVoid = (outputs: readonly PsbtOutput[], inputs: readonly PsbtInput[] = [{}]) =>
      utxoRequest({ purpose: 'void', outputs: [], unsigned: makePsbt(inputs, outputs) });
    expect(desk.ask({ ...utxoRequest(), purpose: 'void' })).toBe('bad_output');
    expect(desk.ask(asVoid([toStranger, change(LTC - 12_000n)]))).toBe('output_not_declared');
    expect(desk.ask(asVoid([change(2n * LTC - 10_000n)], [{ vout: 9 }]))).toBe('not_in_conflict');
    expect(desk.ask(asVoid([change(2n * LTC - 10_000n)]))).toBe('signed');
    expect(desk.memory.ledger.charges.get('LTC coin ltc')).toHaveLength(1);
  });

  it('of a withdrawal that has another payment is refused, for ever', () => {
    const desk = openDesk();
    expect(desk.ask(utxoRequest())).toBe('signed');
    const second = utxoRequest({
      paymentId: 'P2',
      unsigned: makePsbt([{ vout: 5 }], [toStranger, change(LTC - 10_000n)]),
    });
    expect(desk.ask(second)).toBe('withdrawal_has_payment');
    // Not after a void, not on another network, not a year later.
    expect(
      desk.ask(
        utxoRequest({
          purpose: 'void',
          outputs: [],
          unsigned: makePsbt([{}], [change(2n * LTC - 10_000n)]),
        }),
      ),
    ).toBe('signed');
    desk.now += 365 * 86_400_000;
    expect(desk.ask(second)).toBe('withdrawal_has_payment');
    expect(desk.ask(evmRequest({ paymentId: 'P3' }))).toBe('withdrawal_has_payment');
    expect(desk.ask(utxoRequest({ paymentId: 'P4', outputs: [payout('W8'), payout('W8')] }))).toBe(
      'bad_output',
    );
  });
});

describe('approvals', () => {
  const request = nth(1, '6');

  it('of two operators let a large payment pass; one, or twice the same, does not', () => {
    const desk = openDesk();
    const [ana] = approvedBy(1, request);
    expect(desk.ask(request)).toBe('approvals_missing');
    expect(desk.ask({ ...request, approvals: [ana] })).toBe('approvals_missing');
    expect(desk.ask({ ...request, approvals: [ana, ana] })).toBe('approvals_missing');
    expect(desk.ask({ ...request, approvals: approvedBy(2, request) })).toBe('signed');
  });

  it('for one payment are worth nothing for another', () => {
    const desk = openDesk();
    const approvals = approvedBy(3, request);
    const others = [
      { ...nth(1, '7'), approvals },
      { ...request, paymentId: 'P2', approvals },
      { ...request, outputs: [payout('W2', '6')], approvals },
    ];
    for (const other of others) expect(desk.ask(other)).toBe('approvals_missing');
    const stranger = approvals.map(({ signature }) => ({
      key: `ed25519:${Buffer.alloc(32, 1).toString('base64')}`,
      signature,
    }));
    expect(desk.ask({ ...request, approvals: stranger })).toBe('approvals_missing');
    const swapped = approvals.map(({ key }, at) => ({
      key,
      signature: approvals[(at + 1) % approvals.length]?.signature,
    }));
    expect(desk.ask({ ...request, approvals: swapped })).toBe('approvals_missing');
    const torn = approvals.map(({ key, signature }) => ({ key, signature: signature.slice(4) }));
    expect(desk.ask({ ...request, approvals: torn })).toBe('approvals_missing');
  });
});

describe('sweeps, cold targets and children', () => {
  const make = (kind: 'sweep' | 'to_cold' | 'child', address: string) =>
    utxoRequest({
      kind,
      outputs: kind === 'child' ? [] : [{ address, amount: '1' }],
      unsigned: makePsbt([{}], [{ address, units: LTC }, change(LTC - 10_000n)]),
    });

  it('go only where the policy says', () => {
    const desk = openDesk();
    const cold = strangersAddress(77);
    expect(desk.ask(make('sweep', STRANGER))).toBe('target_not_in_policy');
    expect(desk.ask(make('to_cold', STRANGER))).toBe('target_not_in_policy');
    expect(desk.ask(make('to_cold', ourAddress(0, 900)))).toBe('target_not_in_policy');
    expect(desk.ask(make('child', STRANGER))).toBe('output_not_declared');
    expect(desk.ask({ ...make('sweep', ourAddress(0, 900)), paymentId: 'P2' })).toBe('signed');
    expect(desk.ask({ ...make('to_cold', cold), paymentId: 'P3' })).toBe('signed');
    const child = {
      ...make('child', cold),
      unsigned: makePsbt([{}], [change(2n * LTC - 10_000n)]),
    };
    expect(desk.ask({ ...child, paymentId: 'P4' })).toBe('signed');
    // What stays ours is not charged; fees are.
    expect(desk.memory.ledger.charges.get('LTC coin ltc')).toBeUndefined();
    expect(desk.memory.ledger.charges.get('LTC fee')).toHaveLength(3);
  });

  it('cannot burn more than the fees of an hour', () => {
    // 10 000 units each; 0.0005 LTC is five of them.
    const { LTC: network } = policyFile.networks;
    const fee = { ...network.fee, transactionMax: '0.0005', hourMax: '0.0005' };
    const desk = openDesk(
      readPolicy(JSON.stringify({ ...policyFile, networks: { LTC: { ...network, fee } } })),
    );
    const burn = (n: number) =>
      utxoRequest({
        paymentId: `P${n}`,
        kind: 'child',
        outputs: [],
        unsigned: makePsbt([{ vout: n }], [change(2n * LTC - 10_000n)]),
      });
    let signed = 0;
    while (signed < 10 && desk.ask(burn(signed)) === 'signed') signed += 1;
    expect(signed).toBe(5);
    expect(desk.ask(burn(999))).toBe('limit_hour');
  });
});

describe('a payment of EVM', () => {
  const ask = (fields: Parameters<typeof evmFields>[0], change?: object) =>
    openDesk().ask({ ...evmRequest({ unsigned: evmFields(fields) }), ...change });
  const token = (units: bigint, to = strangersEvm(1)) =>
    `0x${Buffer.from(transferData(to, units)).toString('hex')}`;
  const tokenOutput = [{ ...payout('W1', '25', strangersEvm(1)), coin: 'usdt' }];

  it('is signed as declared, native or a token', () => {
    expect(ask({})).toBe('signed');
    expect(
      ask(
        { to: USDT, value: '0', data: token(25_000_000n), gas: '60000' },
        { outputs: tokenOutput },
      ),
    ).toBe('signed');
  });

  it('with any other address, value or data is refused', () => {
    for (const fields of [
      { to: strangersEvm(2) },
      { value: String(10n ** 18n + 1n) },
      { value: '0' },
      { data: '0x00' },
      { data: token(1n) },
    ]) {
      expect(ask(fields)).toBe('output_not_declared');
    }
    for (const fields of [
      { to: USDT, value: '1', data: token(25_000_000n) },
      { to: USDT, value: '0', data: token(25_000_001n) },
      { to: USDT, value: '0', data: token(25_000_000n, strangersEvm(2)) },
      { to: USDT, value: '0', data: `${token(25_000_000n)}00` },
      { to: USDT, value: '0', data: token(25_000_000n).replace('a9059cbb', '095ea7b3') },
      { to: strangersEvm(1), value: '0', data: token(25_000_000n) },
    ]) {
      expect(ask(fields, { outputs: tokenOutput })).toBe('output_not_declared');
    }
  });

  it('on another chain, from another path, or with a member that nobody knows is refused', () => {
    expect(ask({ chainId: '1' })).toBe('bad_transaction');
    expect(ask({ path: "m/44'/60'/0'/0/1" })).toBe('input_not_ours');
    expect(ask({ path: "m/44'/60'/1'/0/1" })).toBe('input_not_ours');
    expect(ask({ path: 'm' })).toBe('input_not_ours');
    expect(ask({ to: strangersEvm(1).toLowerCase().replace('a', 'A') })).toBe('bad_transaction');
    expect(ask({ nonce: '-1' })).toBe('bad_request');
    const fields = { ...evmFields(), accessList: [] };
    expect(openDesk().ask({ ...evmRequest(), unsigned: fields })).toBe('bad_request');
    expect(openDesk().ask({ ...evmRequest(), memo: 'x' })).toBe('bad_request');
  });

  it('with a fee above rate or ceiling is refused', () => {
    expect(ask({ maxFeePerGas: '200000000001' })).toBe('fee_too_high');
    expect(ask({ maxFeePerGas: '200000000000', gas: '100001' })).toBe('fee_too_high');
    expect(ask({ maxFeePerGas: '200000000000', gas: '100000' })).toBe('signed');
    expect(ask({ maxPriorityFeePerGas: '20000000001' })).toBe('bad_transaction');
  });

  it('is replaced under its own nonce only', () => {
    const desk = openDesk();
    const version = (fields: Parameters<typeof evmFields>[0], change?: object) =>
      desk.ask({ ...evmRequest({ unsigned: evmFields(fields) }), ...change });
    expect(version({})).toBe('signed');
    expect(version({ nonce: '1' })).toBe('not_in_conflict');
    expect(version({ maxFeePerGas: '30000000000' })).toBe('signed');
    const toNobody = { purpose: 'void', outputs: [] };
    expect(version({ to: hotAddress, value: '1' }, toNobody)).toBe('output_not_declared');
    expect(version({ to: strangersEvm(1), value: '0' }, toNobody)).toBe('output_not_declared');
    expect(version({ to: hotAddress, value: '0', nonce: '1' }, toNobody)).toBe('not_in_conflict');
    expect(version({ to: hotAddress, value: '0' }, toNobody)).toBe('signed');
  });

  it('of gas goes to a deposit address of ours, a sweep comes from one to the hot wallet', () => {
    const gas = (address: string, index: number) =>
      openDesk().ask(
        evmRequest({
          kind: 'gas',
          unsigned: evmFields({ to: address, value: '1000' }),
          outputs: [{ address, amount: '0.000000000000001', index }],
        }),
      );
    expect(gas(depositAddress(3), 3)).toBe('signed');
    expect(gas(depositAddress(3), 4)).toBe('target_not_in_policy');
    expect(gas(strangersEvm(3), 3)).toBe('target_not_in_policy');
    const sweep = (address: string, path: string) =>
      openDesk().ask(
        evmRequest({
          kind: 'sweep',
          unsigned: evmFields({ to: address, path }),
          outputs: [{ address, amount: '1' }],
        }),
      );
    expect(sweep(hotAddress, "m/44'/60'/0'/0/3")).toBe('signed');
    expect(sweep(hotAddress, "m/44'/60'/0'/0/1001")).toBe('input_not_ours');
    expect(sweep(hotAddress, "m/44'/60'/1'/0/0")).toBe('input_not_ours');
    expect(sweep(strangersEvm(1), "m/44'/60'/0'/0/3")).toBe('target_not_in_policy');
  });

  it('of several outputs, an unknown coin or a misspelt amount is refused', () => {
    const outputs = (...list: readonly object[]) => ask({}, { outputs: list });
    const one = payout('W1', '1', strangersEvm(1));
    expect(outputs(one, { ...one, withdrawId: 'W2' })).toBe('bad_output');
    expect(outputs()).toBe('bad_output');
    expect(outputs({ ...one, coin: 'doge' })).toBe('unknown_coin');
    for (const amount of ['1.0', '01', '1e0', '-1', '0', '0.0000000000000000001', '1,0', ' 1']) {
      expect(outputs({ ...one, amount })).toBe('bad_output');
    }
    expect(outputs({ ...one, address: STRANGER })).toBe('bad_output');
    expect(ask({}, { network: 'BTC' })).toBe('unknown_network');
  });
});

it('lines that are no request are refused, and change nothing', () => {
  const desk = openDesk();
  for (const line of [
    '',
    '{',
    'null',
    '[]',
    '{"op":"seed"}',
    '{"op":"pubkeys","x":1}',
    '['.repeat(100_000),
  ]) {
    expect(desk.ask(line)).toBe('bad_request');
  }
  expect(desk.send({ op: 'health' })).toMatchObject({ ok: true, ready: true, seq: 1 });
  expect(desk.send({ op: 'pubkeys' })).toMatchObject({ ok: true });
});
