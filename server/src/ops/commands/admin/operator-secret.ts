// Where a command gets the operator's secret from: never from the command line, which every user of the machine
// can read and which shells remember.
import { readFileSync } from 'node:fs';
import { askHidden, isTerminal, type Keyboard, type Screen } from '../../terminal.ts';
import { CommandError } from '../../trouble.ts';

const FILE = 'RIALTO_OPERATOR_SECRET_FILE';
const PLAIN = 'RIALTO_OPERATOR_SECRET';
const SECRET_CHARACTERS_MAX = 200;

export interface Terminal {
  readonly environment: Record<string, string | undefined>;
  readonly input: Keyboard;
  readonly output: Screen;
}

const THIS_TERMINAL: Terminal = {
  environment: process.env,
  input: process.stdin,
  // Results go to standard output, perhaps into a file.
  output: process.stderr,
};

/** From a file, from the environment, or typed at a terminal without echo; in this order. */
export async function readOperatorSecret(
  email: string,
  { environment, input, output }: Terminal = THIS_TERMINAL,
): Promise<string> {
  const file = environment[FILE];
  if (file !== undefined && file !== '') return firstLine(readFile(file));
  const plain = environment[PLAIN];
  if (plain !== undefined && plain !== '') return firstLine(plain);
  if (!isTerminal(input)) {
    throw new CommandError(
      `${email} must prove who they are, and there is no terminal to ask at. Give the operator's secret in ` +
        `${FILE} (a file that only they can read) or in ${PLAIN}.`,
    );
  }
  const question = `Operator's secret of ${email}: `;
  return firstLine(await askHidden(question, SECRET_CHARACTERS_MAX, input, output));
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${FILE} cannot be read: ${(error as Error).message}.`);
  }
}

/** Removes the final newline of an editor, and refuses what cannot be a secret. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/);
  if (line !== '' && line.length <= SECRET_CHARACTERS_MAX) return line;
  throw new CommandError(
    line === ''
      ? "The operator's secret is empty."
      : `The operator's secret has at most ${SECRET_CHARACTERS_MAX} characters.`,
  );
}
