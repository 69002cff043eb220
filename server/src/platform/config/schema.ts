// Every setting of a Rialto process, in one place: its variable, its type, its bounds, its default and
// what it is for. The README's table of settings is generated from this object.
import { Type, type Static } from 'typebox';

export const ROLES = ['api', 'engine', 'relay', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const count = (minimum: number, maximum: number, defaultValue: number, description: string) =>
  Type.Integer({ minimum, maximum, default: defaultValue, description });

export const ConfigSchema = Type.Object({
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'PostgreSQL 15 or later, the only store of record.',
  }),
  NATS_URL: Type.String({
    pattern: '^(nats|tls)://|^$',
    default: '',
    description: 'NATS, needed as soon as there is more than one process. Empty: in-process bus.',
  }),
  REDIS_URL: Type.String({
    pattern: '^rediss?://|^$',
    default: '',
    description:
      'Redis 7 or Valkey, needed as soon as there is more than one process. Empty: in-process windows.',
  }),
  PUBLIC_URL: Type.String({
    pattern: '^https?://[^/?#]+$|^$',
    default: '',
    description: 'The origin that clients use, without a trailing slash. Empty: http://HOST:PORT.',
  }),
  MASTER_KEY: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description:
      'Wraps every stored secret: 64 hexadecimal digits. Make one with: openssl rand -hex 32',
  }),
  ROLES: Type.String({
    pattern: '^(api|engine|relay|worker)(,(api|engine|relay|worker))*$',
    default: ROLES.join(','),
    description: 'Which roles this process runs, comma-separated.',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: count(0, 65535, 8080, 'Port of both APIs and the web page; 0 takes a free one.'),
  OPS_PORT: Type.String({
    pattern: '^\\d{1,5}$|^$',
    default: '',
    description:
      'Port for /live, /ready and /metrics on HOST, for operators only. Empty: not opened.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severity that is logged.' },
  ),
  ORGANIZATION_NAME: Type.String({
    minLength: 1,
    maxLength: 40,
    default: 'Rialto',
    description: 'Name of the organization, shown to chat clients.',
  }),
  DATABASE_POOL_MAX: count(2, 500, 20, 'Most PostgreSQL connections of this process.'),
  TRUSTED_PROXY_HOPS: count(0, 10, 0, 'Proxies in front whose X-Forwarded-For entry is believed.'),
  TRADING_RATE_LIMIT: count(1, 1_000_000, 10, 'Trading requests admitted per caller and window.'),
  TRADING_RATE_WINDOW_MS: count(10, 600_000, 1000, 'Length of that sliding window.'),
  TRADING_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins that may call private trading endpoints from a browser, comma-separated.',
  }),
  CHAT_RATE_LIMIT: count(1, 1_000_000, 200, 'Chat requests a minute per user.'),
  CHAT_RATE_LIMIT_ANONYMOUS: count(
    1,
    1_000_000,
    100,
    'Chat requests a minute per address without credentials.',
  ),
  LOGIN_FAILURES_MAX: count(1, 1000, 5, 'Failed logins per account before it waits.'),
  LOGIN_FAILURES_WINDOW_MINUTES: count(1, 1440, 30, 'How long failed logins count.'),
  EVENT_LOG_RETENTION_HOURS: count(1, 24 * 90, 24, 'How long the event log reaches back.'),
  EVENT_POLL_MS: count(10, 10_000, 250, 'Longest silence on the bus before the event log is read.'),
  QUEUE_IDLE_SECONDS: count(
    1,
    604_800,
    600,
    'Idle life of an event queue unless the client asks for another.',
  ),
  QUEUES_PER_USER_MAX: count(1, 100_000, 1000, 'Event queues one user may have open.'),
  HEARTBEAT_SECONDS: count(
    1,
    80,
    45,
    'Silence after which a waiting poll gets a heartbeat (plus up to 10 s).',
  ),
  STOP_DEADLINE_MS: count(100, 60_000, 4500, 'Longest orderly stop after SIGTERM.'),
});

export type Config = Static<typeof ConfigSchema>;
