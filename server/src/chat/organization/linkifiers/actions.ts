// Changes the organization's linkifiers. All clients get the whole list after every change.
import { noteList } from '../../../accounts/audit/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { modelError } from '../../http/model-error.ts';
import { linkifiersChanged, type Linkifier } from './events.ts';
import { checkLinkifier } from './rules.ts';
import {
  deleteLinkifier,
  insertLinkifier,
  listLinkifiers,
  lockLinkifiers,
  orderLinkifiers,
  updateLinkifier,
} from './store.ts';

/** Every message is searched for every one of them. */
const LINKIFIERS_MAX = 200;

export interface LinkifierChange {
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input?: string | undefined;
  readonly reverse_template?: string | undefined;
  readonly alternative_url_templates?: readonly string[] | undefined;
}

/** Returns its id. */
export function createLinkifier(ctx: Context, given: LinkifierChange): Promise<number> {
  return change(ctx, 'linkifier create', async (tx, all) => {
    check(given, all);
    if (all.length >= LINKIFIERS_MAX) {
      throw badRequest(`There cannot be more than ${LINKIFIERS_MAX} linkifiers.`);
    }
    return insertLinkifier(tx, {
      pattern: given.pattern,
      urlTemplate: given.url_template,
      exampleInput: orNull(given.example_input),
      reverseTemplate: orNull(given.reverse_template),
      alternativeUrlTemplates: [...(given.alternative_url_templates ?? [])],
    });
  });
}

/** Omitted values stay as they are; an empty text removes an optional one. */
export function editLinkifier(ctx: Context, id: number, given: LinkifierChange): Promise<void> {
  return change(ctx, 'linkifier change', async (tx, all) => {
    find(all, id);
    check(
      given,
      all.filter((one) => one.id !== id),
    );
    const { example_input, reverse_template, alternative_url_templates: alternatives } = given;
    await updateLinkifier(tx, id, {
      pattern: given.pattern,
      urlTemplate: given.url_template,
      ...(example_input !== undefined && { exampleInput: orNull(example_input) }),
      ...(reverse_template !== undefined && { reverseTemplate: orNull(reverse_template) }),
      ...(alternatives !== undefined && { alternativeUrlTemplates: [...alternatives] }),
    });
  });
}

export function removeLinkifier(ctx: Context, id: number): Promise<void> {
  return change(ctx, 'linkifier remove', async (tx, all) => {
    find(all, id);
    await deleteLinkifier(tx, id);
  });
}

/** `order` must name each of them once. */
export function reorderLinkifiers(ctx: Context, order: readonly number[]): Promise<void> {
  return change(ctx, 'linkifier order', async (tx, all) => {
    const named = new Set(order);
    if (named.size < order.length) {
      throw badRequest('The ordered list must not contain duplicated linkifiers');
    }
    if (named.size !== all.length || !all.every(({ id }) => named.has(id))) {
      throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
    }
    await orderLinkifiers(tx, order);
  });
}

/** Runs `work` with the present linkifiers, and sends everybody the new list. */
function change<T>(
  ctx: Context,
  act: `linkifier ${'create' | 'change' | 'remove' | 'order'}`,
  work: (tx: Tx, all: readonly Linkifier[]) => Promise<T>,
): Promise<T> {
  return ctx.inTransaction(async (tx) => {
    await lockLinkifiers(tx);
    const before = await listLinkifiers(tx);
    const result = await work(tx, before);
    const after = await listLinkifiers(tx);
    noteList(tx, act, before, after);
    tx.emit(linkifiersChanged(after), {
      everyone: true,
      capability: { name: 'linkifier_url_template', has: true },
    });
    return result;
  });
}

function check(given: LinkifierChange, others: readonly Linkifier[]): void {
  checkLinkifier({
    pattern: given.pattern,
    urlTemplate: given.url_template,
    alternativeUrlTemplates: given.alternative_url_templates ?? [],
  });
  if (others.some(({ pattern }) => pattern === given.pattern)) {
    throw modelError('__all__', 'Linkifier with this Realm and Pattern already exists.');
  }
}

function find(all: readonly Linkifier[], id: number): void {
  if (!all.some((one) => one.id === id)) throw badRequest('Linkifier not found.');
}

const orNull = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;
