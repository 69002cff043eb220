// Keeps a connection within the server's limit of frames: no more than `count` in any `windowMs`.

export interface Pace {
  /** Resolves when one more frame may be sent, in the order of the calls. */
  turn(): Promise<void>;
}

/** A little longer than the server's second: frames that left apart may arrive closer together. */
const WINDOW_MS = 1050;

export function createPace(
  count: number,
  now: () => number = () => performance.now(),
  windowMs = WINDOW_MS,
): Pace {
  /** When the last `count` frames were sent, oldest first. */
  const sent: number[] = [];
  let last: Promise<void> = Promise.resolve();

  async function take(): Promise<void> {
    const oldest = sent[0];
    if (sent.length >= count && oldest !== undefined) {
      const waitMs = oldest + windowMs - now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      sent.shift();
    }
    sent.push(now());
  }

  return {
    turn() {
      last = last.then(take);
      return last;
    },
  };
}
