// Settings of PostgreSQL, NATS and Redis: where they are, and how many connections each part of a process may open.
import { Type } from 'typebox';
import { count, flag, SECRET } from './define.ts';

export const NEIGHBOURS = {
  DATABASE_URL: Type.String({
    ...SECRET,
    pattern: '^postgres(ql)?://',
    form: 'a URL of PostgreSQL',
    example: 'postgres://rialto_server:PASSWORD@127.0.0.1:5432/rialto',
    description:
      'PostgreSQL 15 or later, the only store of record, as the role that the server works with.',
  }),
  DATABASE_OWNER_URL: Type.String({
    ...SECRET,
    pattern: '^postgres(ql)?://|^$',
    form: 'a URL of PostgreSQL',
    example: 'postgres://rialto:PASSWORD@127.0.0.1:5432/rialto',
    default: '',
    description:
      'The same database as the role that owns it, only for `migrate`, `serve --migrate` and `admin rebuild-projections`. Empty: DATABASE_URL; the server may then change everything.',
  }),
  NATS_URL: Type.String({
    ...SECRET,
    pattern: '^(nats|tls)://|^$',
    form: 'a URL of NATS',
    example: 'nats://rialto:PASSWORD@10.0.0.7:4222',
    default: '',
    description: 'NATS, needed as soon as there is more than one process. Empty: in-process bus.',
  }),
  REDIS_URL: Type.String({
    ...SECRET,
    pattern: '^rediss?://|^$',
    form: 'a URL of Redis',
    example: 'redis://:PASSWORD@10.0.0.7:6379',
    default: '',
    description:
      'Redis 7 or Valkey, needed as soon as there is more than one process. Empty: in-process windows.',
  }),
  INSTALLATION: Type.String({
    pattern: '^[A-Za-z0-9_-]{0,64}$',
    form: 'at most 64 letters, digits, _ and -',
    example: 'staging',
    default: '',
    description:
      'Name of this installation on NATS and Redis, the same for all its processes. Empty: derived from the identity of the PostgreSQL database. Only a copy of its files that runs beside the original needs a name.',
  }),
  ALLOW_UNAUTHENTICATED_BUS: flag(
    'false',
    'Whether NATS_URL and REDIS_URL may name another machine without credentials.',
  ),
};

export const POOLS = {
  DATABASE_POOL_MAX: count(
    3,
    500,
    6,
    'Most PostgreSQL connections for this process itself: the engine, the relay, the event log, health.',
  ),
  DATABASE_POOL_TRADING: count(2, 500, 8, 'Most for trading requests; nothing else uses them.'),
  DATABASE_POOL_CHAT: count(2, 500, 10, 'Most for chat requests.'),
  DATABASE_POOL_SEARCH: count(1, 500, 3, 'Most for chat requests that search for words.'),
  DATABASE_POOL_SIGN_IN: count(1, 500, 3, 'Most for signing in and signing up.'),
  DATABASE_POOL_WORKER: count(
    3,
    500,
    8,
    'Most for jobs, scheduled messages, projections, audits and the public log, in the role worker; the job runner has 6 more.',
  ),
};
