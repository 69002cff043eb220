// Sessions that a provider vouched for: what is kept to sign out there too, and how the provider ends them.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct } from '../audit/actions.ts';
import { findUser } from '../users/access.ts';
import { sessionsEnded } from './events.ts';
import { endSessionsByProvider, findProviderRow } from './store.ts';

export interface ProviderSession {
  /** The provider's id in the operator's file. */
  readonly id: string;
  /** Its own name for the session. */
  readonly sid?: string | undefined;
  /** Its token, which says whose session is to end when the person signs out there. */
  readonly idToken?: string | undefined;
}

/** The encryption is bound to the session beside it. */
export const idTokenOwner = (tokenLookup: Buffer): string =>
  `id token ${tokenLookup.toString('hex')}`;

export async function findProviderSession(
  { db, secrets }: Context,
  sessionId: bigint,
): Promise<ProviderSession | undefined> {
  const row = await findProviderRow(db, sessionId);
  if (row === undefined || row.provider === null) return undefined;
  const { tokenLookup, provider, idTokenSealed } = row;
  const idToken =
    idTokenSealed === null ? undefined : secrets.open(idTokenOwner(tokenLookup), idTokenSealed);
  return { id: provider, idToken };
}

/** The provider says that a session of its own has ended, or all of a person's. Returns how many ended here. */
export async function endSessionsOfProvider(
  tx: Tx,
  which: {
    readonly provider: string;
    readonly sid: string | undefined;
    readonly userId: number | undefined;
  },
): Promise<number> {
  const reason = 'signed out at the provider';
  const ended = await endSessionsByProvider(tx, { ...which, reason });
  for (const userId of new Set(ended)) {
    const user = await findUser(tx, userId);
    if (user === undefined) continue;
    tx.emit(sessionsEnded(), { users: [] }, { rightsOf: [userId] });
    const count = ended.filter((id) => id === userId).length;
    noteAct(tx, {
      act: 'session end',
      subject: user.email,
      details: { count, reason, provider: which.provider },
    });
  }
  return ended.length;
}
