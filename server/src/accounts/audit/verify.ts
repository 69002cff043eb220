// Checks a log, from a table or from a file, against published heads: anybody who has these and the
// public key can do it. Names the first wrong entry, and what is wrong with it.
import { CHAIN_START, followChain, type ChainedEntry, type ChainState } from './entry.ts';
import { isHeadSignedBy, type AuditHead } from './head.ts';

export interface AuditVerdict {
  /** How far the log was followed. */
  readonly end: ChainState;
  /** How many of the heads fit. */
  readonly headsFit: number;
  /** In a sentence; undefined when all is well. */
  readonly trouble?: string;
}

/**
 * `pages` are all entries by seq. `heads` come in any order; each must be signed by one of the
 * keys.
 */
export async function verifyLog(
  pages: AsyncIterable<readonly ChainedEntry[]>,
  heads: readonly AuditHead[],
  publicKeys: readonly string[],
): Promise<AuditVerdict> {
  const waiting = [...heads].sort((a, b) => Number(a.seq - b.seq));
  for (const head of waiting) {
    const trouble = whyNotOurs(head, publicKeys);
    if (trouble !== undefined) return { end: CHAIN_START, headsFit: 0, trouble };
  }
  let end = CHAIN_START;
  let fitting: AuditHead | undefined;
  let headsFit = 0;
  const say = (trouble: string): AuditVerdict => ({ end, headsFit, trouble });
  for await (const page of pages) {
    let rest = page;
    while (rest.length > 0) {
      const [head] = waiting;
      const upTo = rest.findIndex(({ seq }) => seq === head?.seq);
      const stretch = upTo < 0 ? rest : rest.slice(0, upTo + 1);
      rest = rest.slice(stretch.length);
      end = followChain(end, stretch);
      if (end.trouble !== undefined) return say(sayBroken(end.trouble, fitting));
      while (waiting[0]?.seq === end.seq) {
        const [next] = waiting;
        if (next === undefined || !next.hash.equals(end.hash))
          return say(sayRewritten(next, fitting));
        fitting = next;
        headsFit += 1;
        waiting.shift();
      }
    }
  }
  const [cut] = waiting;
  return cut === undefined ? { end, headsFit } : say(sayCut(end.seq, waiting.at(-1) ?? cut));
}

function whyNotOurs(head: AuditHead, publicKeys: readonly string[]): string | undefined {
  if (publicKeys.some((key) => isHeadSignedBy(head, key))) return undefined;
  return (
    `The head of ${head.at.toISOString()} (entry ${head.seq}) does not bear the signature of the given key: ` +
    'it was forged or changed, or it is of another deployment.'
  );
}

const since = (head: AuditHead | undefined): string =>
  head === undefined
    ? ''
    : ` Up to entry ${head.seq} the log is the one that was signed at ${head.at.toISOString()}.`;

const sayBroken = (
  { seq, what }: { readonly seq: bigint; readonly what: string },
  fitting: AuditHead | undefined,
): string => `Entry ${seq} is wrong: ${what}.${since(fitting)}`;

const sayRewritten = (head: AuditHead | undefined, fitting: AuditHead | undefined): string =>
  `Entry ${head?.seq} is not the one that was signed at ${head?.at.toISOString()}: the chain is whole, so it was ` +
  `rewritten, with other hashes, from some entry after ${fitting?.seq ?? 0} on.${since(fitting)}`;

const sayCut = (last: bigint, head: AuditHead): string =>
  `The log ends with entry ${last}, but entry ${head.seq} was signed at ${head.at.toISOString()}: ` +
  `${last + 1n === head.seq ? `entry ${head.seq} was` : `entries ${last + 1n} to ${head.seq} were`} cut off.`;
