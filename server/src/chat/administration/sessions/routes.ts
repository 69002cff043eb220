// Routes of browsers' sessions: the list of one's own, ending them, and proving again who is there.
import { Type } from 'typebox';
import { directoryProof } from '../../../accounts/ldap/actions.ts';
import { readStepUp, stepUp, type StepUpAnswer } from '../../../accounts/second-factors/step-up.ts';
import {
  endOwnSessions,
  endSessionOf,
  listOwnSessions,
} from '../../../accounts/sessions/actions.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { chatRoute } from '../../http/route.ts';
import { accessSession } from '../keys/prove.ts';
import { createPerson } from '../users/actions.ts';

/** More than the setting SESSIONS_PER_USER_MAX allows. */
const SESSIONS_MAX = 1000;

const SessionShape = Type.Object({
  id: Type.Integer(),
  kind: Type.Union([Type.Literal('browser'), Type.Literal('cli')]),
  device: Type.String({ description: 'Browser and system, as far as they can be told.' }),
  address: Type.String({ description: 'The network address where it was opened.' }),
  network: Type.Union([Type.Literal('same'), Type.Literal('private'), Type.Literal('other')], {
    description: 'Compared with where you are now.',
  }),
  methods: Type.Array(Type.String(), { maxItems: 5, description: 'How it was opened.' }),
  created_at: Type.Integer(),
  last_seen_at: Type.Integer(),
  is_current: Type.Boolean(),
});

export const getSessions = chatRoute({
  name: 'get-sessions',
  method: 'GET',
  path: '/sessions',
  allow: 'guest',
  bots: false,
  summary: 'Where you are signed in.',
  params: Type.Object({}),
  returns: Type.Object({ sessions: Type.Array(SessionShape, { maxItems: SESSIONS_MAX }) }),
  handle: async (ctx, actor, _params, { caller, sessionId }) => {
    const own = await listOwnSessions(ctx, actor, caller);
    return {
      sessions: own.map(
        ({ id, kind, device, address, network, methods, createdAt, lastSeenAt }) => ({
          id: Number(id),
          kind,
          device,
          address,
          network,
          methods: [...methods],
          created_at: Math.floor(createdAt.getTime() / 1000),
          last_seen_at: Math.floor(lastSeenAt.getTime() / 1000),
          is_current: id === sessionId,
        }),
      ),
    };
  },
});

export const deleteSession = chatRoute({
  name: 'end-session',
  method: 'DELETE',
  path: '/sessions/{session_id:int}',
  allow: 'guest',
  bots: false,
  audit: ['session end'],
  summary: 'Signs you out in one browser.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { session_id }) => {
    // Somebody else's and an ended one are treated the same.
    if (!(await endSessionOf(ctx, actor, BigInt(session_id)))) throw notFound('No such session');
    return {};
  },
});

export const deleteSessions = chatRoute({
  name: 'end-sessions',
  method: 'DELETE',
  path: '/sessions',
  allow: 'guest',
  bots: false,
  audit: ['session end'],
  summary: 'Signs you out everywhere.',
  params: Type.Object({
    except_current: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether this browser stays signed in.' }),
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { except_current = false }, { sessionId }) => {
    await endOwnSessions(ctx, actor, except_current ? sessionId : undefined);
    return {};
  },
});

const Freshness = Type.Object({
  methods: Type.Array(Type.String(), {
    maxItems: 4,
    description: 'What can be shown: passkey, totp, password, oidc.',
  }),
  fresh_until: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Until when this session counts as proved, in seconds; null if it does not.',
  }),
});

export const getStepUp = chatRoute({
  name: 'get-step-up',
  method: 'GET',
  path: '/step_up',
  allow: 'guest',
  bots: false,
  summary: 'What this session can show, and until when it counts as proved.',
  params: Type.Object({}),
  returns: Freshness,
  handle: async (ctx, _actor, _params, { session }) => {
    const { methods, freshUntilMs } = await readStepUp(ctx, accessSession(session));
    return { methods: [...methods], fresh_until: seconds(freshUntilMs) };
  },
});

export const postStepUp = chatRoute({
  name: 'step-up',
  method: 'POST',
  path: '/step_up',
  allow: 'guest',
  bots: false,
  pool: 'signIn',
  audit: ['session step_up', 'session end', 'user create'],
  summary: 'Proves again that you are there, for acts that ask for it.',
  params: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 20, description: 'Of an authenticator app.' })),
    assertion: Type.Optional(
      Type.String({ maxLength: 8192, description: 'Of a passkey, as JSON.' }),
    ),
    password: Type.Optional(
      Type.String({ maxLength: 1000, description: 'For accounts without a second factor.' }),
    ),
  }),
  returns: Freshness,
  handle: async (ctx, _actor, given, { session: own, place }) => {
    const session = accessSession(own);
    const proof = directoryProof(ctx, createPerson);
    const untilMs = await stepUp(ctx, session, answerIn(given), place, proof);
    const { methods } = await readStepUp(ctx, session);
    return { methods: [...methods], fresh_until: seconds(untilMs) };
  },
});

function answerIn(given: { code?: string; assertion?: string; password?: string }): StepUpAnswer {
  const answers: StepUpAnswer[] = [];
  const { code, assertion, password } = given;
  if (code !== undefined) answers.push({ kind: 'totp', code: code.trim() });
  if (assertion !== undefined) {
    answers.push({ kind: 'passkey', assertion });
  }
  if (password !== undefined) answers.push({ kind: 'password', password });
  const [answer, ...more] = answers;
  if (answer === undefined || more.length > 0) {
    throw badRequest('Send exactly one of code, assertion and password.');
  }
  return answer;
}

const seconds = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.floor(ms / 1000);
