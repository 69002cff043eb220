import { existsSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

/** The environment, filled up from a file `.env` in the current folder; what is set already stays. */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
