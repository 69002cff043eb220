// An entry of the audit log as an administrator sees it: who did what to whom, and what changed. The network address, the
// request and the accounts of the venue stay with operators.
import { Type, type Static } from 'typebox';
import type { AuditEntry } from '../../../accounts/audit/entry.ts';
import type { User } from '../../../accounts/user.ts';
import { placeholderEmail, seesAddress, type Sight } from '../../../accounts/users/sight.ts';
import { unixSeconds } from '../../../platform/std/time.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

const Values = orNull(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Only what differs, by name; null where the act has no such side.',
  }),
);

export const ShownEntry = Type.Object({
  id: Type.Integer({ description: 'Entries are numbered without gaps; you see some of them.' }),
  timestamp: Type.Integer({ description: 'Seconds.' }),
  user_id: orNull(Type.Integer({ description: 'Who acted; null for the server itself.' })),
  via: Type.String({ description: 'session, key, link, stranger, server or an operator’s way.' }),
  act: Type.String(),
  outcome: Type.String({ description: 'done; denied for what the person had no right to do.' }),
  subject: Type.String({
    description:
      'What it was done to. An address that you may not see is replaced by one that names the person.',
  }),
  subject_user_id: orNull(Type.Integer({ description: 'The person it was done to, if one.' })),
  before: Values,
  after: Values,
});
export type ShownEntry = Static<typeof ShownEntry>;

type Details = Readonly<Record<string, unknown>>;

/** The person whom an entry is about, if one. */
export function subjectIdOf({ details }: Pick<AuditEntry, 'details'>): number | undefined {
  const { userId } = JSON.parse(details) as Details;
  return typeof userId === 'number' ? userId : undefined;
}

type Subject = Pick<User, 'id' | 'email' | 'emailVisibility' | 'botOwnerId'>;

/** `subject` is the person whom the entry is about. */
export function shownEntry(
  entry: AuditEntry,
  sight: Sight,
  subject: Subject | undefined,
): ShownEntry {
  const details = JSON.parse(entry.details) as Details;
  const shown = addressesFor(entry, sight, subject);
  const values = (name: 'before' | 'after') =>
    isValues(details[name]) ? (inEveryText(details[name], shown) as Details) : null;
  return {
    id: Number(entry.seq),
    timestamp: unixSeconds(entry.at.getTime()),
    user_id: typeof details['by'] === 'number' ? details['by'] : null,
    via: typeof details['via'] === 'string' ? details['via'] : 'server',
    act: entry.act,
    outcome: entry.outcome,
    subject: shown(entry.subject),
    subject_user_id: subjectIdOf(entry) ?? null,
    before: values('before'),
    after: values('after'),
  };
}

const isValues = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const WORD = /[^\s"'<>()[\],;:/?&=]+/g;

/** Replaces what looks like an address, word by word: a pattern for whole addresses could take quadratic time. */
const replaceAddresses = (text: string, change: (address: string) => string): string =>
  text.replace(WORD, (word) => (/^[^@]+@[^@]+$/.test(word) ? change(word) : word));

const HIDDEN = 'hidden address';

/**
 * Replaces the addresses in a text that the viewer may not see. In an entry about a person only their present address is
 * shown, if they let the viewer see it; the address of an erased profile is no longer theirs.
 */
function addressesFor(
  { act, outcome }: Pick<AuditEntry, 'act' | 'outcome'>,
  { viewer, host }: Sight,
  subject: Subject | undefined,
): (text: string) => string {
  if (subject !== undefined) {
    const seen = seesAddress(viewer, subject) ? subject.email.toLowerCase() : undefined;
    const other = placeholderEmail(subject.id, host);
    return (text) =>
      replaceAddresses(text, (address) => (address.toLowerCase() === seen ? address : other));
  }
  // Administrators see whom others invited, and texts of the organization are for everybody.
  const isOpen = outcome === 'done' && !/^(user|bot) |^invitation accept$/.test(act);
  return (text) => (isOpen ? text : replaceAddresses(text, () => HIDDEN));
}

function inEveryText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inEveryText(one, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, inEveryText(one, change)]),
  );
}
