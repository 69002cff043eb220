import { readFileSync } from 'node:fs';
import { CommandError } from '../../trouble.ts';

/** The contents of the file given as --file; "-" is standard input. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`--file cannot be read: ${(error as Error).message}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--file is no JSON: ${(error as Error).message}.`);
  }
}
