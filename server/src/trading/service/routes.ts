import { Type } from 'typebox';
import { RenderedJson } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import { Millis } from '../values.ts';
import { ServiceStatus } from './status.ts';

const PONG = new RenderedJson('"pong"');

export const getSwagger = tradingRoute({
  name: 'publicSwagger',
  method: 'GET',
  path: '/public/swagger',
  access: 'public',
  summary: 'This document.',
  params: Type.Object({}),
  returns: Type.Object({
    openapi: Type.Literal('3.1.0'),
    info: Type.Object({ title: Type.String(), version: Type.String() }),
    paths: Type.Object({}),
    components: Type.Object({ schemas: Type.Object({}) }),
  }),
  isBare: true,
  handle: (ctx) => new RenderedJson(ctx.document()),
});

export const getPing = tradingRoute({
  name: 'publicPing',
  method: 'GET',
  path: '/public/ping',
  access: 'public',
  summary: 'Whether the service answers.',
  params: Type.Object({}),
  returns: Type.Literal('pong'),
  handle: () => PONG,
});

export const getTime = tradingRoute({
  name: 'publicTime',
  method: 'GET',
  path: '/public/time',
  access: 'public',
  summary: 'The time of the server; the same reading as `serverTime`.',
  params: Type.Object({}),
  returns: Millis('Milliseconds since the Unix epoch.'),
  handle: (_ctx, caller) => new RenderedJson(`"${caller.nowMs}"`),
});

export const getStatus = tradingRoute({
  name: 'publicStatus',
  method: 'GET',
  path: '/public/status',
  access: 'public',
  summary: 'Whether orders are taken, and how far behind history is.',
  params: Type.Object({}),
  returns: ServiceStatus,
  handle: (ctx) => ctx.status(),
});

const Head = Type.Object(
  {
    version: Type.Literal(1),
    seq: Type.String({ description: 'The number of the last entry.' }),
    hash: Type.String({
      description: 'Its SHA-256, in hexadecimal; it covers all entries before.',
    }),
    time: Type.String({ description: 'When it was signed, ISO 8601 in UTC.' }),
    keyId: Type.String({ description: 'The first 16 digits of the SHA-256 of the public key.' }),
    signature: Type.String({ description: 'Ed25519, in base64url.' }),
  },
  { title: 'AuditHead' },
);

export const getAuditHead = tradingRoute({
  name: 'publicAuditHead',
  method: 'GET',
  path: '/public/audit_head',
  access: 'public',
  summary:
    'The newest signed head of the audit log, for whoever wants to be able to tell later that the log was changed. Null: none was signed yet.',
  params: Type.Object({}),
  returns: Type.Union([Head, Type.Null()]),
  handle: (ctx) => ctx.auditHead(),
});
