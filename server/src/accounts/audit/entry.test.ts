import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalJson,
  CHAIN_START,
  followChain,
  GENESIS_HASH,
  hashEntry,
  type AuditEntry,
  type ChainedEntry,
} from './entry.ts';

const entryText = fc.record({
  operator: fc.string(),
  act: fc.constantFrom('market create', 'ledger credit'),
  subject: fc.string(),
  details: fc.dictionary(fc.string(), fc.jsonValue()).map(canonicalJson),
  outcome: fc.constantFrom('done', 'requested', 'refused'),
  commandId: fc.option(fc.bigInt({ min: 1n, max: 2n ** 60n })),
});

function chain(texts: readonly Omit<AuditEntry, 'seq' | 'at'>[]): ChainedEntry[] {
  let previousHash: Buffer = GENESIS_HASH;
  return texts.map((text, index) => {
    const entry = { ...text, seq: BigInt(index + 1), at: new Date(1_760_000_000_000 + index) };
    const hash = hashEntry(previousHash, entry);
    const chained = { ...entry, previousHash, hash };
    previousHash = hash;
    return chained;
  });
}

const chains = fc.array(entryText, { minLength: 1, maxLength: 8 }).map(chain);

it('an intact chain is accepted, however it is cut into pages', () => {
  fc.assert(
    fc.property(chains, fc.nat(8), (entries, cut) => {
      const whole = followChain(CHAIN_START, entries);
      expect(whole.trouble).toBeUndefined();
      expect(whole.seq).toBe(BigInt(entries.length));
      const first = followChain(CHAIN_START, entries.slice(0, cut));
      expect(followChain(first, entries.slice(cut))).toEqual(whole);
    }),
  );
});

it('a changed field is found at its own entry', () => {
  const fields = ['operator', 'act', 'subject', 'details', 'outcome', 'at', 'commandId'] as const;
  fc.assert(
    fc.property(chains, fc.nat(), fc.constantFrom(...fields), (entries, pick, field) => {
      const index = pick % entries.length;
      const honest = entries[index]!;
      const other =
        field === 'at'
          ? new Date(honest.at.getTime() + 1)
          : field === 'commandId'
            ? (honest.commandId ?? 0n) + 1n
            : `${honest[field]} `;
      const forged = entries.with(index, { ...honest, [field]: other });
      expect(followChain(CHAIN_START, forged).trouble?.seq).toBe(honest.seq);
    }),
  );
});

it('a forger who also corrects the hash of the changed entry is found at the next one', () => {
  fc.assert(
    fc.property(chains, fc.nat(), (entries, pick) => {
      fc.pre(entries.length > 1);
      const index = pick % (entries.length - 1);
      const honest = entries[index]!;
      const changed = { ...honest, operator: `${honest.operator}!` };
      const forged = entries.with(index, {
        ...changed,
        hash: hashEntry(honest.previousHash, changed),
      });
      expect(followChain(CHAIN_START, forged).trouble?.seq).toBe(honest.seq + 1n);
    }),
  );
});

it('a missing entry is noticed, also the first', () => {
  const entries = chain(
    ['a', 'b', 'c'].map((subject) => ({
      operator: 'ava@example.com',
      act: 'market create',
      subject,
      details: '{}',
      outcome: 'done',
      commandId: null,
    })),
  );
  for (const [left, found] of [
    [0, 2n],
    [1, 3n],
  ] as const) {
    const { trouble } = followChain(CHAIN_START, entries.toSpliced(left, 1));
    expect(trouble).toMatchObject({ seq: found, what: expect.stringContaining('1 in between is') });
  }
});

it('equal details are one text, whatever the order of their members', () => {
  expect(canonicalJson({ b: [1, { d: 2n, c: null }], a: 'x' })).toBe(
    '{"a":"x","b":[1,{"c":null,"d":"2"}]}',
  );
});
