// Settings of one process: its roles, its ports, its log, the connections that it takes, and how it stops.
import { Type } from 'typebox';
import { count } from './define.ts';

export const ROLES = ['api', 'engine', 'relay', 'worker', 'custody'] as const;
const ROLE = `(${ROLES.join('|')})`;
export type Role = (typeof ROLES)[number];

export const PUBLIC_ADDRESS = {
  PUBLIC_URL: Type.String({
    pattern: '^https?://[^/?#]+$|^$',
    form: 'an origin without a path',
    example: 'https://rialto.example.com',
    default: '',
    description: 'The origin that clients use, without a trailing slash. Empty: http://HOST:PORT.',
  }),
};

export const PROCESS = {
  ROLES: Type.String({
    pattern: `^${ROLE}(,${ROLE})*$`,
    form: `one or more of ${ROLES.join(', ')}, with commas and no spaces`,
    example: 'api,worker',
    default: ROLES.join(','),
    description: 'Which roles this process runs, comma-separated.',
  }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
  PORT: count(0, 65535, 8080, 'Port of both APIs and the web page; 0 takes a free one.'),
  OPS_PORT: Type.String({
    pattern: '^\\d{1,5}$|^$',
    form: 'a port number',
    example: '9090',
    default: '',
    description:
      'Port for /live, /ready and /metrics on HOST, for operators only. Empty: not opened.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Lowest severity that is logged.' },
  ),
};

export const CONNECTIONS = {
  TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Addresses and ranges of the proxies in front, comma-separated, such as 10.0.0.5,fd00::/8. X-Forwarded-For is trusted only from them. Empty: from nobody.',
  }),
  CONNECTIONS_MAX: count(
    10,
    1_000_000,
    20_000,
    'Connections to the APIs and the web page at one time; every client that waits for events holds one.',
  ),
  CONNECTIONS_PER_ADDRESS_MAX: count(
    1,
    1_000_000,
    2048,
    'Of these, connections from one address (an IPv6 /64), of which an eighth may be opened in one second. Connections from TRUSTED_PROXIES do not count.',
  ),
  REQUESTS_PER_CONNECTION_MAX: count(
    0,
    1_000_000_000,
    1000,
    'Requests on one connection. Then it is closed, so that a load balancer can spread clients again. 0: no limit.',
  ),
  WEB_RATE_LIMIT: count(
    6,
    10_000_000,
    6000,
    'Requests a minute from one address outside the two APIs: pages, pictures, files, health. Counted per process.',
  ),
};

export const STOPPING = {
  STOP_DEADLINE_MS: count(100, 60_000, 4500, 'Longest orderly stop after SIGTERM.'),
};
