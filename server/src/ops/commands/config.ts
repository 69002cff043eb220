// `rialto config`: prints the settings in force, their source, and what is wrong with them.
import type { TSchema } from 'typebox';
import { ConfigError, loadConfig, readSetting } from '../../platform/config/load.ts';
import { settingSchemas } from '../../platform/config/schema.ts';
import { isSecretSetting } from '../../platform/config/secrets.ts';
import { findSettingWarnings } from '../../platform/config/warnings.ts';
import type { Environment } from '../environment.ts';
import { sentences } from '../trouble.ts';

/** The README's table of settings. */
export function renderSettings(): string {
  const rows = settingSchemas().map(
    ([name, schema]) => `| \`${name}\` | ${defaultOf(schema)} | ${descriptionOf(schema)} |`,
  );
  return ['| Setting | Default | What it is for |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf(schema: TSchema): string {
  if (!('default' in schema)) return '(required)';
  return schema.default === '' ? '(empty)' : `\`${String(schema.default)}\``;
}

/** Escaped, because a bar would end the cell. */
function descriptionOf(schema: TSchema): string {
  return 'description' in schema ? String(schema.description).replaceAll('|', '\\|') : '';
}

export interface SettingInForce {
  readonly name: string;
  /** A displayable value: for a secret, only that it is set. */
  readonly value: string;
  readonly source: string;
}

export interface ConfigReport {
  readonly settings: readonly SettingInForce[];
  /** The server does not start with these. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export function reportConfig(
  environment: Environment,
  fromFile: ReadonlySet<string> = new Set(),
): ConfigReport {
  return {
    settings: settingSchemas().map(([name, schema]) => {
      const { text, file } = readSetting(name, environment);
      const byName = fromFile.has(name) ? '.env' : 'environment';
      const source = file !== undefined ? `file ${file}` : text === undefined ? 'default' : byName;
      return { name, value: shownValue(name, schema, text), source };
    }),
    problems: findProblems(environment),
    warnings: findSettingWarnings(environment).map(sentences),
  };
}

function findProblems(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** For a URL, everything but its credentials; for any other secret, nothing. */
function shownValue(name: string, schema: TSchema, text: string | undefined): string {
  if (text === undefined) {
    if (!('default' in schema)) return '(missing)';
    return schema.default === '' ? '(empty)' : String(schema.default);
  }
  if (!isSecretSetting(name)) return text;
  if (!URL.canParse(text)) return '(hidden)';
  const { protocol, host, pathname, username, password } = new URL(text);
  return `${protocol}//${username + password === '' ? '' : '***@'}${host}${pathname}`;
}

export function renderConfig({ settings, problems, warnings }: ConfigReport): string {
  const width = (column: (setting: SettingInForce) => string) =>
    Math.max(...settings.map((setting) => column(setting).length));
  const [names, values] = [width(({ name }) => name), width(({ value }) => value)];
  const lines = settings.map(({ name, value, source }) =>
    `${name.padEnd(names)}  ${value.padEnd(Math.min(values, VALUE_WIDTH))}  ${source}`.trimEnd(),
  );
  return [
    ...lines,
    '',
    ...problems.map((problem) => `✗ ${problem}`),
    ...warnings.map((warning) => `! ${warning}`),
    ...(problems.length + warnings.length === 0 ? ['Every setting is valid.'] : []),
  ].join('\n');
}

/** Longer values push the next column. */
const VALUE_WIDTH = 50;
