// Saved snippets: texts that a person keeps to use again.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { checkOwnRoom } from '../../rights/allowances/room.ts';
import { snippetRemoved, snippetSaved, type Snippet } from './events.ts';
import {
  countSnippets,
  deleteSnippet,
  findSnippet,
  insertSnippet,
  SNIPPETS,
  updateSnippet,
} from './store.ts';

/** Every client of the person gets all of them at registration. */
const SNIPPETS_MAX = 1000;

/** Returns its id. */
export function saveSnippet(
  ctx: Context,
  actor: User,
  given: { readonly title: string; readonly content: string },
): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const createdAt = new Date(ctx.clock.now());
    const snippet = await insertSnippet(tx, actor.id, { ...given, createdAt });
    if ((await countSnippets(tx, actor.id)) > SNIPPETS_MAX) {
      throw badRequest(`You cannot have more than ${SNIPPETS_MAX} saved snippets.`);
    }
    await checkOwnRoom(tx, SNIPPETS, actor.id);
    tx.emit(snippetSaved('add', snippet), { users: [actor.id] });
    return snippet.id;
  });
}

export function editSnippet(
  ctx: Context,
  actor: User,
  id: number,
  {
    title,
    content,
  }: { readonly title?: string | undefined; readonly content?: string | undefined },
): Promise<void> {
  if (title === undefined && content === undefined) throw badRequest('No new data is supplied');
  return ctx.inTransaction(async (tx) => {
    const before = await access(tx, actor, id);
    const snippet = {
      ...before,
      title: title ?? before.title,
      content: content ?? before.content,
    };
    await updateSnippet(tx, snippet);
    await checkOwnRoom(tx, SNIPPETS, actor.id);
    tx.emit(snippetSaved('update', snippet), { users: [actor.id] });
  });
}

export function removeSnippet(ctx: Context, actor: User, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await access(tx, actor, id);
    await deleteSnippet(tx, id);
    tx.emit(snippetRemoved(id), { users: [actor.id] });
  });
}

async function access(tx: Tx, actor: User, id: number): Promise<Snippet> {
  const snippet = await findSnippet(tx, actor.id, id);
  if (snippet === undefined) throw notFound('Saved snippet does not exist.');
  return snippet;
}
