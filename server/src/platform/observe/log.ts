// Structured logs. Redaction is by name, so a careless `log.info({ headers })` cannot print a secret; and by
// value, so that no error message or nested value can print one of the configuration's.
import { pino, type DestinationStream, type Logger } from 'pino';
import { SECRET_SETTINGS } from '../config/secrets.ts';
import { VERSION } from './version.ts';

export type Log = Logger;

const HIDDEN = '[hidden]';

const SECRET_NAMES = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-svc-apikey"]',
  '["x-svc-signature"]',
  '["x-csrftoken"]',
  'password',
  'secret',
  'secretKey',
  'apiKey',
  'api_key',
  'token',
  ...SECRET_SETTINGS,
];

export interface LogOptions {
  /** Texts that must not be written anywhere in a line. */
  readonly hidden?: readonly string[];
  /** Where lines go: standard error, unless a test reads them. */
  readonly destination?: DestinationStream;
}

export function createLog(
  level: string,
  bindings: Record<string, unknown> = {},
  { hidden = [], destination }: LogOptions = {},
): Log {
  const dotted = (prefix: string) =>
    SECRET_NAMES.map((name) => (name.startsWith('[') ? `${prefix}${name}` : `${prefix}.${name}`));
  const paths = [...SECRET_NAMES, ...dotted('*'), ...dotted('*.*')];
  // As they appear in a line, which is JSON.
  const forms = [...new Set(hidden.map((text) => JSON.stringify(text).slice(1, -1)))]
    // The longest first, in case one contains another.
    .sort((a, b) => b.length - a.length);
  const hide = (line: string): string => {
    let shown = line;
    for (const form of forms) {
      if (shown.includes(form)) shown = shown.replaceAll(form, HIDDEN);
    }
    return shown;
  };
  return pino(
    {
      level,
      base: { version: VERSION, ...bindings },
      // By name: readers should not have to know the library's numbers.
      formatters: { level: (name) => ({ level: name }) },
      redact: { paths, censor: HIDDEN },
      ...(forms.length > 0 && { hooks: { streamWrite: hide } }),
    },
    // Standard output is for a command's results; logs go to standard error.
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}
