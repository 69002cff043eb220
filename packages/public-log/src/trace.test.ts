import { expect, it } from 'vitest';
import { parametersHash, signReceipt } from './receipts.ts';
import type { AskedTerms } from './receipts.ts';
import { venue, venueKeys } from './test-log.ts';
import { honestScenario, writeLines } from './test-scenario.ts';
import type { Entry } from './test-scenario.ts';
import { verifyReceipt } from './trace.ts';

const { entries } = honestScenario();
const TIME = '1760000000000';
const ICEBERG: AskedTerms = {
  symbol: 'btcusdt',
  side: 'sell',
  type: 'limit',
  price: '101',
  volume: '0.06',
  visibleVolume: '0.02',
};

const receiptFor = (orderId: string, engineSeq: string, terms: AskedTerms, time = TIME) =>
  signReceipt(
    {
      accountId: '1',
      clientOrderId: '',
      orderId,
      engineSeq,
      time,
      parametersHash: parametersHash(terms),
    },
    venue.privateKey,
  );
const lines = writeLines(entries);

it('proves the place in the queue', () => {
  expect(verifyReceipt(receiptFor('4', '18', ICEBERG), venueKeys, lines, ICEBERG)).toEqual({
    ok: true,
    facts: [
      'It joined the queue to sell at 101.0 in btcusdt, behind 2 that show 0.10, in the step that took it (event 5).',
    ],
  });
});

it('says when an order traded at once, and when the log does not have it', () => {
  const taker = { ...ICEBERG, side: 'buy', volume: '0.07', visibleVolume: '' };
  expect(verifyReceipt(receiptFor('5', '19', taker), venueKeys, lines, taker)).toEqual({
    ok: true,
    facts: ['It traded at once, in the step that took it (event 6).'],
  });
  const missing = verifyReceipt(receiptFor('77', '19', taker), venueKeys, lines);
  expect(missing).toMatchObject({ ok: true });
  expect(missing.ok && missing.facts.join()).toContain('Order 77 is not in this part of the log');
  const later = verifyReceipt(receiptFor('77', '900', taker), venueKeys, lines);
  expect(later.ok && later.facts.join()).toContain('The log ends before step 900');
});

it('an order that was held back while a younger one came first is found out', () => {
  // Orders 3 and 4 change places: the venue took 3 first, but lets 4 join before it.
  const swapped = [...entries];
  const at = (i: number, engineSeq: string): Entry =>
    ({ event: { ...entries[i]!.event, engineSeq } }) as Entry;
  swapped[5] = at(6, '17');
  swapped[6] = at(5, '18');
  const terms = { ...ICEBERG, volume: '0.05', visibleVolume: '' };
  const log = writeLines(swapped.slice(0, 7));
  const receipt = receiptFor('3', '16', terms);
  expect(verifyReceipt(receipt, venueKeys, log, terms)).toEqual({
    ok: false,
    message:
      'order 3 was taken in step 16, but came into the market only in step 18, after order 4 in step 17 (event 4), which was taken later',
  });
});

it.each([
  ['terms', receiptFor('4', '18', ICEBERG), { ...ICEBERG, price: '102' }, /for other terms/],
  [
    'time',
    receiptFor('4', '18', ICEBERG, '1760000000001'),
    ICEBERG,
    /step 18 happened at 1760000000001/,
  ],
  [
    'step',
    receiptFor('4', '20', ICEBERG),
    ICEBERG,
    /taken in step 20, but acts in step 18 already/,
  ],
  [
    'side',
    receiptFor('4', '18', { ...ICEBERG, side: 'buy' }),
    { ...ICEBERG, side: 'buy' },
    /but joined to sell at 101\.0/,
  ],
  [
    'price',
    receiptFor('4', '18', { ...ICEBERG, price: '102' }),
    { ...ICEBERG, price: '102' },
    /at 102 in btcusdt, but joined/,
  ],
])('another %s than the log has is found out', (_what, receipt, terms, message) => {
  const verdict = verifyReceipt(receipt, venueKeys, lines, terms);
  expect(verdict.ok ? '' : verdict.message).toMatch(message);
});

it('a log that is wrong itself proves nothing', () => {
  const broken = lines.with(8, lines[8]!.replace('0.02', '0.03'));
  const verdict = verifyReceipt(receiptFor('4', '18', ICEBERG), venueKeys, broken);
  expect(verdict).toMatchObject({ ok: false });
  expect(verdict.ok || verdict.message).toContain('the log is wrong at line 9');
});
