import { describe, expect, it } from 'vitest';
import type { Placement } from '../form/params.ts';
import { orderOf } from '../testing/order.ts';
import { beginIntent, filledPercent, nextOf, sent, take, type Intent } from './machine.ts';

const PLACEMENT: Placement = {
  call: 'create',
  params: { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '1', volume: '1' },
};
const REFUSAL = { code: '5001', message: 'Not enough.', reference: 'r1' };
const begun = (): Intent => sent(beginIntent('a', PLACEMENT, 0), 0);
const refused = (mayRepeat: boolean) => ({ kind: 'refused', refusal: REFUSAL, mayRepeat }) as const;
const order = orderOf({ clientOrderId: 'a' });

describe('one click', () => {
  it('is sent at once, and is placed by its answer', () => {
    expect(nextOf(beginIntent('a', PLACEMENT, 7), 7)).toEqual({ act: 'send', atMs: 7 });
    const placed = take(begun(), { kind: 'order', order }, 90);
    expect(placed.phase).toBe('placed');
    expect(nextOf(placed, 90)).toBeUndefined();
  });

  it('is rejected by a refusal that says so', () => {
    const rejected = take(begun(), refused(false), 50);
    expect(rejected).toMatchObject({ phase: 'rejected', refusal: REFUSAL });
  });

  it('repeats within five seconds of the click, and only asks afterwards', () => {
    let intent = take(begun(), { kind: 'lost' }, 2500);
    expect(intent.phase).toBe('checking');
    expect(nextOf(intent, 2500)).toEqual({ act: 'send', atMs: 3000 });
    intent = take(sent(intent, 3000), { kind: 'lost' }, 4600);
    expect(nextOf(intent, 4600)).toEqual({ act: 'ask', atMs: 5100 });
  });

  it('was not placed if the venue does not know it six seconds after the last copy', () => {
    const intent = take(sent(begun(), 3000), { kind: 'lost' }, 5500);
    const early = take(intent, { kind: 'unknown', askedMs: 8999 }, 9100);
    expect(early.phase).toBe('checking');
    expect(nextOf(early, 9100)?.act).toBe('ask');
    expect(take(early, { kind: 'unknown', askedMs: 9000 }, 9100).phase).toBe('absent');
  });

  it('does not believe a refusal while an earlier copy is in doubt', () => {
    const doubtful = sent(take(begun(), { kind: 'lost' }, 1000), 1500);
    const intent = take(doubtful, refused(false), 1600);
    expect(intent.phase).toBe('checking');
    expect(take(intent, { kind: 'unknown', askedMs: 9000 }, 9100).phase).toBe('rejected');
    expect(take(intent, { kind: 'order', order }, 2000)).toMatchObject({
      phase: 'placed',
      refusal: undefined,
    });
  });

  it('tries again after a refusal that asks to wait, as long as somebody waits', () => {
    expect(nextOf(take(begun(), refused(true), 100), 100)).toEqual({ act: 'send', atMs: 600 });
    expect(take(begun(), refused(true), 4800).phase).toBe('rejected');
  });

  it('goes on after a reload', () => {
    expect(nextOf(take(begun(), { kind: 'resumed' }, 2000), 2000)?.act).toBe('send');
    expect(nextOf(take(begun(), { kind: 'resumed' }, 60_000), 60_000)?.act).toBe('ask');
  });

  it('keeps the newest state of its order, and forgets older news', () => {
    const filled = orderOf({ status: 'filled', engineSeq: '120' });
    let intent = take(begun(), { kind: 'order', order: filled }, 10);
    intent = take(intent, { kind: 'order', order }, 20);
    expect(intent.order?.status).toBe('filled');
    for (const kind of ['lost', 'unanswered', 'resumed'] as const)
      expect(take(intent, { kind }, 30).phase).toBe('placed');
  });

  it('believes an order that appears late', () => {
    const absent = take(begun(), { kind: 'unknown', askedMs: 7000 }, 7100);
    expect(absent.phase).toBe('absent');
    expect(take(absent, { kind: 'order', order }, 9000).phase).toBe('placed');
  });
});

it('cuts the filled part to whole percent', () => {
  expect(filledPercent(orderOf({ volume: '3', filledVolume: '2' }))).toBe('66');
  expect(filledPercent(orderOf({ volume: '', total: '200', filledTotal: '80' }))).toBe('40');
});
