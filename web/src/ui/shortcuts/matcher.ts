// Which command a row of presses means. No clock and no page: times are given.
import { pressesOf, worksInFields } from './keys.ts';

/** A command and the keys that call it. */
export interface Binding {
  readonly command: string;
  readonly keys: string;
}

/** How long the second key of "g t" may be awaited. */
const SEQUENCE_MS = 1500;

/** What was pressed so far of a sequence. */
export interface Waiting {
  readonly presses: readonly string[];
  readonly at: number;
}

export const NOTHING: Waiting = { presses: [], at: 0 };

export interface Situation {
  /** A field has the focus: letters are text. */
  readonly isTyping: boolean;
  /** The person turned shortcuts of single keys off. */
  readonly areSingleKeysOff: boolean;
}

export interface Matched {
  readonly command: string | undefined;
  readonly waiting: Waiting;
}

/** Takes one press. A whole combination gives its command; the beginning of one is awaited; anything else begins anew. */
export function match(
  bindings: readonly Binding[],
  before: Waiting,
  press: string,
  now: number,
  situation: Situation,
): Matched {
  const isQuiet = situation.isTyping || situation.areSingleKeysOff;
  if (isQuiet && !worksInFields(press)) return { command: undefined, waiting: NOTHING };
  const isOld = now - before.at > SEQUENCE_MS;
  const rows =
    isOld || before.presses.length === 0 ? [[press]] : [[...before.presses, press], [press]];
  for (const row of rows) {
    const whole = bindings.find((binding) => isEqual(pressesOf(binding.keys), row));
    if (whole !== undefined) return { command: whole.command, waiting: NOTHING };
    if (bindings.some((binding) => begins(pressesOf(binding.keys), row)))
      return { command: undefined, waiting: { presses: row, at: now } };
  }
  return { command: undefined, waiting: NOTHING };
}

function begins(presses: readonly string[], row: readonly string[]): boolean {
  return presses.length > row.length && row.every((press, index) => presses[index] === press);
}

function isEqual(presses: readonly string[], row: readonly string[]): boolean {
  return presses.length === row.length && row.every((press, index) => presses[index] === press);
}

/** The bindings with a person's own keys in the place of ours. An empty list takes the keys away. */
export function rebind(
  bindings: readonly Binding[],
  own: Readonly<Record<string, readonly string[]>>,
): readonly Binding[] {
  const kept = bindings.filter(({ command }) => own[command] === undefined);
  return [
    ...kept,
    ...Object.entries(own).flatMap(([command, rows]) => rows.map((keys) => ({ command, keys }))),
  ];
}

/** The commands whose keys another command already has, or whose keys begin those of another: they could not both
 *  work. */
export function conflictsOf(
  bindings: readonly Binding[],
): readonly (readonly [Binding, Binding])[] {
  return bindings.flatMap((one, index) =>
    bindings.slice(index + 1).flatMap((other) => {
      const [a, b] = [pressesOf(one.keys), pressesOf(other.keys)];
      const clash = isEqual(a, b) || begins(a, b) || begins(b, a);
      return clash && one.command !== other.command ? [[one, other] as const] : [];
    }),
  );
}
