// A counter as a topic: whoever follows it gets a snapshot, then every number after it, or a later snapshot.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createMetrics } from '../../../platform/observe/metrics.ts';
import type { Connection } from '../connection.ts';
import type { Frames } from '../message.ts';
import { SharedTopic } from './shared-topic.ts';

class CounterTopic extends SharedTopic {
  value = 0;

  count(): void {
    this.value += 1;
    this.publish(`+${this.value}`);
  }

  restart(): void {
    this.value += 10;
    this.publishSnapshot();
  }

  protected begin(): void {}

  protected printSnapshot(): string {
    return `=${this.value}`;
  }
}

const createTopic = () =>
  new CounterTopic({
    name: 'counter',
    pattern: 'counter',
    metrics: createMetrics('test'),
    clock: { now: () => 0 },
  });

/** Notes the writes, and the texts in them. */
class Reader {
  isBehind = false;
  writes = 0;
  readonly texts: string[] = [];

  send({ plain }: Frames): void {
    this.writes += 1;
    for (let at = 0; at < plain.length;) {
      const end = at + 2 + (plain[at + 1] ?? 0);
      this.texts.push(plain.subarray(at + 2, end).toString());
      at = end;
    }
  }

  get asConnection(): Connection {
    return this as unknown as Connection;
  }
}

/** The value that a reader has, who expects no gap. */
function follow(texts: readonly string[]): number | undefined {
  let value: number | undefined;
  for (const text of texts) {
    const next = Number(text.slice(1));
    if (text.startsWith('+')) expect(next, texts.join(' ')).toBe((value ?? NaN) + 1);
    value = next;
  }
  return value;
}

it('writes what was published together by one write', async () => {
  const topic = createTopic();
  const reader = new Reader();
  topic.join(reader.asConnection);
  for (let n = 0; n < 20; n += 1) topic.count();
  expect(reader.writes).toBe(1);
  await turn();
  expect(reader.writes).toBe(2);
  expect(follow(reader.texts)).toBe(20);
});

it('does not gather for ever while nothing else gets a turn', () => {
  const topic = createTopic();
  const reader = new Reader();
  topic.join(reader.asConnection);
  for (let n = 0; n < 1000; n += 1) topic.count();
  expect(reader.writes).toBeGreaterThan(3);
});

it('leaves nobody with a gap, whoever joins, leaves, falls behind or catches up meanwhile', async () => {
  const act = fc.record({
    kind: fc.constantFrom(
      'count',
      'count',
      'join',
      'leave',
      'behind',
      'catchUp',
      'turn',
      'restart',
    ),
    who: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const topic = createTopic();
      const readers = [new Reader(), new Reader(), new Reader()];
      const joined = new Set<Reader>();
      for (const { kind, who } of acts) {
        const reader = readers[who] as Reader;
        if (kind === 'count') topic.count();
        else if (kind === 'restart') topic.restart();
        else if (kind === 'turn') await turn();
        else if (kind === 'behind') reader.isBehind = true;
        else if (kind === 'leave') {
          topic.leave(reader.asConnection);
          joined.delete(reader);
        } else if (kind === 'join' && !joined.has(reader)) {
          topic.join(reader.asConnection);
          joined.add(reader);
        } else if (kind === 'catchUp' && reader.isBehind) {
          reader.isBehind = false;
          topic.catchUp(reader.asConnection);
        }
      }
      for (const reader of readers.filter(({ isBehind }) => isBehind)) {
        reader.isBehind = false;
        topic.catchUp(reader.asConnection);
      }
      // A last one writes what is gathered.
      topic.join(new Reader().asConnection);
      for (const reader of readers) {
        const value = follow(reader.texts);
        if (joined.has(reader)) expect(value).toBe(topic.value);
      }
    }),
    { numRuns: 2000 },
  );
});
