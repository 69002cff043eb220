// Adds and removes playgrounds, where code can be tried out. All clients get the whole list after every change.
import { noteList } from '../../../accounts/audit/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { modelError } from '../../http/model-error.ts';
import { playgroundsChanged, type Playground } from './events.ts';
import { checkPlayground, type PlaygroundInput } from './rules.ts';
import { deletePlayground, insertPlayground, listPlaygrounds, lockPlaygrounds } from './store.ts';

const PLAYGROUNDS_MAX = 1000;

/** Returns its id. */
export function createPlayground(ctx: Context, given: PlaygroundInput): Promise<number> {
  checkPlayground(given);
  return change(ctx, 'playground create', (tx, all) => {
    const isTaken = all.some(
      ({ name, pygments_language }) =>
        name === given.name && pygments_language === given.pygments_language,
    );
    if (isTaken) {
      throw modelError(
        '__all__',
        'Realm playground with this Realm, Pygments language and Name already exists.',
      );
    }
    if (all.length >= PLAYGROUNDS_MAX) {
      throw badRequest(`There cannot be more than ${PLAYGROUNDS_MAX} playgrounds.`);
    }
    return insertPlayground(tx, given);
  });
}

export function removePlayground(ctx: Context, id: number): Promise<void> {
  return change(ctx, 'playground remove', async (tx, all) => {
    if (!all.some((one) => one.id === id)) throw badRequest('Invalid playground');
    await deletePlayground(tx, id);
  });
}

function change<T>(
  ctx: Context,
  act: `playground ${'create' | 'remove'}`,
  work: (tx: Tx, all: readonly Playground[]) => Promise<T>,
): Promise<T> {
  return ctx.inTransaction(async (tx) => {
    await lockPlaygrounds(tx);
    const before = await listPlaygrounds(tx);
    const result = await work(tx, before);
    const after = await listPlaygrounds(tx);
    noteList(tx, act, before, after);
    tx.emit(playgroundsChanged(after), { everyone: true });
    return result;
  });
}
