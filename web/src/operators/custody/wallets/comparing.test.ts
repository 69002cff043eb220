import { expect, it } from 'vitest';
import type { CustodyReport } from '../../../api/custody.ts';
import { networksLeft, newestOf } from './comparing.ts';

const report = (reportId: string, network: string, coin: string): CustodyReport => ({
  reportId,
  network,
  coin,
  outcome: 'equal',
  reason: '',
  height: '1',
  onChain: '1',
  custody: '-1',
  uncredited: '0',
  unsettled: '0',
  costs: '0',
  difference: '0',
  at: '1760000000000',
});

it('a comparison has come when every coin of its network has a newer report', () => {
  const before = [
    report('9', 'ETH', 'eth'),
    report('10', 'ETH', 'usdt'),
    report('8', 'LTC', 'ltc'),
  ];
  const after = newestOf(before);
  expect(after).toBe(10n);
  expect(networksLeft(['ETH', 'LTC'], before, after)).toEqual(['ETH', 'LTC']);
  const half = [
    report('11', 'ETH', 'eth'),
    report('10', 'ETH', 'usdt'),
    report('12', 'LTC', 'ltc'),
  ];
  expect(networksLeft(['ETH', 'LTC'], half, after)).toEqual(['ETH']);
  const all = [report('11', 'ETH', 'eth'), report('13', 'ETH', 'usdt'), report('12', 'LTC', 'ltc')];
  expect(networksLeft(['ETH', 'LTC'], all, after)).toEqual([]);
});

it('a network that was never compared is waited for', () => {
  expect(networksLeft(['LTC'], [], newestOf([]))).toEqual(['LTC']);
  expect(networksLeft(['LTC'], [report('1', 'LTC', 'ltc')], 0n)).toEqual([]);
});
