import { expect, it } from 'vitest';
import { bookHash, bookText } from '../books.ts';
import { Chain, chainHash, sha256Hex } from '../chain.ts';
import { QueueBooks } from '../queues.ts';
import { honestScenario, writeLines } from '../test-scenario.ts';
import { SeenIds } from './seen.ts';
import { verifyLog, verifyStream } from './verify.ts';

const lines = writeLines(honestScenario().entries);
const BID_ADD = 16;

async function* bytesOf(text: string, size = 1_000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The log with another text in a line, chained correctly. */
function withText(line: number, change: (text: string) => string): string[] {
  const { hash: previous } = JSON.parse(lines[line - 2]!) as { hash: string };
  const { text } = JSON.parse(lines[line - 1]!) as { text: string };
  const changed = change(text);
  expect(changed).not.toBe(text);
  const event = { text: changed, hash: chainHash(previous, changed) };
  return lines.with(line - 1, JSON.stringify(event));
}

it.each([
  ['white space', (text: string) => text.replace(',"type"', ', "type"')],
  [
    'another order of members',
    (text: string) => text.replace(/("side":"buy"),("price":"99.0")/, '$2,$1'),
  ],
  ['a member too many', (text: string) => text.replace('}', ',"account":"7"}')],
  ['a member twice', (text: string) => text.replace('}', ',"volume":"0.04"}')],
  ['a missing member', (text: string) => text.replace(',"volume":"0.04"', '')],
  ['a number without quotes', (text: string) => text.replace('"0.04"', '0.04')],
  ['an escape', (text: string) => text.replace('"buy"', String.raw`"b\u0075y"`)],
  ['too few decimals', (text: string) => text.replace('"0.04"', '"0.4"')],
  ['too many decimals', (text: string) => text.replace('"0.04"', '"0.040"')],
  ['an exponent', (text: string) => text.replace('"0.04"', '"4e-2"')],
  ['a zero in front', (text: string) => text.replace('"0.04"', '"00.04"')],
  ['a plus', (text: string) => text.replace('"0.04"', '"+0.04"')],
  ['a negative volume', (text: string) => text.replace('"0.04"', '"-0.04"')],
  ['no volume', (text: string) => text.replace('"0.04"', '"0.00"')],
  [
    'a volume beyond all numbers',
    (text: string) => text.replace('"0.04"', `"${'9'.repeat(17)}.00"`),
  ],
  ['an id with a zero in front', (text: string) => text.replace('"8"', '"08"')],
  ['an id beyond all numbers', (text: string) => text.replace('"8"', '"9007199254740993"')],
  ['a seq that is no number', (text: string) => text.replace('"14"', '"fourteen"')],
  ['an unknown type', (text: string) => text.replace('"add"', '"constructor"')],
  ['an inherited type', (text: string) => text.replace('"add"', '"toString"')],
  ['an unknown side', (text: string) => text.replace('"buy"', '"both"')],
  ['no object', () => '"text"'],
  ['null', () => 'null'],
  ['deep lists', () => '['.repeat(1_500) + ']'.repeat(1_500)],
  ['deep objects', () => '{"a":'.repeat(500) + '1' + '}'.repeat(500)],
])('an event with %s is refused at its line', (_what, change) => {
  expect(verifyLog(withText(BID_ADD, change))).toMatchObject({ ok: false, line: BID_ADD });
});

it.each([
  ['an empty line', ''],
  ['no JSON', '{"text":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '7'],
  ['an unknown kind', '{"note":"hello"}'],
  ['an event without hash', '{"text":"x"}'],
  ['an event with more', '{"text":"x","hash":"y","seq":"1"}'],
  ['a text that is a number', '{"text":1,"hash":"y"}'],
  ['a head of nothing', '{"head":null}'],
  ['a head that is a list', '{"head":[]}'],
  ['a previous hash in the middle', `{"previous":{"seq":"1","hash":"${'0'.repeat(64)}"}}`],
  ['a huge line', `{"text":"${'x'.repeat(100_000)}","hash":""}`],
  ['the prototype', '{"__proto__":{"text":"x","hash":"y"}}'],
])('a line with %s is refused by number', (_what, line) => {
  const verdict = verifyLog(lines.toSpliced(6, 0, line));
  expect(verdict).toMatchObject({ ok: false, line: 7 });
  expect(verdict.ok || verdict.message.length).toBeLessThan(700);
});

it.each([
  ['deep lists', '['.repeat(2_000_000)],
  ['lists that end', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['no JSON', '{'],
  ['null', 'null'],
  ['no markets', '{"tradeId":"0"}'],
  ['an order twice', '[["7","99.0","0.01"],["7","99.0","0.01"]]'],
  ['an order that is a number', '[7]'],
  ['levels out of order', '[["7","98.0","0.01"],["8","99.0","0.01"]]'],
  ['an empty order', '[["7","98.0","0.00"]]'],
])('books with %s are refused', (_what, given) => {
  const { book } = JSON.parse(lines[1]!) as { book: string };
  const text = given.startsWith('[[') || given === '[7]' ? book.replace('[]', given) : given;
  const chain = new Chain();
  const checkpoint = chain.append({
    time: '1',
    type: 'checkpoint',
    engineSeq: '1',
    bookHash: sha256Hex(text),
  });
  const { hash } = checkpoint;
  const log = [JSON.stringify({ text: checkpoint.text, hash }), JSON.stringify({ book: text })];
  expect(verifyLog(log)).toMatchObject({ ok: false, line: 2 });
});

it('a log that does not begin at its beginning needs the hash before it', () => {
  expect(verifyLog(lines.slice(17))).toMatchObject({
    ok: false,
    line: 1,
    message: expect.stringContaining('{"previous":{"seq":"15"') as unknown,
  });
  const wrong = JSON.stringify({ previous: { seq: '15', hash: 'a'.repeat(64) } });
  expect(verifyLog([wrong, ...lines.slice(17)])).toMatchObject({ ok: false, line: 2 });
  expect(verifyLog([])).toMatchObject({ ok: false, message: 'there is no event to check' });
  expect(verifyLog(lines, { fromSeq: 1_000 })).toMatchObject({
    ok: false,
    message: expect.stringContaining('nothing but the chain') as unknown,
  });
});

it('a file is read in pieces of any size, and must end with its last line', async () => {
  const text = `${lines.join('\n')}\n`;
  const whole = verifyLog(lines);
  for (const size of [1, 7, 4_096, 1_000_000]) {
    expect(await verifyStream(bytesOf(text, size))).toEqual(whole);
  }
  const cut = await verifyStream(bytesOf(text.slice(0, -40)));
  expect(cut).toMatchObject({
    ok: false,
    line: lines.length,
    message: 'the file ends in the middle of this line',
  });
});

it('a line without end is refused long before it fills the memory', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 1;
      yield Buffer.from('{"text":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
    }
  }
  expect(await verifyStream(endless())).toMatchObject({ ok: false, line: 1 });
  expect(given).toBeLessThan(200);
});

it('remembers the ids that left in bounded memory', () => {
  const seen = new SeenIds(3);
  for (const id of [1, 1_023, 1_024, 5e15]) seen.add(id);
  expect([1, 1_023, 1_024, 5e15].every((id) => seen.has(id))).toBe(true);
  expect([0, 2, 1_025, 5e15 + 1].some((id) => seen.has(id))).toBe(false);
  seen.add(9e15);
  expect(seen.has(1)).toBe(false);
  expect(seen.has(9e15)).toBe(true);
});

it('holds a steady amount of memory over a long log', { timeout: 120_000 }, async () => {
  const books = new QueueBooks();
  const book = { tradeId: '0', text: bookText(books), hash: bookHash(books) };
  async function* long(): AsyncGenerator<Uint8Array> {
    const chain = new Chain();
    const line = (event: Parameters<Chain['append']>[0]): string => {
      const { text, hash } = chain.append(event);
      return `${JSON.stringify({ text, hash })}\n`;
    };
    yield Buffer.from(
      line({ time: '1', type: 'checkpoint', engineSeq: '1', bookHash: book.hash }) +
        `${JSON.stringify({ book: book.text })}\n`,
    );
    const market = { symbol: 'btcusdt', base: 'btc', quote: 'usdt' };
    const precisions = { basePrecision: '0', quotePrecision: '0', listingPrice: '100' };
    yield Buffer.from(
      line({ time: '1', type: 'market', engineSeq: '2', ...market, ...precisions }) +
        line({ time: '1', type: 'market_phase', symbol: 'btcusdt', phase: 'continuous' }),
    );
    for (let i = 0; i < 60_000; i++) {
      const common = { time: '1', engineSeq: String(i + 3), symbol: 'btcusdt' };
      const orderId = String((i >> 1) + 1);
      yield Buffer.from(
        i % 2 === 0
          ? line({ ...common, type: 'add', orderId, side: 'buy', price: '100', volume: '1' })
          : line({ ...common, type: 'remove', orderId, reason: 'canceled' }),
      );
    }
  }
  const before = process.memoryUsage().heapUsed;
  expect(await verifyStream(long())).toMatchObject({ ok: true, events: 60_003 });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024);
});
