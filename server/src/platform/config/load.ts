// Turns environment variables into a Config, or says everything that is wrong with them at once.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { readProxyList } from '../http/address.ts';
import { isUnguarded, UNGUARDED_NAMES } from './neighbours.ts';
import { ConfigSchema, type Config, type Role } from './schema.ts';
import { isSecretSetting } from './secrets.ts';

type Environment = Record<string, string | undefined>;

export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  - ${problems.join('\n  - ')}`);
    this.problems = problems;
  }
}

/**
 * Reads every setting. `NAME_FILE` may name a file that holds the value of `NAME`, so that secrets
 * need not stand in the environment.
 */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(ConfigSchema.properties) as [string, TSchema][]) {
    const text = readSetting(name, environment, problems);
    if (text === undefined) {
      if ('default' in schema) values[name] = schema.default;
      else if (!problems.some((problem) => problem.startsWith(name))) {
        problems.push(`${name} is missing. ${descriptionOf(schema)}`);
      }
      continue;
    }
    const value = 'type' in schema && schema.type === 'integer' ? toInteger(text) : text;
    if (Value.Check(schema, value)) values[name] = value;
    else
      problems.push(
        `${name} ${expectation(schema)}, not ${shown(name, text)}. ${descriptionOf(schema)}`,
      );
  }
  if ((values['NATS_URL'] === '') !== (values['REDIS_URL'] === '')) {
    problems.push(
      'NATS_URL and REDIS_URL belong together: give both (several processes) or neither (one process).',
    );
  }
  for (const name of UNGUARDED_NAMES) {
    if (values['ALLOW_UNAUTHENTICATED_BUS'] === 'true' || !isUnguarded(String(values[name])))
      continue;
    problems.push(
      `${name} names another machine and holds no credentials, so everybody on that network can use it. ` +
        'Give the server a password and write it into the URL, as in ' +
        `${name === 'NATS_URL' ? 'nats://rialto:PASSWORD@HOST:4222' : 'redis://:PASSWORD@HOST:6379'}. ` +
        'ALLOW_UNAUTHENTICATED_BUS=true starts without one, for a network where nobody else is.',
    );
  }
  problems.push(...findProxyProblems(values['TRUSTED_PROXIES'], environment));
  if ((values['S3_ACCESS_KEY_ID'] === '') !== (values['S3_SECRET_ACCESS_KEY'] === '')) {
    problems.push(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: give both or neither.',
    );
  }
  if (values['LDAP_URL'] !== '' && values['LDAP_BASE'] === '') {
    problems.push(
      'LDAP_BASE is missing: with LDAP_URL, it says where in the directory people are.',
    );
  }
  const relay = ['PUSH_RELAY_URL', 'PUSH_RELAY_ORG_ID', 'PUSH_RELAY_ORG_KEY'];
  if (new Set(relay.map((name) => values[name] === '')).size > 1) {
    problems.push(`${relay.join(', ')} belong together: give all of them, or none.`);
  }
  const browsers = ['WEB_PUSH_PUBLIC_KEY', 'WEB_PUSH_PRIVATE_KEY', 'WEB_PUSH_CONTACT'];
  if (new Set(browsers.map((name) => values[name] === '')).size > 1) {
    problems.push(`${browsers.join(', ')} belong together: give all of them, or none.`);
  }
  if ((values['SMTP_URL'] === '') !== (values['MAIL_FROM'] === '')) {
    problems.push(
      'SMTP_URL and MAIL_FROM belong together: without a sender no mail server takes a letter.',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Value.Parse(ConfigSchema, values);
}

export function rolesOf(config: Config): Role[] {
  return [...new Set(config.ROLES.split(','))] as Role[];
}

/** A number of hops was believed from whoever connected; the addresses of the proxies say from whom. */
function findProxyProblems(proxies: unknown, environment: Environment): string[] {
  const problems: string[] = [];
  if (!['', '0'].includes(environment['TRUSTED_PROXY_HOPS'] ?? '')) {
    problems.push(
      'TRUSTED_PROXY_HOPS is no setting any more: it believed whoever connected, proxy or not. Take it away, and give the ' +
        'addresses of your proxies instead, as this server sees them: TRUSTED_PROXIES=10.0.0.5,10.1.0.0/16',
    );
  }
  try {
    readProxyList(typeof proxies === 'string' ? proxies : '');
  } catch (error) {
    problems.push(
      `TRUSTED_PROXIES must be addresses or ranges, comma-separated, such as 10.0.0.5,fd00::/8: ${(error as Error).message}.`,
    );
  }
  return problems;
}

function readSetting(
  name: string,
  environment: Environment,
  problems: string[],
): string | undefined {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    problems.push(`${name} and ${name}_FILE are both set; keep one.`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

function toInteger(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

/** A secret, or a URL that may hold one, is never repeated in an error. */
function shown(name: string, text: string): string {
  if (isSecretSetting(name)) return `a text of ${text.length} characters`;
  return JSON.stringify(text.replace(/:\/\/[^@/]*@/, '://***@'));
}

function expectation(schema: TSchema): string {
  const rule = schema as { type?: string; minimum?: number; maximum?: number; pattern?: string };
  if (rule.type === 'integer')
    return `must be a whole number from ${rule.minimum} to ${rule.maximum}`;
  if (rule.pattern !== undefined) return `must match ${rule.pattern}`;
  return 'has a value that is not allowed';
}

function descriptionOf(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : '';
}
