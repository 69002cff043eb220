import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHAIN_START, followChain, GENESIS_HASH, hashEntry, type ChainedEntry } from './entry.ts';
import { parseLine, toLine } from './export.ts';
import {
  createKeyPair,
  isKey,
  isHeadSignedBy,
  keyIdOf,
  publicKeyOf,
  parsePublished,
  signHead,
  toPublished,
  type AuditHead,
} from './head.ts';
import { verifyLog } from './verify.ts';

const KEY = createKeyPair();
const AT = new Date('2026-11-15T12:00:00.000Z');

function chain(length: number, operator = 'ava@example.com'): ChainedEntry[] {
  let previousHash: Buffer = GENESIS_HASH;
  return Array.from({ length }, (_, index) => {
    const entry = {
      seq: BigInt(index + 1),
      at: new Date(AT.getTime() + index),
      operator,
      act: 'user create',
      subject: `person ${index + 1}`,
      details: '{}',
      outcome: 'done',
      commandId: index % 3 === 0 ? 7n : null,
    };
    const hash = hashEntry(previousHash, entry);
    const chained = { ...entry, previousHash, hash };
    previousHash = hash;
    return chained;
  });
}

function headAt(entries: readonly ChainedEntry[], seq: number): AuditHead {
  const entry = entries[seq - 1];
  if (entry === undefined) throw new Error('There is no such entry.');
  return signHead(KEY.privateKey, { seq: entry.seq, hash: entry.hash, at: AT });
}

async function* pages(entries: readonly ChainedEntry[], size = 3) {
  for (let at = 0; at < entries.length; at += size) yield entries.slice(at, at + size);
}

const verify = (entries: readonly ChainedEntry[], ...heads: AuditHead[]) =>
  verifyLog(pages(entries), heads, [KEY.publicKey]);

describe('a head', () => {
  it('is valid for one key only, and only unchanged', () => {
    const head = headAt(chain(4), 4);
    expect(isHeadSignedBy(head, KEY.publicKey)).toBe(true);
    expect(isHeadSignedBy(head, createKeyPair().publicKey)).toBe(false);
    const others: AuditHead[] = [
      { ...head, seq: 3n },
      { ...head, hash: Buffer.alloc(32, 1) },
      { ...head, at: new Date(AT.getTime() + 1) },
      { ...head, keyId: '0'.repeat(16) },
      { ...head, signature: Buffer.alloc(64) },
    ];
    for (const other of others) expect(isHeadSignedBy(other, KEY.publicKey)).toBe(false);
  });

  it('is parsed as published, and nothing else is accepted as one', () => {
    const head = headAt(chain(4), 4);
    const published = toPublished(head);
    expect(parsePublished(JSON.parse(JSON.stringify(published)))).toEqual(head);
    expect(Object.keys(published).sort()).toEqual(
      ['hash', 'keyId', 'seq', 'signature', 'time', 'version'].sort(),
    );
    for (const wrong of [
      null,
      'x',
      {},
      { ...published, version: 2 },
      { ...published, seq: 4 },
      { ...published, seq: '0' },
      { ...published, hash: 'ff' },
      { ...published, time: '2026-13-45T99:00:00.000Z' },
      { ...published, signature: '' },
    ]) {
      expect(parsePublished(wrong)).toBeUndefined();
    }
  });

  it('comes from a key pair whose halves belong together', () => {
    expect(publicKeyOf(KEY.privateKey)).toBe(KEY.publicKey);
    expect(isKey(KEY.publicKey)).toBe(true);
    expect(keyIdOf(KEY.publicKey)).toMatch(/^[0-9a-f]{16}$/);
    expect(isKey('short')).toBe(false);
  });
});

describe('a log checked against published heads', () => {
  it('passes when it is the one that was signed, and may have grown since', async () => {
    const entries = chain(10);
    const verdict = await verify(entries, headAt(entries, 4), headAt(entries, 9));
    expect(verdict).toMatchObject({ headsFit: 2, end: { seq: 10n } });
    expect(verdict.trouble).toBeUndefined();
  });

  it('fails when its end is cut off, to the last entry', async () => {
    const entries = chain(10);
    const head = headAt(entries, 10);
    for (let left = 0; left < 10; left += 1) {
      const { trouble } = await verify(entries.slice(0, left), head);
      expect(trouble).toContain(`The log ends with entry ${left}, but entry 10 was signed`);
      expect(trouble).toContain(left === 9 ? 'entry 10 was cut off' : `entries ${left + 1} to 10`);
    }
  });

  it('fails when all of it was rewritten with correct hashes', async () => {
    const honest = chain(10);
    const forged = chain(12, 'eve@example.com');
    expect(followChain(CHAIN_START, forged).trouble).toBeUndefined();
    expect((await verify(forged, headAt(honest, 10))).trouble).toMatch(
      /^Entry 10 is not the one that was signed at .*: the chain is whole, so it was rewritten/,
    );
    // With several heads it shows from which point.
    const partly = honest.slice(0, 5);
    let previousHash = partly[4]?.hash ?? GENESIS_HASH;
    for (const entry of honest.slice(5)) {
      const changed = { ...entry, operator: 'eve@example.com' };
      const hash = hashEntry(previousHash, changed);
      partly.push({ ...changed, previousHash, hash });
      previousHash = hash;
    }
    const heads = [headAt(honest, 3), headAt(honest, 5), headAt(honest, 8)];
    expect(await verify(partly, ...heads)).toMatchObject({
      headsFit: 2,
      trouble: expect.stringContaining('Entry 8 is not the one that was signed'),
    });
    expect((await verify(partly, ...heads)).trouble).toContain('from some entry after 5 on');
  });

  it('names the entry that was changed, left out or swapped', async () => {
    const entries = chain(10);
    const head = headAt(entries, 10);
    const at = (seq: number) => entries[seq - 1] as ChainedEntry;
    const changed = entries.with(3, { ...at(4), subject: 'somebody else' });
    expect((await verify(changed, head)).trouble).toContain('Entry 4 is wrong: its text');
    expect((await verify(entries.toSpliced(5, 1), head)).trouble).toContain(
      'Entry 7 is wrong: it follows entry 5',
    );
    const swapped = entries.with(1, { ...at(3), seq: 2n }).with(2, { ...at(2), seq: 3n });
    expect((await verify(swapped, head)).trouble).toContain('Entry 2 is wrong');
  });

  it('fails for a head that somebody else signed', async () => {
    const entries = chain(3);
    const other = createKeyPair();
    const forged = signHead(other.privateKey, { seq: 3n, hash: GENESIS_HASH, at: AT });
    expect((await verify(entries, forged)).trouble).toContain('does not bear the signature');
    expect((await verifyLog(pages(entries), [headAt(entries, 3)], [])).trouble).toContain(
      'does not bear the signature',
    );
  });

  it('gives the same result however it is cut into pages', async () => {
    const entries = chain(20);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 20 }),
        async (size, seq) => {
          const verdict = await verifyLog(
            pages(entries, size),
            [headAt(entries, seq)],
            [KEY.publicKey],
          );
          expect(verdict).toMatchObject({ headsFit: 1, end: { seq: 20n } });
          expect(verdict.trouble).toBeUndefined();
        },
      ),
    );
  });
});

it('an entry survives the export to a file', () => {
  for (const entry of chain(4)) expect(parseLine(toLine(entry))).toEqual(entry);
  for (const line of [
    '',
    '{}',
    '[]',
    'null',
    '{"seq":"1"}',
    toLine(chain(1)[0]!).replace('"1"', '"x"'),
  ]) {
    expect(parseLine(line)).toBeUndefined();
  }
});
