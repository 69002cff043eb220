// The core's outcomes as self-contained text: the tape's cells, the names they refer to, and the
// notes. The engine copies bytes and builds no objects; readers that want objects decode here.
import {
  assertKnownVersion,
  decodeOutcome,
  decodeResult,
  Tape,
  toDirectory,
  type Directory,
  type NameList,
  type Outcome,
  type Result,
  type Step,
} from '@rialto/matching';
import type { PackedBalances } from './balances.ts';
import { assert } from '../../platform/std/assert.ts';
import { countCells, unpackCells, unpackInto } from './cells.ts';
import { stringifyTagged, untag } from './tagged-json.ts';

/** A stretch of a tape: from one cell to another, and the notes that belong to it. */
export interface TapeRange {
  readonly fromCell: number;
  readonly untilCell: number;
  readonly fromNote: number;
  readonly untilNote: number;
}

/** Members of a JSON object, without the braces, so that others can be added. */
export function writeMembers(cells: string, names: string, tape: Tape, stretch: TapeRange): string {
  return `"tape":"${cells}","names":${names},"notes":${packNotes(tape, stretch)},"fromNote":${stretch.fromNote}`;
}

/** The notes as text, without what has a meaning only in this process's memory. */
function packNotes(tape: Tape, { fromNote, untilNote }: TapeRange): string {
  if (fromNote === untilNote) return '[]';
  return stringifyTagged(tape.notes.slice(fromNote, untilNote).map(withoutSlot));
}

/** A refusal's note names the order's slot in memory, which may differ in a replay. */
function withoutSlot(note: unknown): unknown {
  if (typeof note !== 'object' || note === null || !('slot' in note)) return note;
  const { slot: _, ...rest } = note;
  return rest;
}

export interface PackedOutcomes {
  /** The packed cells in base64. */
  readonly tape: string;
  /** The version of the core that wrote it; absent where the text never leaves its release. */
  readonly core?: number;
  readonly names: NameList;
  readonly notes: readonly unknown[];
  readonly fromNote: number;
}

/** An event of the log: one part of a row of the journal. */
export interface PackedBatch extends PackedOutcomes {
  readonly shard: number;
  readonly seq: number;
  readonly engineSeq: number;
  readonly part: number;
  readonly parts: number;
  /** A batch that an earlier release wrote has none. */
  readonly balances?: PackedBalances;
}

export interface OpenTape {
  readonly tape: Tape;
  readonly names: Directory;
}

/** Parses the outcomes from the text of an object with the members that `writeMembers` wrote. */
export function unpackOutcomes(text: string): Outcome[] {
  const { tape, names } = openTape(text);
  const outcomes: Outcome[] = [];
  for (let cell = 0; cell < tape.length;) {
    const { outcome, next } = decodeOutcome(names, tape, cell);
    outcomes.push(outcome);
    cell = next;
  }
  return outcomes;
}

/**
 * The outcome of an answer, which has exactly one. Its result is read at once, its steps when somebody looks at them: an
 * order is answered by the result alone, and the steps are most of the work.
 */
export function openOutcome(text: string): Outcome {
  const result = readPlainResult(text);
  return result === undefined ? onlyOutcome(text) : new AnsweredOutcome(result, text);
}

class AnsweredOutcome implements Outcome {
  readonly result: Result;
  readonly #text: string;
  #steps: Step[] | undefined;

  constructor(result: Result, text: string) {
    this.result = result;
    this.#text = text;
  }

  get steps(): Step[] {
    return (this.#steps ??= onlyOutcome(this.#text).steps);
  }
}

function onlyOutcome(text: string): Outcome {
  const outcome = unpackOutcomes(text)[0];
  assert(outcome !== undefined, 'an answer holds an outcome');
  return outcome;
}

// The parts of a text of `writeMembers` without notes. A text of another release that looks otherwise is parsed whole.
const BEFORE_TAPE = '{"tape":"';
const BEFORE_NAMES = '","names":';
const BEFORE_NOTES = ',"notes":';
const NO_NOTES = '[],';

/** One buffer for all answers, since each is read at once; an order has 100 to 300 cells, a batch some thousands. */
const SCRATCH_CELLS = 1 << 14;
const scratch = new Tape(SCRATCH_CELLS);

function readPlainResult(text: string): Result | undefined {
  const tapeEnd = text.indexOf('"', BEFORE_TAPE.length);
  const namesAt = tapeEnd + BEFORE_NAMES.length;
  if (!text.startsWith(BEFORE_TAPE) || !text.startsWith(BEFORE_NAMES, tapeEnd)) return undefined;
  // A quotation mark inside a name would be escaped, so this is the end of the names.
  const notesAt = text.indexOf(BEFORE_NOTES, namesAt);
  if (notesAt < 0 || !text.startsWith(NO_NOTES, notesAt + BEFORE_NOTES.length)) return undefined;
  const bytes = Buffer.from(text.slice(BEFORE_TAPE.length, tapeEnd), 'base64');
  const cells = countCells(bytes);
  if (cells > SCRATCH_CELLS) return undefined;
  scratch.u32.fill(0, 0, cells * 2);
  unpackInto(bytes, scratch.u32);
  scratch.length = cells;
  const names = toDirectory(JSON.parse(text.slice(namesAt, notesAt)) as NameList);
  return decodeResult(names, scratch, 0);
}

/** The tape itself, for a reader that wants only some of its records. */
export function openTape(text: string): OpenTape {
  return open(parse(text));
}

/** The same of an event of the log, with what it says besides its tape. */
export function openLogged(text: string): OpenTape & { readonly batch: PackedBatch } {
  const batch = parse(text) as PackedBatch;
  return { ...open(batch), batch };
}

function parse(text: string): PackedOutcomes {
  const packed = JSON.parse(text) as PackedOutcomes;
  assertKnownVersion('A batch of outcomes', packed.core ?? 1);
  // Amounts occur only in notes.
  untag(packed.notes);
  return packed;
}

function open(packed: PackedOutcomes): OpenTape {
  const notes: unknown[] = [];
  notes.length = packed.fromNote;
  notes.push(...packed.notes);
  return {
    tape: Tape.from(toBytes(unpackCells(Buffer.from(packed.tape, 'base64'))), notes),
    names: toDirectory(packed.names),
  };
}

const toBytes = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer);
