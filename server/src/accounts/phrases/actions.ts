// Changes the phrase that heads emails to a person.
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/db/pool.ts';
import { phraseOwner } from '../../platform/mail/phrase.ts';
import { noteAct } from '../audit/actions.ts';
import type { User } from '../user.ts';
import { findStoredPhrase, updatePhrase } from '../users/credentials.ts';
import { checkPhrase } from './phrase.ts';

/** An empty one removes it. The audit log learns that it changed, and nothing of it. */
export async function changePhrase(ctx: Context, user: User, text: string): Promise<void> {
  const phrase = checkPhrase(text);
  const sealed = phrase === '' ? null : ctx.secrets.seal(phraseOwner(user.id), phrase);
  await ctx.inTransaction(async (tx) => {
    await updatePhrase(tx, user.id, sealed);
    noteAct(tx, {
      act: 'phrase change',
      subject: user.email,
      details: { userId: user.id, isSet: sealed !== null },
    });
  });
}

/** A person's own phrase; empty if there is none. */
export async function showPhrase(
  db: Db,
  { secrets }: Pick<Context, 'secrets'>,
  { id }: Pick<User, 'id'>,
): Promise<string> {
  const sealed = await findStoredPhrase(db, id);
  return sealed === null ? '' : secrets.open(phraseOwner(id), sealed);
}
