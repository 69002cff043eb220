// Adds and removes alert words, and sends the new list to the person's own clients.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest } from '../../http/errors.ts';
import { alertWordsChanged } from './events.ts';
import { cleanWords } from './rules.ts';
import { deleteWords, insertWords, listWords } from './store.ts';

/** Bounds the work of sending: each message is compared with the words of many people. */
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

/** Returns the words that are left. */
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
