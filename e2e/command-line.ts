// An operator's shell: a private PostgreSQL, the settings that name it, and `rialto` commands that run to their end.
import { spawnSync } from 'node:child_process';
import { startPostgres, type PrivatePostgres } from '../server/src/platform/engines/postgres.ts';
import { RIALTO_BINARY } from '../server/src/testing/rialto-process.ts';

type Settings = Record<string, string>;

export interface CommandLine {
  readonly postgres: PrivatePostgres;
  /** What every command is given; a test may add to it. */
  readonly settings: Settings;
  rialto(
    args: readonly string[],
    overrides?: Settings,
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}

export async function openCommandLine(given: Settings = {}): Promise<CommandLine> {
  const postgres = await startPostgres();
  const settings: Settings = {
    DATABASE_URL: postgres.serverUrl,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    MASTER_KEY: '0123456789abcdef'.repeat(4),
    LOG_LEVEL: 'silent',
    PORT: '0',
    ...given,
  };
  return {
    postgres,
    settings,
    rialto(args, overrides = {}) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [RIALTO_BINARY, ...args], {
        cwd: '/',
        env: { PATH: process.env['PATH'], ...settings, ...overrides },
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
  };
}
