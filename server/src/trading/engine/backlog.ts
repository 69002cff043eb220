// How long the tables would need for the part of the journal that they lack. The age of that part would say it too late: rows
// of a rush are old only when the tables come to them.

export interface BacklogStart {
  /** The row of the journal after which this engine counts. */
  readonly seq: number;
  /** Commands in each row before it, about. */
  readonly perRow: number;
  /** By a monotonic clock, like all times here. */
  readonly nowMs: number;
}

/** What a new measurement of the pace weighs. */
const WEIGHT = 0.3;
/** Between two writes of the tables, before anything was measured. */
const FIRST_GAP_MS = 500;
/** So many times as long as usual is no slow write, but a worker that was away: it says nothing about the pace. */
const AWAY = 4;
/** Between two looks rows count alike, so fewer places in the past only make it coarser. */
const MARKS_MAX = 512;

export class Backlog {
  readonly #start: BacklogStart;
  /** Rows of the past, and how many commands there were through each since the start. */
  #marks: { seq: number; commands: number }[] = [];
  #seq: number;
  #commands = 0;
  /** What the tables do in a millisecond when they do not wait for the engine. */
  #perMs = Infinity;
  #done: number | undefined;
  #progressMs: number;
  #gapMs = FIRST_GAP_MS;
  #missing = 0;
  #stalledMs = 0;

  constructor(start: BacklogStart) {
    this.#start = start;
    this.#seq = start.seq;
    this.#progressMs = start.nowMs;
  }

  /** A row was committed. */
  committed(commands: number): void {
    this.#seq += 1;
    this.#commands += commands;
  }

  /** The tables have everything through this row. */
  look(projectedSeq: number, nowMs: number): void {
    this.#mark();
    const done = this.#commandsThrough(Math.min(projectedSeq, this.#seq));
    const missing = this.#commands - done;
    const more = done - (this.#done ?? done);
    if (more > 0) {
      const gapMs = Math.max(1, nowMs - this.#progressMs);
      // If less is left than was done, they may have waited for the engine: they are at least so fast.
      if (gapMs < AWAY * this.#gapMs) this.#measure(more / gapMs, missing >= more);
      this.#gapMs += WEIGHT * (gapMs - this.#gapMs);
    }
    if (more > 0 || missing === 0) this.#progressMs = nowMs;
    // After a crash of the database the tables may stand further back.
    this.#done = done;
    this.#missing = missing;
    this.#stalledMs = nowMs - this.#progressMs;
  }

  /** What waits, at the pace of the tables, and how long they have not moved. */
  get waitMs(): number {
    return this.#missing / this.#perMs + this.#stalledMs;
  }

  #measure(perMs: number, isAtLimit: boolean): void {
    if (this.#perMs === Infinity) this.#perMs = isAtLimit ? perMs : Infinity;
    else if (isAtLimit || perMs > this.#perMs) this.#perMs += WEIGHT * (perMs - this.#perMs);
  }

  #mark(): void {
    const last = this.#marks.at(-1);
    if (last?.seq === this.#seq) return;
    this.#marks.push({ seq: this.#seq, commands: this.#commands });
    if (this.#marks.length > MARKS_MAX) this.#marks = this.#marks.filter((_, n) => n % 2 === 1);
  }

  #commandsThrough(seq: number): number {
    const { seq: first, perRow } = this.#start;
    if (seq <= first) return (seq - first) * perRow;
    // What lies before is not asked for again, but for one place to measure from.
    while ((this.#marks[1]?.seq ?? Infinity) <= seq) this.#marks.shift();
    const [one, two] = this.#marks;
    const [before, after] =
      one !== undefined && one.seq <= seq ? [one, two ?? one] : [{ seq: first, commands: 0 }, one];
    if (after === undefined || after.seq === before.seq) return before.commands;
    const share = (seq - before.seq) / (after.seq - before.seq);
    return before.commands + share * (after.commands - before.commands);
  }
}
