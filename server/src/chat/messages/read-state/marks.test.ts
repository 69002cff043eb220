// Compares the compact read state with a simple model: a set of single messages.
import { describe, expect, it } from 'vitest';
import {
  allThrough,
  BLOCK_BYTES,
  BLOCK_MESSAGES,
  blocksToLoad,
  ReadMarks,
  toRanges,
  type Block,
  type Range,
} from './marks.ts';

/** What the tables hold: one watermark and the rows of blocks; and a count of rows written. */
class Stored {
  readThrough = 0;
  rows = new Map<number, Uint8Array>();
  rowsWritten = 0;

  mark(ranges: readonly Range[], isRead: boolean, head: number): number {
    const known = new Map<number, Block>();
    for (const block of blocksToLoad(ranges)) known.set(block, this.rows.get(block) ?? null);
    const marks = new ReadMarks(this.readThrough, known);
    marks.mark(ranges, isRead);
    for (;;) {
      const missing = marks.settle(head);
      if (missing === undefined) break;
      marks.learn(missing, this.rows.get(missing) ?? null);
    }
    const { readThrough, upserts, deletes } = marks.changes();
    let written = readThrough === this.readThrough ? 0 : 1;
    this.readThrough = readThrough;
    // As Buffers, because the database returns Buffers.
    for (const [block, bits] of upserts) this.rows.set(block, Buffer.from(bits));
    for (const block of deletes) if (this.rows.delete(block)) written += 1;
    written += upserts.size;
    this.rowsWritten += written;
    return written;
  }

  isRead(seq: number): boolean {
    const bits = this.rows.get(Math.floor(seq / BLOCK_MESSAGES));
    if (bits === undefined) return seq <= this.readThrough;
    const bit = seq % BLOCK_MESSAGES;
    return ((bits[bit >> 3] as number) >> (bit & 7)) % 2 === 1;
  }

  get bytes(): number {
    return this.rows.size * BLOCK_BYTES;
  }
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Message {
  readonly id: number;
  readonly home: number;
  readonly seq: number;
  channel: number;
  topic: number;
  isLive: boolean;
}

const CHANNELS = 4;
const TOPICS = 6;
const PEOPLE = 3;

/** What one person has received and has read, kept twice: compactly, and as a set. */
class ModelReader {
  readonly stored = Array.from({ length: CHANNELS }, () => new Stored());
  readonly received: Range[][] = Array.from({ length: CHANNELS }, () => []);
  readonly subscribed = Array.from({ length: CHANNELS }, () => false);
  readonly naiveRead = new Set<number>();
  readonly naiveReceived = new Set<number>();
  /** Two clients, each acting on what it last fetched. */
  readonly sessions: number[][] = [[], []];

  hasReceived({ home, seq }: Message): boolean {
    return (this.received[home] ?? []).some(({ from, through }) => from <= seq && seq <= through);
  }

  isUnread(message: Message): boolean {
    const { home, seq, channel, isLive } = message;
    if (!isLive || this.subscribed[channel] !== true || !this.hasReceived(message)) return false;
    return !(this.stored[home] as Stored).isRead(seq);
  }

  isUnreadNaively({ id, channel, isLive }: Message): boolean {
    if (!isLive || this.subscribed[channel] !== true) return false;
    return this.naiveReceived.has(id) && !this.naiveRead.has(id);
  }
}

class World {
  readonly messages: Message[] = [];
  /** Messages that are not deleted, by channel and topic. */
  readonly #places = Array.from({ length: CHANNELS * TOPICS }, () => new Set<Message>());
  readonly #moved = new Set<Message>();
  readonly heads = Array.from({ length: CHANNELS }, () => 0);
  readonly readers = Array.from({ length: PEOPLE }, () => new ModelReader());
  readonly #random: (below: number) => number;

  constructor(seed: number) {
    this.#random = random(seed);
    for (const reader of this.readers) {
      for (let channel = 0; channel < CHANNELS; channel += 1) {
        if (this.#random(4) > 0) this.#subscribe(reader, channel);
      }
    }
  }

  step(): ModelReader {
    const reader = this.readers[this.#random(PEOPLE)] as ModelReader;
    const session = this.#random(2);
    const channel = this.#random(CHANNELS);
    const dice = this.#random(100);
    if (dice < 40) this.#send(channel, 1 + this.#random(8));
    else if (dice < 56) reader.sessions[session] = this.#look(reader);
    else if (dice < 72) this.#markIds(reader, this.#some(reader.sessions[session] ?? []), true);
    else if (dice < 80) this.#markIds(reader, this.#recent(1 + this.#random(20)), false);
    else if (dice < 82) this.#markTopic(reader, channel, this.#random(TOPICS));
    else if (dice < 83) this.#markChannel(reader, channel);
    else if (dice < 88) this.#moveTopic(channel, channel);
    else if (dice < 92) this.#moveTopic(channel, this.#random(CHANNELS));
    else if (dice < 99) this.#delete(this.#recent(1 + this.#random(5)));
    else if (reader.subscribed[channel]) this.#unsubscribe(reader, channel);
    else this.#subscribe(reader, channel);
    return reader;
  }

  /** The messages on which the two models disagree. */
  disagreements(reader: ModelReader, messages: readonly Message[]): Message[] {
    return messages.filter(
      (message) => reader.isUnread(message) !== reader.isUnreadNaively(message),
    );
  }

  sample(size: number): Message[] {
    const recent = this.messages.slice(-size);
    const old = Array.from(
      { length: size },
      () => this.messages[this.#random(this.messages.length)],
    );
    return [...recent, ...old.filter((message) => message !== undefined)];
  }

  #placeOf({ channel, topic }: Message): Set<Message> {
    return this.#places[channel * TOPICS + topic] as Set<Message>;
  }

  #send(channel: number, count: number): void {
    for (let n = 0; n < count; n += 1) {
      const seq = ((this.heads[channel] as number) += 1);
      const message = {
        id: this.messages.length,
        home: channel,
        seq,
        channel,
        topic: this.#random(TOPICS),
        isLive: true,
      };
      this.messages.push(message);
      this.#placeOf(message).add(message);
      for (const reader of this.readers) {
        if (reader.subscribed[channel]) reader.naiveReceived.add(message.id);
      }
    }
  }

  #look(reader: ModelReader): number[] {
    return this.messages
      .slice(-400)
      .filter((message) => reader.isUnread(message))
      .map(({ id }) => id);
  }

  #some(ids: readonly number[]): number[] {
    const portion = 1 + this.#random(4);
    return ids.filter(() => this.#random(4) < portion);
  }

  #recent(count: number): number[] {
    const start = Math.max(0, this.messages.length - 300);
    const width = this.messages.length - start;
    return width === 0 ? [] : Array.from({ length: count }, () => start + this.#random(width));
  }

  #markIds(reader: ModelReader, ids: readonly number[], isRead: boolean): void {
    const messages = ids.map((id) => this.messages[id] as Message).filter(({ isLive }) => isLive);
    this.#mark(reader, messages, isRead);
  }

  #markTopic(reader: ModelReader, channel: number, topic: number): void {
    const found = [...(this.#places[channel * TOPICS + topic] ?? [])];
    this.#mark(reader, found, true);
  }

  /** Marks by range: all of this home except what moved away, plus single messages that moved in. */
  #markChannel(reader: ModelReader, channel: number): void {
    const here = this.#places
      .slice(channel * TOPICS, (channel + 1) * TOPICS)
      .flatMap((p) => [...p]);
    const away = [...this.#moved].filter((m) => m.home === channel && m.channel !== channel);
    const stored = reader.stored[channel] as Stored;
    const head = this.heads[channel] as number;
    const all = allThrough(
      head,
      away.map(({ seq }) => seq),
    );
    if (all.length > 0) stored.mark(all, true, head);
    this.#mark(
      reader,
      here.filter((m) => m.home !== channel),
      true,
    );
    for (const { id } of here) reader.naiveRead.add(id);
  }

  #mark(reader: ModelReader, messages: readonly Message[], isRead: boolean): void {
    for (const [home, own] of Map.groupBy(messages, (message) => message.home)) {
      const ranges = toRanges(own.map(({ seq }) => seq));
      (reader.stored[home] as Stored).mark(ranges, isRead, this.heads[home] as number);
    }
    for (const { id } of messages) {
      if (isRead) reader.naiveRead.add(id);
      else reader.naiveRead.delete(id);
    }
  }

  /** Touches no reader, in either model. */
  #moveTopic(from: number, to: number): void {
    const topic = this.#random(TOPICS);
    const target = this.#random(TOPICS);
    for (const message of this.messages.slice(-500)) {
      if (message.channel !== from || message.topic !== topic) continue;
      this.#placeOf(message).delete(message);
      message.channel = to;
      message.topic = target;
      if (message.isLive) this.#placeOf(message).add(message);
      if (from !== to) this.#moved.add(message);
    }
  }

  #delete(ids: readonly number[]): void {
    for (const id of ids) {
      const message = this.messages[id] as Message;
      message.isLive = false;
      this.#placeOf(message).delete(message);
      this.#moved.delete(message);
    }
  }

  #subscribe(reader: ModelReader, channel: number): void {
    const from = (this.heads[channel] as number) + 1;
    reader.received[channel]?.push({ from, through: Infinity });
    reader.subscribed[channel] = true;
  }

  #unsubscribe(reader: ModelReader, channel: number): void {
    const last = reader.received[channel]?.pop();
    const through = this.heads[channel] as number;
    if (last !== undefined && last.from <= through) {
      reader.received[channel]?.push({ from: last.from, through });
    }
    reader.subscribed[channel] = false;
  }
}

const OPERATIONS = 100_000;

describe('the compact read state', () => {
  it(`agrees with a set of single messages over ${OPERATIONS} random operations`, () => {
    const seed = Number(process.env['SEED'] ?? 20_261_115);
    const world = new World(seed);
    for (let step = 0; step < OPERATIONS; step += 1) {
      const reader = world.step();
      const about = step % 5000 === 0 ? world.messages : world.sample(20);
      const wrong = world.disagreements(reader, about);
      if (wrong.length > 0)
        throw new Error(`seed ${seed}, step ${step}: ${JSON.stringify(wrong[0])}`);
    }
    for (const reader of world.readers) {
      expect(world.disagreements(reader, world.messages)).toEqual([]);
      // At most one bit per message, in whole blocks.
      const blocks = world.heads.reduce(
        (sum, head) => sum + Math.ceil((head + 1) / BLOCK_MESSAGES),
        0,
      );
      const rows = reader.stored.reduce((sum, { rows }) => sum + rows.size, 0);
      expect(rows).toBeLessThanOrEqual(blocks);
    }
    // Enough messages for several blocks; otherwise the test would not cover them.
    expect(Math.min(...world.heads)).toBeGreaterThan(2 * BLOCK_MESSAGES);
  }, 120_000);

  it('costs one number for a person who reads everything as it arrives', () => {
    const stored = new Stored();
    for (let seq = 1; seq <= 30_000; seq += 1) {
      expect(stored.mark([{ from: seq, through: seq }], true, seq)).toBe(1);
    }
    expect([stored.readThrough, stored.rows.size]).toEqual([30_000, 0]);
  });

  it('costs at most one bit per message and one row per block for a year of ignoring one busy topic', () => {
    const stored = new Stored();
    const messages = 1_000_000;
    const batch = 50;
    for (let head = batch; head <= messages; head += batch) {
      // Every third message belongs to the topic that is never read.
      const seqs: number[] = [];
      for (let seq = head - batch + 1; seq <= head; seq += 1) if (seq % 3 !== 0) seqs.push(seq);
      const ranges = toRanges(seqs);
      const touched = new Set(seqs.map((seq) => Math.floor(seq / BLOCK_MESSAGES))).size;
      expect(stored.mark(ranges, true, head)).toBeLessThanOrEqual(touched + 1);
    }
    const blocks = Math.ceil((messages + 1) / BLOCK_MESSAGES);
    expect(stored.rows.size).toBeLessThanOrEqual(blocks);
    expect(stored.bytes * 8).toBeLessThanOrEqual(messages + BLOCK_MESSAGES);
    expect([3, 300_000, 999_999].map((seq) => stored.isRead(seq))).toEqual([false, false, false]);
    expect([4, 300_001, 1_000_000].map((seq) => stored.isRead(seq))).toEqual([true, true, true]);
    // Reading everything at once leaves no bitmap behind.
    expect(stored.mark([{ from: 1, through: messages }], true, messages)).toBeLessThanOrEqual(
      blocks + 1,
    );
    expect([stored.readThrough, stored.rows.size]).toEqual([messages, 0]);
  });

  it('lowers the watermark when everything from a message on is marked unread', () => {
    const stored = new Stored();
    stored.mark([{ from: 1, through: 50_000 }], true, 50_000);
    stored.mark([{ from: 20_001, through: 50_000 }], false, 50_000);
    expect([stored.readThrough, stored.rows.size]).toEqual([20_000, 0]);
    stored.mark([{ from: 1, through: 20_000 }], false, 50_000);
    expect([stored.readThrough, stored.rows.size]).toEqual([0, 0]);
  });

  it('keeps one row for a single message marked unread far below', () => {
    const stored = new Stored();
    stored.mark([{ from: 1, through: 50_000 }], true, 50_000);
    expect(stored.mark([{ from: 7, through: 7 }], false, 50_000)).toBe(1);
    expect([stored.readThrough, stored.rows.size, stored.isRead(7)]).toEqual([50_000, 1, false]);
    stored.mark([{ from: 7, through: 7 }], true, 50_000);
    expect(stored.rows.size).toBe(0);
  });

  it('never lets the watermark pass the last message', () => {
    const stored = new Stored();
    stored.mark([{ from: 1, through: 8191 }], true, 8191);
    expect(stored.readThrough).toBe(8191);
    expect(stored.isRead(8192)).toBe(false);
  });
});

it.each([
  [10, [], [{ from: 1, through: 10 }]],
  [10, [1, 2, 10], [{ from: 3, through: 9 }]],
  [3, [1, 2, 3], []],
  [
    5,
    [3],
    [
      { from: 1, through: 2 },
      { from: 4, through: 5 },
    ],
  ],
])('all through %i but %j', (through, except, expected) => {
  expect(allThrough(through, except)).toEqual(expected);
});
