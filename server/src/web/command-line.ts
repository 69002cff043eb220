// The page on which an operator lets a command line act for them: first its code, then who it is, then a factor.
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  confirmLogin,
  denyLogin,
  findLogin,
  type CliAsk,
} from '../accounts/command-lines/actions.ts';
import { placeOf } from '../accounts/second-factors/act.ts';
import { readStepUp, requireFresh, requireStepUp } from '../accounts/second-factors/step-up.ts';
import type { Session } from '../accounts/sessions/access.ts';
import type { ApiContext } from '../platform/context.ts';
import { Refusal } from '../platform/http/refusal.ts';
import { asPerson, PAGES } from './audit.ts';
import {
  COMMAND_LINE_PATH,
  renderCommandLine,
  renderFoundCommandLine,
  type CommandLineProblem,
  type ShownCommandLine,
} from './command-line-page.ts';
import { asSignedIn, isSessionForm, sendNothing, toSignIn } from './signed-in.ts';
import { toStepUp } from './step-up.ts';
import { mountForms, send, type PageVisit } from './visit.ts';

export const mountCommandLine = (app: FastifyInstance, ctx: ApiContext): Promise<void> =>
  mountForms(app, ctx, {
    mount(scope, on) {
      scope.get(COMMAND_LINE_PATH, on(asSignedIn(COMMAND_LINE_PATH, show)));
      scope.post(COMMAND_LINE_PATH, on(asSignedIn(COMMAND_LINE_PATH, take)));
    },
    failed: sendNothing,
  });

const show = (visit: PageVisit, session: Session): FastifyReply => sendForm(visit, session, 200);

async function take(visit: PageVisit, session: Session): Promise<FastifyReply> {
  const { ctx, body } = visit;
  if (!isSessionForm(visit, session)) return sendForm(visit, session, 403, 'expired');
  const typed = body.get('code') ?? '';
  try {
    switch (body.get('step')) {
      case 'confirm':
        return await confirm(visit, session, typed);
      case 'deny':
        await acting(visit, session, (own) => denyLogin(own, session, typed));
        return sendForm(visit, session, 200, undefined, 'denied');
      default:
        // Who can only show a passkey does that first, on a page with script.
        if (!(await takesOtp(ctx, session))) await requireFresh(ctx, session);
        return await sendFound(visit, session, typed, await findLogin(ctx, session, typed), 200);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'SESSION_INVALID') return toSignIn(visit, COMMAND_LINE_PATH);
    if (error.code === 'SECOND_FACTOR_REQUIRED' && error.fields['level'] === 'fresh') {
      return toStepUp(visit, COMMAND_LINE_PATH);
    }
    void visit.reply.headers(error.headers);
    return sendForm(visit, session, error.status, problemOf(error));
  }
}

async function confirm(visit: PageVisit, session: Session, typed: string): Promise<FastifyReply> {
  const { ctx, request, body } = visit;
  // The code is looked at before a factor is spent on it.
  const asked = await findLogin(ctx, session, typed);
  try {
    await acting(visit, session, async (own) => {
      if (await takesOtp(own, session)) {
        const code = (body.get('otp') ?? '').replaceAll(/\s/g, '').slice(0, 20);
        const act = { method: 'POST', path: COMMAND_LINE_PATH, params: [] };
        const answer = { kind: 'totp', code } as const;
        const place = placeOf(own.config, request);
        await requireStepUp(own, session, 'each', { ...act, answer, place });
      } else await requireFresh(own, session);
      return confirmLogin(own, session, typed);
    });
  } catch (error) {
    const isWrong = error instanceof Refusal && error.code === 'SECOND_FACTOR_REQUIRED';
    if (!isWrong || error.fields['enrol'] === true) throw error;
    return sendFound(visit, session, typed, asked, 403, 'factor');
  }
  return sendForm(visit, session, 200, undefined, 'done');
}

const acting = <T>(
  { ctx, request }: PageVisit,
  { user }: Session,
  work: (ctx: ApiContext) => Promise<T>,
): Promise<T> => asPerson(ctx, PAGES.commandLine, request, { user, via: 'session' }, work);

const takesOtp = async (ctx: ApiContext, session: Session): Promise<boolean> =>
  (await readStepUp(ctx, session)).methods.includes('totp');

function problemOf({ code, status, fields }: Refusal): CommandLineProblem {
  if (code === 'PERMISSION_DENIED') return 'no-grant';
  if (code === 'SECOND_FACTOR_REQUIRED') return fields['enrol'] === true ? 'no-factor' : 'factor';
  if (code === 'CLI_CODE_UNKNOWN') return 'unknown';
  return status === 429 ? 'too-many' : 'unavailable';
}

async function sendFound(
  visit: PageVisit,
  session: Session,
  code: string,
  { host, login, address }: CliAsk,
  status: number,
  problem?: CommandLineProblem,
): Promise<FastifyReply> {
  const { ctx, values } = visit;
  const shown: ShownCommandLine = {
    code,
    host,
    login,
    address,
    takesOtp: await takesOtp(ctx, session),
  };
  return send(
    visit,
    status,
    renderFoundCommandLine(values, pageOf(visit, session, problem), shown),
  );
}

const sendForm = (
  visit: PageVisit,
  session: Session,
  status: number,
  problem?: CommandLineProblem,
  done?: 'done' | 'denied',
): FastifyReply => {
  const page = { ...pageOf(visit, session, problem), done };
  return send(visit, status, renderCommandLine(visit.values, page));
};

const pageOf = (
  { language }: PageVisit,
  { csrfToken }: Session,
  problem: CommandLineProblem | undefined,
) => ({ language, csrfToken, next: undefined, problem });
