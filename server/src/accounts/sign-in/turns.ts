// Attempts for one name or one place take their token one after the other, so that many attempts at
// one name hold one database connection and not all of them. An attempt that finds the bucket empty
// while others are under way waits for their end: a person who starts a dozen programs with the
// right password at once is not guessing, and success refills the bucket.

/** How many may wait for one subject; more are refused at once. */
const ASKING_MAX = 100;

interface Turns {
  asking: number;
  /** The end of the last waiting attempt. */
  asked: Promise<void>;
  /** Admitted attempts that have not ended. */
  readonly underWay: Set<Promise<void>>;
}

const all = new Map<string, Turns>();

export class TooManyAsking extends Error {
  override name = 'TooManyAsking';
}

/**
 * Calls `take` when it is this attempt's turn, and again each time another attempt has ended, as
 * long as `isWorthWaiting` accepts the error it throws. Returns a function to call when the attempt
 * has ended.
 */
export async function takeInTurn(
  key: string,
  take: () => Promise<void>,
  isWorthWaiting: (error: unknown) => boolean,
): Promise<() => void> {
  const turns = all.get(key) ?? { asking: 0, asked: Promise.resolve(), underWay: new Set() };
  if (turns.asking >= ASKING_MAX) throw new TooManyAsking('Too many attempts for one name.');
  all.set(key, turns);
  const forget = () => {
    if (turns.asking === 0 && turns.underWay.size === 0) all.delete(key);
  };
  turns.asking += 1;
  try {
    for (;;) {
      const before = turns.asked;
      const { promise: asked, resolve: next } = Promise.withResolvers<void>();
      turns.asked = asked;
      await before;
      try {
        await take();
        const { promise, resolve } = Promise.withResolvers<void>();
        turns.underWay.add(promise);
        return () => {
          turns.underWay.delete(promise);
          forget();
          resolve();
        };
      } catch (error) {
        if (turns.underWay.size === 0 || !isWorthWaiting(error)) throw error;
      } finally {
        next();
      }
      await Promise.race(turns.underWay);
    }
  } finally {
    turns.asking -= 1;
    forget();
  }
}
