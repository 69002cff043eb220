// Creates, edits and deletes drafts, and sends the changes to the author's other clients.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { accessChannel } from '../../conversations/channel/access.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { checkOwnRoom } from '../../rights/allowances/room.ts';
import { draftRemoved, draftsAdded, draftUpdated, type Draft, type DraftInput } from './events.ts';
import { othersOf, parseDraft, type DraftBody } from './rules.ts';
import {
  countDrafts,
  deleteDraft,
  deleteDraftsOf,
  DRAFTS,
  insertDrafts,
  listDrafts,
  lockDraft,
  updateDraft,
  type DraftRow,
} from './store.ts';

/** Nobody writes this many drafts by hand: beyond it, a client is out of control. */
const DRAFTS_PER_USER_MAX = 5000;

/** Saves the whole batch or nothing, and sends it to the author's other clients. */
export function createDrafts(
  ctx: Context,
  actor: User,
  inputs: readonly DraftInput[],
): Promise<number[]> {
  checkSynchronized(actor);
  const bodies = inputs.map((input) => parseDraft(input, ctx.clock.now()));
  // An empty batch sends no event.
  if (bodies.length === 0) return Promise.resolve([]);
  return ctx.inTransaction(async (tx) => {
    const rows = await address(tx, actor, bodies);
    const existing = await countDrafts(tx, actor.id, DRAFTS_PER_USER_MAX);
    if (existing + rows.length > DRAFTS_PER_USER_MAX) {
      throw badRequest(`You cannot have more than ${DRAFTS_PER_USER_MAX} drafts.`);
    }
    const drafts = await insertDrafts(tx, actor.id, rows);
    await checkOwnRoom(tx, DRAFTS, actor.id);
    tx.emit(draftsAdded(drafts), { users: [actor.id] });
    return drafts.map(({ id }) => id);
  });
}

/** Replaces the draft by `input`. */
export function editDraft(
  ctx: Context,
  actor: User,
  draftId: number,
  input: DraftInput,
): Promise<void> {
  checkSynchronized(actor);
  return ctx.inTransaction(async (tx) => {
    if (!(await lockDraft(tx, actor.id, draftId))) throw noSuchDraft();
    const rows = await address(tx, actor, [parseDraft(input, ctx.clock.now())]);
    for (const row of rows) {
      const draft = await updateDraft(tx, draftId, row);
      await checkOwnRoom(tx, DRAFTS, actor.id);
      tx.emit(draftUpdated(draft), { users: [actor.id] });
    }
  });
}

export function removeDraft(ctx: Context, actor: User, draftId: number): Promise<void> {
  checkSynchronized(actor);
  return ctx.inTransaction(async (tx) => {
    if (!(await deleteDraft(tx, actor.id, draftId))) throw noSuchDraft();
    tx.emit(draftRemoved(draftId), { users: [actor.id] });
  });
}

export function listOwnDrafts(ctx: Context, actor: User): Promise<Draft[]> {
  checkSynchronized(actor);
  return listDrafts(ctx.db, actor.id);
}

/**
 * For a person who turns synchronisation off: deletes the drafts on the server only. No event is sent, so clients
 * keep their copies.
 */
export function forgetDrafts(tx: Tx, userId: number): Promise<void> {
  return deleteDraftsOf(tx, userId);
}

/** Looks up the recipients of all drafts at once. */
async function address(db: Db, actor: User, bodies: readonly DraftBody[]): Promise<DraftRow[]> {
  const wanted = new Set(bodies.flatMap((body) => (body.type === 'private' ? body.userIds : [])));
  const known = new Set((await listUsersById(db, [...wanted])).map(({ id }) => id));
  const checked = new Set<number>();
  const rows: DraftRow[] = [];
  for (const body of bodies) {
    const { type, content, editedAt } = body;
    if (body.type === 'stream') {
      if (!checked.has(body.channelId)) await accessChannel(db, actor, body.channelId);
      checked.add(body.channelId);
      rows.push({ type, to: [body.channelId], topic: body.topic, content, editedAt });
    } else if (body.type === 'private') {
      const stranger = body.userIds.find((id) => !known.has(id));
      if (stranger !== undefined) throw badRequest(`Invalid user ID ${stranger}`);
      rows.push({ type, to: othersOf(actor.id, body.userIds), topic: '', content, editedAt });
    } else {
      rows.push({ type, to: [], topic: '', content, editedAt });
    }
  }
  return rows;
}

function checkSynchronized(actor: User): void {
  // Only settings that differ from their default are stored; synchronising is the default.
  if (actor.settings['enable_drafts_synchronization'] === false) {
    throw badRequest('User has disabled synchronizing drafts.');
  }
}

const noSuchDraft = () => notFound('Draft does not exist');
