// The mailed link that makes a browser known: requesting, opening and confirming it.
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  acceptDeviceLink,
  askDeviceLink,
  isDeviceLinkOpen,
} from '../chat/administration/keys/device-link.ts';
import type { ApiContext } from '../platform/context.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import {
  DEVICE_PATH,
  renderAsk,
  renderSent,
  renderUse,
  USE_PATH,
  type DeviceProblem,
} from './device-link-page.ts';
import { asVisitor, PAGES } from './audit.ts';
import { deviceOf, isOwnForm } from './login.ts';
import {
  emailIn,
  finishLink,
  keyOf,
  mountLinkPages,
  pageOf,
  send,
  type PageVisit,
} from './visit.ts';

export const mountDeviceLink = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountLinkPages(app, ctx, { askPath: DEVICE_PATH, usePath: USE_PATH, ask, show, use, sendAsk });

async function ask(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body, values } = visit;
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, 'expired');
  if (!isMailConfigured(ctx.config)) return sendAsk(visit, 503, 'shut');
  await askDeviceLink(ctx, { email: emailIn(visit), caller: request.caller });
  return send(visit, 200, renderSent(values, pageOf(visit)));
}

async function show(visit: PageVisit): Promise<FastifyReply> {
  if (!(await isDeviceLinkOpen(visit.ctx, keyOf(visit)))) return sendAsk(visit, 404, 'over');
  return send(visit, 200, renderUse(visit.values, pageOf(visit)));
}

async function use(visit: PageVisit): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  if (!isOwnForm(ctx, request, body)) return sendAsk(visit, 403, 'expired');
  const token = await asVisitor(ctx, PAGES.useDeviceLink, request, (own) =>
    acceptDeviceLink(own, {
      key: keyOf(visit),
      device: deviceOf(ctx, request),
      caller: request.caller,
    }),
  );
  if (token === undefined) return sendAsk(visit, 404, 'over');
  return finishLink(visit, token, 'device=known');
}

function sendAsk(visit: PageVisit, status: number, problem?: DeviceProblem): FastifyReply {
  const isShut = !isMailConfigured(visit.ctx.config);
  const page = {
    ...pageOf(visit),
    email: emailIn(visit),
    problem: isShut ? ('shut' as const) : problem,
  };
  return send(visit, isShut ? 503 : status, renderAsk(visit.values, page));
}
