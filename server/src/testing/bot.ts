// Runs the bot of the documentation as a reader would: as a file, with their own key.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Returns the printed lines; throws with the error output when the bot fails. */
export async function runBot(script: string, key: string, secret: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-'));
  try {
    const file = join(folder, 'bot.mjs');
    await writeFile(file, script);
    const env = { PATH: process.env['PATH'], KEY: key, SECRET: secret };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    return stdout.trim().split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}
