// Prompts at a terminal, for commands. Secrets are typed without echo.
import { createInterface } from 'node:readline/promises';
import { CommandError } from './trouble.ts';

export interface Keyboard {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface Screen {
  write(text: string): unknown;
}

export const isTerminal = (input: Keyboard): boolean =>
  input.isTTY === true && input.setRawMode !== undefined;

/** A line typed with echo. Questions go to the error output: results may go into a file. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Without this, closing the input would leave the question open for ever.
  const closed = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new CommandError('Nothing was done.')));
  });
  closed.catch(() => {});
  try {
    return (await Promise.race([lines.question(question), closed])).trim();
  } finally {
    lines.close();
  }
}

/** A line typed without echo. */
export async function askHidden(
  question: string,
  charactersMax: number,
  input: Keyboard = process.stdin,
  output: Screen = process.stderr,
): Promise<string> {
  output.write(question);
  input.setRawMode?.(true);
  try {
    return await typed(input, charactersMax);
  } finally {
    input.setRawMode?.(false);
    input.pause();
    output.write('\n');
  }
}

const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';
const BACKSPACE = new Set(['\u007f', '\b']);

function typed(input: Keyboard, charactersMax: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const listen = (chunk: Buffer) => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\r' || character === '\n' || character === CONTROL_D) {
          input.off('data', listen);
          resolve(text);
          return;
        }
        if (character === CONTROL_C) {
          input.off('data', listen);
          reject(new CommandError('Nothing was done.'));
          return;
        }
        // Input beyond the longest secret is dropped.
        if (BACKSPACE.has(character)) text = text.slice(0, -1);
        else if (text.length <= charactersMax) text += character;
      }
    };
    input.on('data', listen);
    input.resume();
  });
}
