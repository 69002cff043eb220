// Finds the word that was probably meant, for refusals that help.

/** Longer words are not compared: nobody types them by hand. */
const WORD_MAX = 60;

/** A third of the letters may be wrong, and one always may. */
const mistakesIn = (word: string): number => Math.max(1, Math.floor(word.length / 3));

const SHORT_WORD = 6;

/** For lists that contain unrelated words, such as environment variables: only a slip of the hand counts. */
export const slipsIn = (word: string): number => (word.length <= SHORT_WORD ? 1 : 2);

/** Of `known`, the word that differs least from `word`, if it differs little: "prot" probably means "port". */
export function findNearest(
  word: string,
  known: Iterable<string>,
  mistakesMax: number = mistakesIn(word),
): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  let nearest: string | undefined;
  let least = mistakesMax + 1;
  for (const candidate of known) {
    if (candidate.length > WORD_MAX || Math.abs(candidate.length - word.length) >= least) continue;
    const mistakes = countMistakes(word.toLowerCase(), candidate.toLowerCase(), least);
    if (mistakes < least) [nearest, least] = [candidate, mistakes];
  }
  return nearest;
}

/**
 * How many letters to insert, delete, replace, or swap with their neighbour. It stops at `enough`: most words have nothing in
 * common, and a start compares every environment variable with every setting.
 */
function countMistakes(a: string, b: string, enough: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_none, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    let fewest = row;
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const mistakes = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
      next.push(mistakes);
      if (mistakes < fewest) fewest = mistakes;
    }
    // A swap looks back two rows and costs one, so it stays above the fewest of this row too.
    if (fewest >= enough) return fewest;
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
