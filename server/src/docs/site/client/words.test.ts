import { expect, it } from 'vitest';
import { listWords, nameOf, normalise } from './words.js';

it('finds names whole and by their parts', () => {
  expect(listWords('clientOrderId')).toEqual(['clientorderid', 'client', 'order', 'id']);
  expect(listWords('POST /v1/private/order/create,')).toEqual([
    'post',
    'v1/private/order/create',
    'v1',
    'private',
    'order',
    'create',
  ]);
  expect(listWords('BAD_EVENT_QUEUE_ID')).toEqual([
    'bad_event_queue_id',
    'bad',
    'event',
    'queue',
    'id',
  ]);
});

it('writes Persian in one way: Arabic letters, digits, half-spaces, vowel marks', () => {
  expect(normalise('كيف‌پول')).toBe('کیف پول');
  expect(normalise('سُفارِش ۱۲۳ ٤٥')).toBe('سفارش 123 45');
  expect(listWords('می‌شود')).toEqual(['می', 'شود']);
});

it('bounds every word', () => {
  expect(listWords('a'.repeat(5000))[0]?.length).toBe(64);
});

it('compares names without letters’ case and spaces around', () => {
  expect(nameOf('  X-SVC-Signature ')).toBe('x-svc-signature');
});
