// Turns environment variables into a Config, or reports everything that is wrong with them at once.
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parseProxyList } from '../http/address.ts';
import { findNetworkProblems } from './custody-networks.ts';
import { findProviderProblems } from './oidc-providers.ts';
import { isUnguarded, UNGUARDED_NAMES } from './neighbours.ts';
import { findNearest, slipsIn } from '../std/nearest.ts';
import { findPasskeyProblems } from './settings/passkeys.ts';
import { ConfigSchema, settingSchemas, type Config, type Role } from './schema.ts';
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
 * need not be in the environment.
 */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of settingSchemas()) {
    const { text, problem } = readSetting(name, environment);
    if (problem !== undefined) problems.push(problem);
    if (text === undefined) {
      if ('default' in schema) values[name] = schema.default;
      else if (!problems.some((problem) => problem.startsWith(name))) {
        problems.push(
          `${name} is missing${mistypedAs(name, environment)}. ${descriptionOf(schema)}`,
        );
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
  problems.push(...findProviderProblems(values), ...findNetworkProblems(values));
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
      'SMTP_URL and MAIL_FROM belong together: without a sender no mail server accepts an email.',
    );
  }
  problems.push(...findPasskeyProblems(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return Value.Parse(ConfigSchema, values);
}

export function rolesOf(config: Config): Role[] {
  return [...new Set(config.ROLES.split(','))] as Role[];
}

/**
 * The removed setting trusted any client's hop count; the addresses of the proxies say whom to
 * trust.
 */
function findProxyProblems(proxies: unknown, environment: Environment): string[] {
  const problems: string[] = [];
  if (!['', '0'].includes(environment['TRUSTED_PROXY_HOPS'] ?? '')) {
    problems.push(
      'TRUSTED_PROXY_HOPS is no longer a setting: it trusted every client, proxy or not. Remove it, and give the ' +
        'addresses of your proxies instead, as this server sees them: TRUSTED_PROXIES=10.0.0.5,10.1.0.0/16',
    );
  }
  try {
    parseProxyList(typeof proxies === 'string' ? proxies : '');
  } catch (error) {
    problems.push(
      `TRUSTED_PROXIES must be addresses or ranges, comma-separated, such as 10.0.0.5,fd00::/8: ${(error as Error).message}.`,
    );
  }
  return problems;
}

export interface ReadSetting {
  /** Undefined: the default applies. */
  readonly text: string | undefined;
  /** The file that it was read from. */
  readonly file?: string;
  readonly problem?: string;
}

export function readSetting(name: string, environment: Environment): ReadSetting {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === '') return { text: direct === '' ? undefined : direct };
  if (direct !== undefined && direct !== '') {
    return { text: undefined, problem: `${name} and ${name}_FILE are both set; keep one.` };
  }
  try {
    return { text: readFileSync(file, 'utf8').trim(), file };
  } catch (error) {
    const problem = `${name}_FILE cannot be read: ${(error as Error).message}.`;
    return { text: undefined, file, problem };
  }
}

/** Another variable that may be a typo of this setting. */
function mistypedAs(name: string, environment: Environment): string {
  const others = Object.keys(environment).filter((other) => other !== name);
  const near = findNearest(name, others, slipsIn(name));
  return near === undefined ? '' : ` (${near} is set, which is not a setting)`;
}

function toInteger(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
}

/** A secret, or a URL that may hold one, is never repeated in an error. */
function shown(name: string, text: string): string {
  if (isSecretSetting(name)) return `a text of ${text.length} characters`;
  return JSON.stringify(text.replace(/:\/\/[^@/]*@/, '://***@'));
}

interface Rule {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly form?: string;
  readonly example?: string;
  readonly anyOf?: readonly { readonly const?: string }[];
}

/** What a value must be, in words and with an example. */
export function expectation(schema: TSchema): string {
  const { type, minimum, maximum, minLength, maxLength, form, example, anyOf }: Rule = schema;
  if (type === 'integer') return `must be a whole number from ${minimum} to ${maximum}`;
  if (anyOf !== undefined) {
    return `must be one of ${anyOf.map((choice) => choice.const).join(', ')}`;
  }
  if (form !== undefined) {
    if (example === undefined) return `must be ${form}`;
    return `must be ${form}, ${example.startsWith('as ') ? example : `such as ${example}`}`;
  }
  if (maxLength !== undefined) return `must have ${minLength ?? 0} to ${maxLength} characters`;
  return 'must not be empty';
}

function descriptionOf(schema: TSchema): string {
  return 'description' in schema ? String(schema.description) : '';
}
