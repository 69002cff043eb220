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
/** The tables are late, and not only waiting for the engine, when so much later rows of the journal are there already. */
const LATE_MS = 1000;
const LATE_GAPS = 2;
/** Tables that seem slower than this are held up, which is counted as a standstill. They do fifty times as much. */
const PACE_MIN_PER_MS = 0.2;
/** Between two looks rows count alike, so fewer places in the past only make it coarser. */
const MARKS_MAX = 512;

export class Backlog {
  readonly #start: BacklogStart;
  /** Rows of the past, how many commands there were through each since the start, and when they were there at the latest. */
  #marks: { seq: number; commands: number; ms: number }[] = [];
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
    this.#mark(nowMs);
    const done = this.#commandsThrough(Math.min(projectedSeq, this.#seq));
    const missing = this.#commands - done;
    const more = done - (this.#done ?? done);
    if (more > 0) {
      const gapMs = Math.max(1, nowMs - this.#progressMs);
      // If less is left than was done, or only what has just come, they may have waited for the engine: they are at least
      // so fast.
      const isLate =
        nowMs - this.#thereSince(projectedSeq + 1, nowMs) >= Math.max(LATE_MS, LATE_GAPS * gapMs);
      if (gapMs < AWAY * this.#gapMs) this.#measure(more / gapMs, missing >= more && isLate);
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

  #measure(measured: number, isAtLimit: boolean): void {
    const perMs = Math.max(measured, PACE_MIN_PER_MS);
    if (this.#perMs === Infinity) this.#perMs = isAtLimit ? perMs : Infinity;
    else if (isAtLimit || perMs > this.#perMs) this.#perMs += WEIGHT * (perMs - this.#perMs);
  }

  #mark(nowMs: number): void {
    const last = this.#marks.at(-1);
    if (last?.seq === this.#seq) return;
    this.#marks.push({ seq: this.#seq, commands: this.#commands, ms: nowMs });
    if (this.#marks.length > MARKS_MAX) this.#marks = this.#marks.filter((_, n) => n % 2 === 1);
  }

  /** When a row was there, or somewhat later. */
  #thereSince(seq: number, nowMs: number): number {
    if (seq <= this.#start.seq) return this.#start.nowMs;
    return this.#marks.find((mark) => mark.seq >= seq)?.ms ?? nowMs;
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
