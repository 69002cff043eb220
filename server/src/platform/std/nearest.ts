// Which name somebody meant who mistyped one.

/** With more mistakes than these it is another name. */
const SHORT_NAME = 6;
const MISTAKES_SHORT = 1;
const MISTAKES_MAX = 2;

/** The known name that differs by a slip of the hand; undefined if there is none. */
export function nearestOf(name: string, known: Iterable<string>): string | undefined {
  const most = name.length <= SHORT_NAME ? MISTAKES_SHORT : MISTAKES_MAX;
  let nearest: string | undefined;
  let least = most + 1;
  for (const other of known) {
    if (Math.abs(other.length - name.length) >= least) continue;
    const mistakes = countMistakes(name, other);
    if (mistakes < least) [nearest, least] = [other, mistakes];
  }
  return nearest;
}

/** Letters that are missing, too many, wrong, or exchanged with their neighbour. */
function countMistakes(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
