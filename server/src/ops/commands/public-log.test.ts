import { pbkdf2 } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import { parametersHash, signReceipt, toSigningKey, verifyLog } from '@rialto/public-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { venue, venueKeys } from '../../../../packages/public-log/src/test-log.ts';
import { honestScenario, writeLines } from '../../../../packages/public-log/src/test-scenario.ts';
import { fetchLog } from './fetch-log.ts';
import { renderVerdict, verifyLogFiles } from './verify-log.ts';
import { renderReceipt, verifyReceiptFile } from './verify-receipt.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-public-log-'));
const path = (name: string) => join(folder, name);
const file = (name: string, text: string) => {
  writeFileSync(path(name), text);
  return path(name);
};
const lines = writeLines(honestScenario().entries);
const key = file('keys.json', JSON.stringify({ result: [toSigningKey(venue.publicKey)] }));
const log = file('log.ndjson', `${lines.join('\n')}\n`);

afterAll(() => rmSync(folder, { recursive: true }));

describe('verify-log', () => {
  it('says what is right, and what no signature covers', async () => {
    expect(renderVerdict(await verifyLogFiles([log], { key }))).toContain(
      '3 heads are signed by the venue, the last at event 24.',
    );
    const short = file('short.ndjson', `${lines.slice(0, 8).join('\n')}\n`);
    const text = renderVerdict(await verifyLogFiles([short], {}));
    expect(text).toContain("give the venue's keys with --key");
    expect(text).toContain('Events 2 to 6 are not signed yet.');
  });

  it('reads several files as one log, and names a wrong line by its number over all of them', async () => {
    const parts = [
      file('a.ndjson', `${lines.slice(0, 10).join('\n')}\n`),
      file('b.ndjson', `${lines.slice(10).join('\n')}\n`),
    ];
    expect(await verifyLogFiles(parts, { key })).toEqual(await verifyLogFiles([log], { key }));
    const bad = file('c.ndjson', `${lines.slice(11).join('\n')}\n`);
    const verdict = await verifyLogFiles([parts[0]!, bad], { key });
    expect(renderVerdict(verdict)).toBe(
      'WRONG at line 11: event 9 must come here, but this is 10.',
    );
  });

  it('compares with heads that were kept', async () => {
    const heads = file('heads', `${lines[2]}\n${lines[19]}\n`);
    expect(await verifyLogFiles([log], { key, head: heads })).toMatchObject({ ok: true });
    const forged = file('forged', lines[19]!.replace(/"hash":"./, '"hash":"x'));
    const verdict = await verifyLogFiles([log], { head: forged });
    expect(renderVerdict(verdict)).toContain('WRONG at line 18');
  });

  it('explains what it cannot read', async () => {
    await expect(verifyLogFiles([path('none')], {})).rejects.toThrow('cannot be read');
    await expect(verifyLogFiles([log], { key: path('none') })).rejects.toThrow('cannot be read');
    await expect(verifyLogFiles([log], { key: log })).rejects.toThrow(log);
    await expect(verifyLogFiles([log], { fromSeq: '-1' })).rejects.toThrow('--from-seq');
    const notHeads = file('no-heads', '{}');
    await expect(verifyLogFiles([log], { head: notHeads })).rejects.toThrow('"seq" and "hash"');
  });
});

describe('verify-receipt', () => {
  const terms = { symbol: 'btcusdt', side: 'sell', type: 'limit', price: '101', volume: '0.06' };
  const order = file('order.json', JSON.stringify({ ...terms, visibleVolume: '0.02' }));
  const receipt = signReceipt(
    {
      accountId: '1',
      clientOrderId: 'a/b',
      orderId: '4',
      engineSeq: '18',
      time: '1760000000000',
      parametersHash: parametersHash({ ...terms, visibleVolume: '0.02' }),
    },
    venue.privateKey,
  );

  it('finds the receipt in the answer of the venue, and the place of the order in the log', async () => {
    for (const given of [receipt, { receipt }, { status: 'true', result: { receipt } }]) {
      const answer = file('receipt.json', JSON.stringify(given));
      const found = await verifyReceiptFile(answer, { key, order, log: [log] });
      expect(renderReceipt(found.receipt, found.verdict)).toContain('behind 2 that show 0.10');
    }
  });

  it('refuses other terms, another signature, and a file that is no receipt', async () => {
    const answer = file('receipt.json', JSON.stringify(receipt));
    const other = file('other.json', JSON.stringify(terms));
    const found = await verifyReceiptFile(answer, { key, order: other });
    expect(renderReceipt(found.receipt, found.verdict)).toContain(
      'WRONG: the receipt is for other',
    );
    const forged = file('forged.json', JSON.stringify({ ...receipt, orderId: '5' }));
    expect((await verifyReceiptFile(forged, { key })).verdict.ok).toBe(false);
    await expect(verifyReceiptFile(order, { key })).rejects.toThrow('"accountId" as text');
    await expect(verifyReceiptFile(log, { key })).rejects.toThrow(log);
    const list = file('list.json', '[]');
    await expect(verifyReceiptFile(answer, { key, order: list })).rejects.toThrow('JSON object');
  });
});

describe('fetch-log', () => {
  const server = Fastify();
  let address = '';
  let refusals = 0;
  const parsed = lines.map(
    (line) =>
      JSON.parse(line) as { text?: string; hash?: string; book?: string; head?: { seq: string } },
  );
  const items = parsed.filter(({ text }) => text !== undefined);
  const heads = parsed.flatMap(({ head }) => (head === undefined ? [] : [head]));
  const coverOf = (seq: number) => heads.find((head) => Number(head.seq) >= seq) ?? null;

  beforeAll(async () => {
    server.get('/v1/public/event_log', async (request, reply) => {
      if (refusals > 0) {
        refusals -= 1;
        return reply.code(429).send({});
      }
      const { fromSeq, limit } = request.query as { fromSeq: string; limit: string };
      const from = Number(fromSeq);
      // Less than asked for, so that several pages are needed.
      const page = items.slice(from - 1, from - 1 + Math.min(7, Number(limit)));
      return { status: 'true', result: { items: page, head: coverOf(from + page.length - 1) } };
    });
    server.get('/v1/public/event_log/checkpoint', async (request) => {
      const { beforeSeq } = request.query as { beforeSeq: string };
      const at = parsed.findLastIndex(
        ({ text = '' }) =>
          text.includes('"checkpoint"') &&
          Number((JSON.parse(text) as { seq: string }).seq) <= Number(beforeSeq),
      );
      const { text = '', hash } = parsed[at]!;
      const { seq } = JSON.parse(text) as { seq: string };
      return { status: 'true', result: { seq, text, hash, book: parsed[at + 1]!.book } };
    });
    server.get('/v1/public/event_log/head', async (request) => {
      const { seq } = request.query as { seq?: string };
      const result = seq === undefined ? (heads.at(-1) ?? null) : coverOf(Number(seq));
      return { status: 'true', result };
    });
    address = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  const read = (name: string) => readFileSync(path(name), 'utf8').trimEnd().split('\n');

  it('writes the whole log, signed to its end', async () => {
    refusals = 1;
    const count = await fetchLog(`${address}/`, { out: path('whole.ndjson') });
    const whole = read('whole.ndjson');
    expect(whole).toHaveLength(count);
    expect(verifyLog(whole, { keys: venueKeys })).toMatchObject({
      ok: true,
      events: 24,
      // Of each page, the first head that covers it.
      heads: 2,
      headSeq: 24,
    });
  });

  it('begins at the checkpoint before a number, and ends at the head after one', async () => {
    await fetchLog(`${address}/v1`, { from: '18', to: '19', out: path('part.ndjson') });
    expect(verifyLog(read('part.ndjson'), { keys: venueKeys })).toMatchObject({
      ok: true,
      firstSeq: 16,
      lastSeq: 24,
    });
    await fetchLog(address, { from: '2', to: '3', out: path('early.ndjson') });
    expect(verifyLog(read('early.ndjson'), { keys: venueKeys })).toMatchObject({
      ok: true,
      firstSeq: 1,
      lastSeq: 16,
    });
  });

  it('says why a file cannot be written', async () => {
    const nowhere = path('nowhere/x');
    await expect(fetchLog(address, { out: nowhere })).rejects.toThrow(
      `${nowhere} cannot be written: ENOENT`,
    );
  });

  it.runIf(existsSync('/dev/full'))('gives up when the disk is full', async () => {
    symlinkSync('/dev/full', path('full.part'));
    await expect(fetchLog(address, { out: path('full') })).rejects.toThrow(
      `${path('full')} cannot be written: ENOSPC`,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  it('leaves no half file, and overwrites none', async () => {
    // Files are opened by a few threads, which are busy now: this file would be opened after the command has failed.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 100_000, 64, 'sha512'));
    await expect(fetchLog(`${address}/nowhere`, { out: path('x') })).rejects.toThrow('status 404');
    await Promise.all(busy);
    expect(existsSync(path('x.part'))).toBe(false);
    await expect(fetchLog(address, { out: log })).rejects.toThrow('is there already');
    await expect(fetchLog(`${address}/nowhere`, { out: path('x') })).rejects.toThrow('status 404');
    await expect(fetchLog('ftp://example.com', { out: path('x') })).rejects.toThrow('address');
    await expect(fetchLog(address, { from: '0', out: path('x') })).rejects.toThrow('--from');
    const backwards = { from: '9', to: '3', out: path('x') };
    await expect(fetchLog(address, backwards)).rejects.toThrow('--to must not');
    expect(readdirSync(folder).filter((name) => name.startsWith('x'))).toEqual([]);
  });
});
