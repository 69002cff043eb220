// A mailed link about a change of address: opening it, and confirming or canceling.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { decideAddress, findAddressLink } from '../accounts/addresses/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import {
  ADDRESS_PATH,
  ADDRESS_USE_PATH,
  renderAddressChange,
  renderAddressSaid,
  type AddressSaid,
} from './address-change-page.ts';
import { asPerson, PAGES } from './audit.ts';
import { isOwnForm } from './login.ts';
import { followLink, keyOf, mountForms, pageOf, send, type PageVisit } from './visit.ts';

export const mountAddressChange = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(ADDRESS_USE_PATH, on(show));
      scope.post(ADDRESS_USE_PATH, on(use));
      const follow = on((visit) => followLink(visit, ADDRESS_USE_PATH));
      for (const slash of ['', '/']) scope.get(`${ADDRESS_PATH}:key${slash}`, follow);
    },
    failed: (visit, status) => say(visit, status, 'busy'),
  });

async function show(visit: PageVisit): Promise<FastifyReply> {
  const opened = await findAddressLink(visit.ctx, keyOf(visit));
  if (opened === undefined) return say(visit, 404, 'over');
  const { side, mayConfirm, change } = opened;
  const page = { ...pageOf(visit), side, mayConfirm, newEmail: change.newEmail };
  return send(visit, 200, renderAddressChange(visit.values, page));
}

async function use(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  const key = keyOf(visit);
  const opened = await findAddressLink(ctx, key);
  if (opened === undefined) return say(visit, 404, 'over');
  const { side, mayConfirm, change, user } = opened;
  const decision = body.get('decision');
  const isOffered =
    (decision === 'confirm' && mayConfirm) || (decision === 'cancel' && side === 'old');
  const isOwn = isOwnForm(ctx, request, body);
  if (!isOwn || !isOffered) {
    const problem = isOwn ? undefined : ('expired' as const);
    const page = { ...pageOf(visit), side, mayConfirm, newEmail: change.newEmail, problem };
    return send(visit, isOwn ? 400 : 403, renderAddressChange(visit.values, page));
  }
  const decided = await asPerson(ctx, PAGES.decideAddress, request, { user, via: 'link' }, (own) =>
    decideAddress(own, opened, key, decision),
  );
  return say(visit, STATUS[decided], decided);
}

const STATUS = { over: 404, taken: 409, confirmed: 200, done: 200, canceled: 200 } as const;

const say = (visit: PageVisit, status: number, said: AddressSaid): FastifyReply =>
  send(visit, status, renderAddressSaid(visit.values, pageOf(visit), said));
