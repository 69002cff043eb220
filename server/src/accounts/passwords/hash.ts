// Argon2id, on at most two threads at once: more would let a crowd of logins starve everything else.
import { hash, verify } from '@node-rs/argon2';

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CONCURRENT_MAX = 2;
/** Beyond this many waiting logins the next is refused rather than kept waiting. */
const WAITING_MAX = 200;

let running = 0;
const waiting: (() => void)[] = [];

export class TooManyHashes extends Error {
  override name = 'TooManyHashes';
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENT_MAX) {
    if (waiting.length >= WAITING_MAX) throw new TooManyHashes('Too many logins at once.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS));
}

/** Checked against when there is no user, so that an unknown name takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

export async function verifyPassword(
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword('no password is equal to this');
  const against = storedHash ?? (await decoy);
  const matches = await inTurn(() => verify(against, password));
  return matches && storedHash !== null;
}
