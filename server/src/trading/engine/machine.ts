// The core with its position in the journal: applies commands, and turns their effects into a
// journal row, events and answers. It does no I/O, so the engine, a standby, the snapshot thread
// and a rebuild of the projections are the same machine at different positions of one journal.
import { createHash } from 'node:crypto';
import {
  applyTo,
  assertKnownVersion,
  CORE_VERSION,
  createState,
  isTapeOfForm,
  readSwept,
  restore,
  snapshot,
  Tape,
  toForm,
  toNoteForm,
  type Command,
  type CoreConfig,
  type State,
} from '@rialto/matching';
import { assert } from '../../platform/std/assert.ts';
import { BalanceWriter } from './balances.ts';
import { decodeCommand } from './command.ts';
import { PackedCells } from './cells.ts';
import { NameWriter } from './names.ts';
import { writeMembers, type TapeRange } from './outcomes.ts';
import type { JournalRow } from './store.ts';
import { SweepLog } from './sweeps.ts';
import { stringifyTagged } from './tagged-json.ts';

/** The digest before the first row. */
export const GENESIS: Buffer = Buffer.alloc(32);

/** More outcomes than this go into another event; event ids leave room for 4,096 to a position. */
export const OUTCOMES_PER_EVENT = 4000;

function packWords(words: Uint32Array): Buffer {
  const packed = new PackedCells(words.length * 4);
  packed.pack(words, 0, words.length / 2);
  return packed.bytes();
}

/** The journal and this code disagree about the effects of commands: neither can be trusted. */
export class DigestMismatch extends Error {
  override name = 'DigestMismatch';
}

/** The result of one batch so far. */
export interface BatchDraft {
  readonly lines: string[];
  /** Where the outcomes of every event begin; the last reaches to the end of the tape. */
  readonly cuts: Array<{ cell: number; note: number; byte: number }>;
}

export interface Sealed {
  readonly seq: number;
  readonly commands: string;
  readonly commandCount: number;
  /** The version of the core that wrote it, and so the form in which its digest is taken. */
  readonly coreVersion: number;
  readonly digest: Buffer;
  readonly engineSeq: number;
  readonly events: readonly string[];
}

export class Machine {
  readonly state: State;
  readonly shard: number;
  readonly #tape = new Tape(1 << 18);
  /** The tape's cells as they go into answers, events and the digest: packed once for all of them. */
  readonly #packed = new PackedCells();
  readonly #names: NameWriter;
  readonly #balances: BalanceWriter;
  readonly sweeps = new SweepLog();
  #seq: number;
  #digest: Buffer;
  /** The row of the snapshot behind this machine, or zero. */
  readonly restoredSeq: number;
  /** Replayed commands: how far back that snapshot is. */
  replayedCommands = 0;
  /** The time of the last command, even if it left nothing in the journal. */
  #time: number;
  #isWhole = true;

  private constructor(state: State, shard: number, seq: number, digest: Buffer) {
    this.state = state;
    this.shard = shard;
    this.#seq = seq;
    this.restoredSeq = seq;
    this.#digest = digest;
    this.#time = state.time;
    this.#names = new NameWriter(state);
    this.#balances = new BalanceWriter(state);
  }

  static empty(config: CoreConfig): Machine {
    return new Machine(createState(config), config.shard, 0, GENESIS);
  }

  static restore(bytes: Uint8Array, shard: number, seq: number, digest: Buffer): Machine {
    return new Machine(restore(bytes), shard, seq, digest);
  }

  /** The last journal row that this machine has applied or sealed. */
  get seq(): number {
    return this.#seq;
  }

  get digest(): Buffer {
    return this.#digest;
  }

  /** False after a replay that threw: the state then belongs to no row. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    return snapshot(this.state);
  }

  begin(): BatchDraft {
    this.#tape.clear();
    this.#packed.length = 0;
    return { lines: [], cuts: [{ cell: 0, note: 0, byte: 0 }] };
  }

  /** The time that commands get: it never goes back, whatever the clock does. */
  stamp(nowMs: number): number {
    this.#time = Math.max(this.#time, Math.floor(nowMs));
    return this.#time;
  }

  /**
   * Applies one command, whose text goes into the journal, and returns its outcome as members of a
   * JSON object. A throw leaves the state half changed: this machine must then be dropped.
   */
  apply(draft: BatchDraft, command: Command, text: string, { always = false } = {}): string {
    const tape = this.#tape;
    const before = this.state.engineSeq;
    const stretch = this.#run(command);
    const fromByte = this.#packed.length;
    this.#packed.pack(tape.u32, stretch.fromCell, stretch.untilCell);
    const members = this.#write(stretch, fromByte, this.#packed.length);
    this.#noteSweep(command, stretch);
    if (this.state.engineSeq === before && !always) {
      // It changed nothing, so a replay does without it, and the digest must too.
      tape.length = stretch.fromCell;
      tape.notes.length = stretch.fromNote;
      this.#packed.length = fromByte;
      return members;
    }
    draft.lines.push(`${command.time} ${text}`);
    if (draft.lines.length % OUTCOMES_PER_EVENT === 0) {
      draft.cuts.push({
        cell: tape.length,
        note: tape.notes.length,
        byte: this.#packed.length,
      });
    }
    return members;
  }

  #noteSweep(command: Command, { fromCell, untilCell }: TapeRange): void {
    const { type } = command;
    if (type !== 'sweep' && type !== 'cancel_all') return;
    const step = readSwept(this.#tape, fromCell, untilCell);
    if (step === undefined || step.sweepId === 0) return;
    if (type === 'cancel_all') this.sweeps.begin(command.account, step);
    else this.sweeps.goOn(step);
  }

  #write(stretch: TapeRange, fromByte: number, untilByte: number): string {
    const names = this.#names.write(this.#tape, stretch.fromCell, stretch.untilCell);
    return writeMembers(this.#packed.toText(fromByte, untilByte), names, this.#tape, stretch);
  }

  #run(command: Command): TapeRange {
    const tape = this.#tape;
    const fromCell = tape.length;
    const fromNote = tape.notes.length;
    applyTo(this.state, command, tape);
    return { fromCell, untilCell: tape.length, fromNote, untilNote: tape.notes.length };
  }

  /**
   * Closes the batch: from here on it is the next row of the journal, in memory and soon on disk.
   */
  seal(draft: BatchDraft): Sealed {
    assert(draft.lines.length > 0, 'a batch holds at least one command');
    this.#seq += 1;
    this.#digest = this.#nextDigest(CORE_VERSION);
    const { length: untilCell, notes } = this.#tape;
    const cuts = draft.cuts.filter(({ cell }) => cell < untilCell);
    const events = cuts.map(({ cell, note, byte }, part) => {
      const next = cuts[part + 1];
      const stretch = {
        fromCell: cell,
        untilCell: next?.cell ?? untilCell,
        fromNote: note,
        untilNote: next?.note ?? notes.length,
      };
      const packed = this.#write(stretch, byte, next?.byte ?? this.#packed.length);
      const balances = this.#balances.write(this.#tape, stretch.fromCell, stretch.untilCell);
      return `{"type":"trading_batch","shard":${this.shard},"seq":${this.#seq},"engineSeq":${this.state.engineSeq},"part":${part},"parts":${cuts.length},"core":${CORE_VERSION},${packed},"balances":${balances}}`;
    });
    return {
      seq: this.#seq,
      commands: draft.lines.join('\n'),
      commandCount: draft.lines.length,
      coreVersion: CORE_VERSION,
      digest: this.#digest,
      engineSeq: this.state.engineSeq,
      events,
    };
  }

  /**
   * Applies a row of the journal, and refuses to continue when the result differs from what was
   * written.
   */
  replay(row: JournalRow): void {
    assert(row.seq === this.#seq + 1, 'journal rows are replayed one after the other', {
      row: row.seq,
      machine: this.#seq,
    });
    assertKnownVersion(`Journal row ${row.seq} of shard ${this.shard}`, row.coreVersion);
    this.#isWhole = false;
    this.#tape.clear();
    // A throw leaves it false: this machine is dropped then.
    this.state.writtenBy = row.coreVersion;
    for (const line of row.commands.split('\n')) {
      this.replayedCommands += 1;
      const space = line.indexOf(' ');
      this.#run(decodeCommand(line.slice(space + 1), Number(line.slice(0, space))));
    }
    this.state.writtenBy = CORE_VERSION;
    this.#time = Math.max(this.#time, this.state.time);
    this.#packed.length = 0;
    this.#packed.pack(this.#tape.u32, 0, this.#tape.length);
    this.#digest = this.#nextDigest(row.coreVersion);
    this.#seq = row.seq;
    if (!this.#digest.equals(row.digest)) {
      throw new DigestMismatch(
        `Journal row ${row.seq} of shard ${this.shard} was written by version ${row.coreVersion} of the core with ` +
          `digest ${row.digest.toString('hex')} and replays to ${this.#digest.toString('hex')}. Either the row was ` +
          'changed, or this release computes something differently: start the release that wrote it.',
      );
    }
    this.#isWhole = true;
  }

  /** The outcomes of the row that was replayed last, as members of a JSON object. */
  packReplayed(): string {
    return this.#write(this.#whole(), 0, this.#packed.length);
  }

  /**
   * Over the previous digest, the version, and the batch's effects, in the form that the version
   * declares. Version 1 did not include its version. Later ones do, so a release of that time
   * cannot agree with a later row even where the effects are the same: it stops there, and writes
   * no snapshot of a state it cannot know.
   */
  #nextDigest(version: number): Buffer {
    return createHash('sha256')
      .update(this.#digest)
      .update(version === 1 ? '' : `core ${version}\n`)
      .update(isTapeOfForm(version) ? this.#packed.bytes() : packWords(toForm(version, this.#tape)))
      .update(stringifyTagged(toNoteForm(version, this.#tape.notes)))
      .digest();
  }

  #whole(): TapeRange {
    const { length, notes } = this.#tape;
    return { fromCell: 0, untilCell: length, fromNote: 0, untilNote: notes.length };
  }
}
