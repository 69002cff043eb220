// The flags of a script. A wrong flag ends the script with an explanation before it has begun
// anything.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf, CommandError } from '../server/src/ops/trouble.ts';
import { findNearest } from '../server/src/platform/std/nearest.ts';

export function parseFlags<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof Error) || !codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
    console.error(explainFlags(error, Object.keys(config.options ?? {})));
    process.exit(1);
  }
}

function explainFlags(error: Error, known: readonly string[]): string {
  const wrong = /'(--?[^'\s]+)'/.exec(error.message)?.[1];
  if (codeOf(error) !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || wrong === undefined) {
    return error.message;
  }
  const meant = findNearest(wrong.replace(/^-+/, ''), known);
  if (known.length === 0) return `${wrong} is not a flag: this takes none.`;
  const advice =
    meant === undefined
      ? `. Known are ${known.map((name) => `--${name}`).join(', ')}.`
      : `; did you mean --${meant}?`;
  return `${wrong} is not a flag${advice}`;
}

/** Parses the port given by the flag or variable called `name`. */
export function parsePort(name: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError(`${name} must be a port from 0 to 65535, not "${text}".`);
}
