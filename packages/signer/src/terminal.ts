// Questions at a terminal. What is typed is not shown.
import { SignerFault } from './fault.ts';

const CONTROL_C = '\u0003';
const ENDS = new Set(['\r', '\n', '\u0004']);
const BACKSPACE = new Set(['\u007f', '\b']);

export async function askHidden(question: string, charactersMax: number): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) {
    throw new SignerFault(
      `"${question.trim()}" is asked at a terminal. Give a file instead: --passphrase-file or --words-file.`,
    );
  }
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      let text = '';
      const listen = (chunk: Buffer) => {
        for (const character of chunk.toString('utf8').split('')) {
          if (ENDS.has(character)) {
            stdin.off('data', listen);
            resolve(text);
            return;
          }
          if (character === CONTROL_C) {
            stdin.off('data', listen);
            reject(new SignerFault('Nothing was done.'));
            return;
          }
          if (BACKSPACE.has(character)) text = text.slice(0, -1);
          else if (text.length < charactersMax) text += character;
        }
      };
      stdin.on('data', listen);
      stdin.resume();
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}
