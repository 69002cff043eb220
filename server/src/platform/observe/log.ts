// Structured logs. Redaction is by name, so a careless `log.info({ headers })` cannot print a secret.
import { pino, type Logger } from 'pino';

export type Log = Logger;

const SECRET_NAMES = [
  'authorization',
  'cookie',
  '["x-svc-apikey"]',
  '["x-svc-signature"]',
  'password',
  'secret',
  'secretKey',
  'apiKey',
  'api_key',
  'MASTER_KEY',
  'LDAP_BIND_PASSWORD',
  'PUSH_RELAY_ORG_KEY',
  'WEB_PUSH_PRIVATE_KEY',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'NATS_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SMTP_PASSWORD',
  'token',
];

export function createLog(level: string, bindings: Record<string, unknown> = {}): Log {
  const dotted = (prefix: string) =>
    SECRET_NAMES.map((name) => (name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`));
  const paths = [...SECRET_NAMES, ...dotted('*'), ...dotted('*.*')];
  // Standard output belongs to what a command prints for its caller; logs go to standard error.
  return pino(
    { level, base: bindings, redact: { paths, censor: '[hidden]' } },
    pino.destination({ fd: 2, sync: false }),
  );
}
