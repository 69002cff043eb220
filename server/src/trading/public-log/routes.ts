import { Type } from 'typebox';
import { Answer } from '../http/envelope.ts';
import { tradingRoute } from '../http/route.ts';
import {
  findCheckpointAt,
  findHeadCovering,
  findNewestHead,
  listEvents,
  listKeys,
} from './access.ts';
import { LogCheckpoint, LogPage, MaybeHead, PublishedKey, toSignedHead } from './shapes.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

/** Fifteen digits: at a million events a second, for thirty years. */
const EVENT_MAX = 999_999_999_999_999;

const EventNumber = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: EVENT_MAX,
      description,
      examples: ['1'],
    }),
  );

/**
 * Past events never change, and neither does the first head over them. Only the caller's own cache may keep the
 * answer, because its headers say how many calls this caller has left.
 */
const FOR_EVER = { 'Cache-Control': 'private, max-age=31536000, immutable' };

export const getEventLog = tradingRoute({
  name: 'publicEventLog',
  method: 'GET',
  path: '/public/event_log',
  access: 'public',
  summary:
    'The public log: every change of the books, every trade and every phase, numbered and chained, without names. `npx rialto fetch-log` downloads it and `npx rialto verify-log` checks it. `head` is the first signed head over these events, or null. An answer that is full and signed may be cached for ever.',
  params: Type.Object({
    fromSeq: EventNumber('From this event on; from the first when absent.'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `Events at most; ${LIMIT_DEFAULT} when absent.`,
        examples: ['100'],
      }),
    ),
  }),
  returns: LogPage,
  headers: ['Cache-Control'],
  async handle(ctx, _caller, { fromSeq = 1, limit = LIMIT_DEFAULT }) {
    const events = await listEvents(ctx, fromSeq, limit);
    const last = events.at(-1);
    const head =
      last === undefined ? undefined : await findHeadCovering(ctx.database.pool, last.event);
    const page = {
      items: events.map(({ text, hash }) => ({ text, hash })),
      nextSeq: String(last === undefined ? fromSeq : last.event + 1),
      head: head === undefined ? null : toSignedHead(head),
    };
    const isFinal = events.length === limit && head !== undefined;
    return isFinal ? new Answer(page, FOR_EVER) : page;
  },
});

export const getEventLogCheckpoint = tradingRoute({
  name: 'publicEventLogCheckpoint',
  method: 'GET',
  path: '/public/event_log/checkpoint',
  access: 'public',
  summary:
    'The newest checkpoint of the public log, or the newest at or before an event, with all visible books at that event: the log can be checked from there on. Null: the log has none there.',
  params: Type.Object({ beforeSeq: EventNumber('At or before this event.') }),
  returns: Type.Union([LogCheckpoint, Type.Null()]),
  async handle(ctx, _caller, { beforeSeq = EVENT_MAX }) {
    const found = await findCheckpointAt(ctx, beforeSeq);
    if (found === undefined) return null;
    const { event, text, hash, book } = found;
    return { seq: String(event), text, hash, book };
  },
});

export const getEventLogHead = tradingRoute({
  name: 'publicEventLogHead',
  method: 'GET',
  path: '/public/event_log/head',
  access: 'public',
  summary:
    'The newest signed head of the public log, or the first that covers an event. Keep some: with one nobody can rewrite the log before it unnoticed. Null: none was signed.',
  params: Type.Object({ seq: EventNumber('The first head at or after this event.') }),
  returns: MaybeHead,
  async handle(ctx, _caller, { seq }) {
    const { pool } = ctx.database;
    const head = await (seq === undefined ? findNewestHead(pool) : findHeadCovering(pool, seq));
    return head === undefined ? null : toSignedHead(head);
  },
});

export const getSigningKeys = tradingRoute({
  name: 'publicSigningKeys',
  method: 'GET',
  path: '/public/signing_keys',
  access: 'public',
  summary:
    'The public keys with which the venue has signed heads of the public log and receipts of orders, oldest first; the last is in use.',
  params: Type.Object({}),
  returns: Type.Array(PublishedKey),
  async handle(ctx) {
    const keys = await listKeys(ctx.database.pool);
    return keys.map(({ keyId, publicKey, fromMs }) => ({
      keyId,
      publicKey,
      from: String(fromMs),
    }));
  },
});
