// The core's outcomes as self-contained text: the tape's cells, the names they refer to, and the
// notes. The engine copies bytes and builds no objects; readers that want objects decode here.
import {
  assertKnownVersion,
  decodeOutcome,
  Tape,
  toDirectory,
  type Directory,
  type NameList,
  type Outcome,
} from '@rialto/matching';
import type { PackedBalances } from './balances.ts';
import { unpackCells } from './cells.ts';
import { parseTagged, stringifyTagged } from './tagged-json.ts';

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
  // Amounts occur only in notes, and notes are rare.
  return packed.notes.length > 0 ? (parseTagged(text) as PackedOutcomes) : packed;
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
