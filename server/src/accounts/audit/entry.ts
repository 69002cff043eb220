// An entry of the audit log, and the hash chain of entries. Without I/O, so that anybody with a
// copy of the table can check it: hash(n) = SHA-256(hexadecimal hash(n-1), then the canonical text
// of entry n).
import { createHash } from 'node:crypto';

export type AuditOutcome =
  | 'done'
  /** The engine has been asked; its answer follows in a separate entry. */
  | 'requested'
  | 'awaiting_approval'
  | 'approved'
  | 'withdrawn'
  /** The engine refused. */
  | 'refused'
  /** The rules for operators refused it: it never became a command. */
  | 'denied';

/** What a person did, as reported by the code that did it. */
export interface AuditNote {
  /** The operator's address; empty when nobody was named. */
  readonly operator: string;
  /** Noun and verb; acts.ts has the list of them. */
  readonly act: string;
  /** What it was done to: a symbol, an account, an address. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly outcome: AuditOutcome;
  readonly commandId?: bigint;
}

/** A note as it is stored. */
export interface AuditEntry {
  readonly seq: bigint;
  readonly at: Date;
  readonly operator: string;
  readonly act: string;
  readonly subject: string;
  /** Canonical JSON text. */
  readonly details: string;
  readonly outcome: string;
  readonly commandId: bigint | null;
}

export interface ChainedEntry extends AuditEntry {
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The hash before the first entry. */
export const GENESIS_HASH = Buffer.alloc(32);

/** JSON with sorted member names, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'bigint') return member.toString();
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const sorted = Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  });
}

/** The details are included as a text: the hash covers their characters, not an interpretation. */
export function canonicalText(entry: AuditEntry): string {
  return canonicalJson({
    seq: entry.seq,
    time: entry.at.getTime(),
    operator: entry.operator,
    act: entry.act,
    subject: entry.subject,
    details: entry.details,
    outcome: entry.outcome,
    command: entry.commandId,
  });
}

export function hashEntry(previous: Buffer, entry: AuditEntry): Buffer {
  return createHash('sha256')
    .update(previous.toString('hex'))
    .update(canonicalText(entry))
    .digest();
}

/** How far a chain was followed; `trouble` says where it breaks. */
export interface ChainState {
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly trouble?: { readonly seq: bigint; readonly what: string };
}

export const CHAIN_START: ChainState = { seq: 0n, hash: GENESIS_HASH };

/** Follows the chain over the next entries, which come by seq, and stops at the first that is wrong. */
export function followChain(from: ChainState, entries: readonly ChainedEntry[]): ChainState {
  let { seq, hash } = from;
  if (from.trouble !== undefined) return from;
  for (const entry of entries) {
    const broken = (what: string): ChainState => ({ seq, hash, trouble: { seq: entry.seq, what } });
    if (entry.seq !== seq + 1n) {
      return broken(
        `it follows entry ${seq}: ${entry.seq - seq - 1n} in between ${entry.seq === seq + 2n ? 'is' : 'are'} missing`,
      );
    }
    if (!entry.previousHash.equals(hash)) {
      return broken('it was not written after the entry that stands before it');
    }
    if (!hashEntry(hash, entry).equals(entry.hash)) {
      return broken('its text is not the one that its hash was made from');
    }
    ({ seq, hash } = entry);
  }
  return { seq, hash };
}
