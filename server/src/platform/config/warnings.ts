// Warns about allowed but probably unintended variables: names that are almost a setting, and
// secret files that everybody may read.
import { statSync } from 'node:fs';
import { findNearest, slipsIn } from '../std/nearest.ts';
import { settingSchemas } from './schema.ts';
import { isSecretSetting } from './secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingWarning {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/**
 * Names with these prefixes are meant for us. Other prefixes, such as REDIS_ and DATABASE_, are
 * also set by container platforms.
 */
const OWN_PREFIXES = [
  'RIALTO_',
  'AUDIT_',
  'CHAT_',
  'ENGINE_',
  'LDAP_',
  'MASTER_KEY',
  'OIDC_',
  'PUSH_RELAY_',
  'SIGN_IN_',
  'SIGNUP_',
  'SMTP_',
  'TRADING_',
  'UPLOADS_',
  'WEB_PUSH_',
];
/** Other variables that commands read from the environment. */
const OTHER_NAMES = [
  'RIALTO_OPERATOR',
  'RIALTO_OPERATOR_SECRET',
  'RIALTO_OPERATOR_SECRET_FILE',
  'RIALTO_OPERATOR_SESSION_FILE',
];
/** Environments are long; nobody reads more warnings than this. */
const WARNINGS_MAX = 20;
const LONGEST_NAME = 100;
/**
 * Docker and Kubernetes put secrets where only the container sees them, readable for everybody in
 * it.
 */
const CONTAINER_SECRETS = '/run/secrets/';
const READABLE_BY_ALL = 0o004;
const MODE_BITS = 0o777;

export function findSettingWarnings(environment: Environment, envFile = '.env'): SettingWarning[] {
  return [...findUnknown(environment), ...findOpenFiles(environment, envFile)].slice(
    0,
    WARNINGS_MAX,
  );
}

const UNKNOWN_WHY = 'Nothing reads it, so the setting that was meant has its default.';

function findUnknown(environment: Environment): SettingWarning[] {
  const settings = settingSchemas().map(([name]) => name);
  const known = new Set([...settings, ...settings.map((name) => `${name}_FILE`), ...OTHER_NAMES]);
  const warnings: SettingWarning[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '' || known.has(name) || name.length > LONGEST_NAME) {
      continue;
    }
    const near = findNearest(name, known, slipsIn(name));
    if (near !== undefined) {
      warnings.push({
        what: `${name} is not a setting; ${near} is.`,
        why: UNKNOWN_WHY,
        fix: `Rename it to ${near}, or take it away.`,
      });
    } else if (OWN_PREFIXES.some((prefix) => name.startsWith(prefix))) {
      warnings.push({
        what: `${name} is not a setting.`,
        why: UNKNOWN_WHY,
        fix: 'Correct it or take it away; `rialto config` lists every setting.',
      });
    }
  }
  return warnings;
}

function findOpenFiles(environment: Environment, envFile: string): SettingWarning[] {
  const files = settingSchemas()
    .map(([name]) => name)
    .filter(isSecretSetting)
    .map((name) => ({ name: `${name}_FILE`, path: environment[`${name}_FILE`] ?? '' }))
    .filter(({ path }) => path !== '' && !path.startsWith(CONTAINER_SECRETS));
  return [...files, { name: 'The file', path: envFile }].flatMap(({ name, path }) => {
    const mode = modeOf(path);
    if (mode === undefined || (mode & READABLE_BY_ALL) === 0) return [];
    return [
      {
        what: `${name} ${path} can be read by everybody on this machine (mode ${mode.toString(8).padStart(4, '0')}).`,
        why: 'Anybody who has the secret in it can read and sign what the server can.',
        fix: `Let its owner alone read it: chmod 600 ${path}`,
      },
    ];
  });
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & MODE_BITS;
  } catch {
    // An unreadable file is reported where its value is needed.
    return undefined;
  }
}
