// Views that a person pins in their clients: adding, changing and removing them.
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { viewAdded, viewRemoved, viewUpdated, type NavigationView } from './events.ts';
import { deleteView, insertView, listViews, updateView } from './store.ts';

/** Views that every client has; each client names them itself. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'scheduled',
  'reminders',
]);

const VIEWS_MAX = 500;

export function addView(ctx: Context, actor: User, view: NavigationView): Promise<void> {
  checkName(view.fragment, view.name);
  return ctx.inTransaction(async (tx) => {
    if (!(await insertView(tx, actor.id, view))) throw viewExists();
    if ((await listViews(tx, actor.id)).length > VIEWS_MAX) {
      throw badRequest(`You cannot have more than ${VIEWS_MAX} navigation views.`);
    }
    tx.emit(viewAdded(view), { users: [actor.id] });
  });
}

export interface ViewChange {
  readonly is_pinned?: boolean | undefined;
  readonly name?: string | null | undefined;
}

export function editView(
  ctx: Context,
  actor: User,
  fragment: string,
  { is_pinned, name }: ViewChange,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    // The lock keeps two changes at once from giving two views the same name.
    await accessUserForUpdate(tx, actor.id);
    const views = await listViews(tx, actor.id);
    const view = views.find((one) => one.fragment === fragment);
    if (view === undefined) throw noSuchView();
    if (name !== undefined) checkName(fragment, name);
    const isTaken = views.some((one) => one !== view && one.name !== null && one.name === name);
    if (isTaken) throw viewExists();
    const changes = {
      ...(is_pinned !== undefined && is_pinned !== view.is_pinned && { is_pinned }),
      ...(name !== undefined && name !== view.name && { name }),
    };
    if (Object.keys(changes).length === 0) return;
    await updateView(tx, actor.id, { ...view, ...changes });
    tx.emit(viewUpdated(fragment, changes), { users: [actor.id] });
  });
}

export function removeView(ctx: Context, actor: User, fragment: string): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    if (!(await deleteView(tx, actor.id, fragment))) throw noSuchView();
    tx.emit(viewRemoved(fragment), { users: [actor.id] });
  });
}

function checkName(fragment: string, name: string | null): void {
  if (name !== null && BUILT_IN.has(fragment)) {
    throw badRequest('Built-in views cannot have a custom name.');
  }
}

const viewExists = () => badRequest('Navigation view already exists.');
const noSuchView = () => notFound('Navigation view does not exist.');
