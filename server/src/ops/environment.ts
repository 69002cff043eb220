import { existsSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

const ENV_FILE = '.env';

/** The environment, completed from a file `.env` in the current folder; existing values stay. */
export function readEnvironment(): Environment {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return process.env;
}

/** The same, and which names came from that file. */
export function readEnvironmentWithSources(): {
  readonly environment: Environment;
  readonly fromFile: ReadonlySet<string>;
} {
  const before = new Set(Object.keys(process.env));
  const environment = readEnvironment();
  const fromFile = new Set(Object.keys(environment).filter((name) => !before.has(name)));
  return { environment, fromFile };
}
