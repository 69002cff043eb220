// Argon2id, on at most two threads at once: more would let many logins starve everything else.
// Strangers get at most one of the two, and people from a known place go before them, so a flood of
// strangers does not delay known people.
import { hash, verify } from '@node-rs/argon2';

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CONCURRENT_MAX = 2;
const STRANGERS_MAX = 1;
/** Beyond this many waiting logins of a kind the next is refused rather than kept waiting. */
const WAITING_MAX = 200;

/** Whether the caller has signed in from here before, or is a stranger. */
export type Familiarity = 'known' | 'stranger';

const running: Record<Familiarity, number> = { known: 0, stranger: 0 };
const waiting: Record<Familiarity, (() => void)[]> = { known: [], stranger: [] };

export class TooManyHashes extends Error {
  override name = 'TooManyHashes';
}

const hasRoom = (familiarity: Familiarity): boolean =>
  running.known + running.stranger < CONCURRENT_MAX &&
  (familiarity === 'known' || running.stranger < STRANGERS_MAX);

async function inTurn<T>(familiarity: Familiarity, work: () => Promise<T>): Promise<T> {
  const queue = waiting[familiarity];
  if (hasRoom(familiarity) && queue.length === 0) running[familiarity] += 1;
  else {
    if (queue.length >= WAITING_MAX) throw new TooManyHashes('Too many logins at once.');
    // The caller that releases this one has counted it already.
    await new Promise<void>((resolve) => queue.push(resolve));
  }
  try {
    return await work();
  } finally {
    running[familiarity] -= 1;
    admitNext();
  }
}

function admitNext(): void {
  for (const familiarity of ['known', 'stranger'] as const) {
    while (waiting[familiarity].length > 0 && hasRoom(familiarity)) {
      running[familiarity] += 1;
      waiting[familiarity].shift()?.();
    }
  }
}

/** For a new password; only people who are signed in set one. */
export function hashPassword(password: string): Promise<string> {
  return inTurn('known', () => hash(password, OPTIONS));
}

/**
 * Checked when there is no user, so that an unknown name takes as long as a wrong password, even in
 * a process that has hashed nothing yet. It has the cost of OPTIONS; the password behind it is
 * unknown.
 */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$h7yngGojW5w1sdyZfPvzUg$SABPur/AIzKKePuJCS/gsNs+XRurqv2fX6wKfjZsdp4';

/** `waited` learns how long it had to wait for its turn. */
export async function verifyPassword(
  storedHash: string | null,
  password: string,
  familiarity: Familiarity,
  waited?: (seconds: number) => void,
): Promise<boolean> {
  const askedMs = performance.now();
  const matches = await inTurn(familiarity, () => {
    waited?.((performance.now() - askedMs) / 1000);
    return verify(storedHash ?? DECOY, password);
  });
  return matches && storedHash !== null;
}
