import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { alertWordsChanged } from './events.ts';
import { cleanWords } from './rules.ts';
import { deleteWords, insertWords, listWords } from './store.ts';

/** Every message is held against everybody's words. */
const WORDS_MAX = 500;

/** Returns all words, the new ones last. */
export function addAlertWords(
  ctx: Context,
  actor: User,
  given: readonly string[],
): Promise<string[]> {
  return ctx.inTransaction(async (tx) => {
    const added = await insertWords(tx, actor.id, cleanWords(given));
    const words = await listWords(tx, actor.id);
    if (words.length > WORDS_MAX) {
      throw badRequest(`You cannot have more than ${WORDS_MAX} alert words.`);
    }
    if (added > 0) tx.emit(alertWordsChanged(words), { users: [actor.id] });
    return words;
  });
}

/** Returns what is left. */
export function removeAlertWords(
  ctx: Context,
  actor: User,
  given: readonly string[],
): Promise<string[]> {
  return ctx.inTransaction(async (tx) => {
    const removed = await deleteWords(tx, actor.id, cleanWords(given));
    const words = await listWords(tx, actor.id);
    if (removed > 0) tx.emit(alertWordsChanged(words), { users: [actor.id] });
    return words;
  });
}
