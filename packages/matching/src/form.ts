// The declared form of outcomes, by version of the core: a journal's digest is computed over it. It
// names what counts, so a release may arrange its memory differently or record more than its
// predecessor, and still compute the digest of an older row.
// A form lists, for every kind of record on the tape, the words that count, in order. While the
// tape of this release has exactly these words in this order, the tape itself is the form, and
// nothing is copied.
// To change the tape: add the new words to the form of the NEW version only. The lists of older
// versions keep naming the words they always named, wherever these are now.

import * as rec from './record.ts';
import * as tape from './tape.ts';
import type { Tape } from './tape.ts';

/** A word of a form that is always zero. */
const ZERO = -1;

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);
/** Both words of so many cells, from the first. */
const cells = (count: number): readonly number[] => range(0, count * 2);
const double = (cell: number): number[] => [cell * 2, cell * 2 + 1];
const amount = (cell: number): number[] => range(cell * 2, 6);

const ORDER_1: readonly number[] = [
  ...[rec.ID, rec.PRICE, rec.STOP, rec.VOLUME, rec.REMAINING, rec.FILLED].flatMap(double),
  ...[rec.PREVENTED, rec.VISIBLE, rec.CREATED, rec.UPDATED, rec.LAST_TRADE].flatMap(double),
  ...[rec.TRIGGERED, rec.EXPIRE, rec.SEQ, rec.ASKED_PRICE, rec.ASKED_STOP].flatMap(double),
  ...[rec.ASKED_VOLUME, rec.ASKED_VISIBLE].flatMap(double),
  ...[rec.TOTAL, rec.HELD, rec.FILLED_TOTAL, rec.FEE, rec.REBATE].flatMap(amount),
  rec.ACCOUNT,
  rec.MARKET,
  rec.SIDE,
  rec.TYPE,
  rec.TIF,
  rec.FLAGS,
  rec.STP,
  rec.STATUS,
  rec.REASON,
  rec.DECIMALS,
  ...range(rec.CLIENT, rec.CLIENT_WORDS),
  ZERO,
];

/** The words of a record that count. A kind may have several lengths; then each has a list. */
type RecordForms = ReadonlyMap<number, readonly (readonly number[])[]>;

const RECORDS_1: RecordForms = new Map([
  [tape.STEP, [cells(3)]],
  [tape.ORDER, [ORDER_1]],
  // With a rebate, and without.
  [tape.TRADE, [cells(47), cells(53)]],
  [tape.PREVENTED_MATCH, [cells(5)]],
  [tape.JOURNAL, [cells(1)]],
  [tape.POSTING, [cells(7)]],
  [tape.BOOK, [cells(2)]],
  [tape.LEVEL_CHANGE, [cells(3)]],
  [tape.PHASE, [cells(2)]],
  [tape.TIMER, [cells(2)]],
  [tape.NOTE, [cells(1)]],
  [tape.RESULT, [cells(2)]],
  [tape.END, [cells(0)]],
  [tape.HOLD_MOVE, [cells(11)]],
]);

const RECORDS_4: RecordForms = new Map([
  ...RECORDS_1,
  [tape.ORDER, [[...ORDER_1.slice(0, -1), rec.LINK]]],
  [tape.UNCROSS, [cells(5)]],
]);

/** Members of notes that are objects, keyed by a member that only this kind has. */
type NoteForms = ReadonlyArray<{ readonly mark: string; readonly members: readonly string[] }>;

const MARKET_1: readonly string[] = [
  'symbol',
  'base',
  'quote',
  'basePrecision',
  'quotePrecision',
  'minimumQuoteSize',
  'maxMarketOrderAskLots',
  'maxMarketOrderBid',
  'minimumVolumeLots',
  'maximumVolumeLots',
  'minimumPriceTicks',
  'maximumPriceTicks',
  'listingPriceTicks',
  'priceBandPpm',
  'marketSlippagePpm',
  'haltPpm',
  'haltMinutes',
  'defaultStpMode',
  'maxOpenOrders',
  'maxConditionalOrders',
  'icebergParts',
];

const NOTES_1: NoteForms = [
  // The slot is the order's place in memory, which a replay need not share.
  { mark: 'code', members: ['code', 'details'] },
  { mark: 'withdrawalId', members: ['withdrawalId', 'account', 'status'] },
  { mark: 'parent', members: ['account', 'parent', 'tier', 'suspended'] },
  { mark: 'basePrecision', members: MARKET_1 },
];

const NOTES_2: NoteForms = [
  ...NOTES_1.map(({ mark, members }) => ({
    mark,
    members: mark === 'withdrawalId' ? [...members, 'network', 'fee'] : members,
  })),
  { mark: 'sweepId', members: ['sweepId', 'orderIds', 'done'] },
];

const NOTES_4: NoteForms = NOTES_2.map(({ mark, members }) => ({
  mark,
  members: mark === 'basePrecision' ? [...members, 'auctionSeconds'] : members,
}));

const NOTES_5: NoteForms = [
  ...NOTES_4,
  {
    mark: 'reversalId',
    members: ['reversalId', 'account', 'coin', 'network', 'amount', 'missing', 'cover'],
  },
  { mark: 'taken', members: ['taken', 'missing'] },
];

interface Form {
  readonly records: RecordForms;
  readonly notes: NoteForms;
  /**
   * Whether members of a note count in the order of their names. Version 1 took them as they came.
   */
  readonly sorted: boolean;
}

const FORMS: ReadonlyMap<number, Form> = new Map([
  [1, { records: RECORDS_1, notes: NOTES_1, sorted: false }],
  [2, { records: RECORDS_1, notes: NOTES_2, sorted: true }],
  [3, { records: RECORDS_1, notes: NOTES_2, sorted: true }],
  [4, { records: RECORDS_4, notes: NOTES_4, sorted: true }],
  [5, { records: RECORDS_4, notes: NOTES_5, sorted: true }],
]);

function formOf(version: number): Form {
  const form = FORMS.get(version);
  if (form === undefined) throw new RangeError(`no form of version ${version} is declared`);
  return form;
}

/** Whether a record's words, as this release writes them, are just those of the form. */
const isAsWritten = (words: readonly number[]): boolean =>
  words.every((word, i) => word === i || (word === ZERO && i === rec.PUBLIC_CELLS * 2 - 1));

const AS_WRITTEN = new Set(
  [...FORMS]
    .filter(([, { records }]) =>
      [...records.values()].every((lists) =>
        lists.every((words) => words.length % 2 === 0 && isAsWritten(words)),
      ),
    )
    .map(([version]) => version),
);

/** True where the tape itself is the form, so that its cells may be digested as they are. */
export const isTapeOfForm = (version: number): boolean => AS_WRITTEN.has(version);

/**
 * The tape in the form of a version, as words. Throws on records unknown to the form: an older
 * version cannot have written them.
 */
export function toForm(version: number, t: Tape): Uint32Array {
  const { records } = formOf(version);
  const { u32 } = t;
  const out: number[] = [];
  for (let cell = 0; cell < t.length;) {
    const kind = u32[cell * 2]!;
    const count = u32[cell * 2 + 1]!;
    const lists = records.get(kind);
    if (lists === undefined)
      throw new RangeError(`version ${version} has no record of kind ${kind}`);
    // With one list the record may be longer here than it was; with several, the length tells them apart.
    const words = lists.length === 1 ? lists[0]! : lists.find((list) => list.length === count * 2);
    if (words === undefined || words.length > count * 2) {
      throw new RangeError(`version ${version} has no record of kind ${kind} with ${count} cells`);
    }
    out.push(kind, words.length / 2);
    const first = (cell + 1) * 2;
    for (const word of words) out.push(word === ZERO ? 0 : u32[first + word]!);
    cell += 1 + count;
  }
  return Uint32Array.from(out);
}

/** Notes in the form of a version: the members that count, in the order in which they count. */
export function toNoteForm(version: number, notes: readonly unknown[]): unknown[] {
  const { notes: forms, sorted } = formOf(version);
  return notes.map((note) => {
    if (typeof note !== 'object' || note === null || Array.isArray(note)) return note;
    const form = forms.find(({ mark }) => mark in note);
    const known = Object.entries(note).filter(([name]) => form?.members.includes(name) ?? true);
    return Object.fromEntries(sorted ? sortMembers(known) : known);
  });
}

function sortMembers(members: Array<[string, unknown]>): Array<[string, unknown]> {
  return members
    .map(([name, value]): [string, unknown] => [
      name,
      // A refusal's details are the only object inside a note.
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(sortMembers(Object.entries(value)))
        : value,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
