// A message of the bus on its way through the engine: many requests, which are answered together.
import { joinLines, parseRequest, splitLines } from './message.ts';
import type { Intake } from './queue.ts';

/** The requests of a message. When each of them has its answer, `send` gets the answers as one text. */
export function openLetter(payload: string, send: (text: string) => void): Intake[] {
  const lines = splitLines(payload);
  const letter: Letter = {
    answers: Array.from({ length: lines.length }),
    left: lines.length,
    send,
  };
  return lines.map((line, index) => new Line(letter, index, line));
}

interface Letter {
  readonly answers: string[];
  left: number;
  send(text: string): void;
}

class Line implements Intake {
  readonly kind: 'command' | 'read';
  readonly text: string;
  readonly deadlineMs: number;
  readonly #letter: Letter;
  readonly #index: number;

  constructor(letter: Letter, index: number, line: string) {
    const request = parseRequest(line);
    this.kind = request.kind;
    this.text = request.text;
    this.deadlineMs = request.kind === 'read' ? 0 : request.deadlineMs;
    this.#letter = letter;
    this.#index = index;
  }

  answer(line: string): void {
    const letter = this.#letter;
    letter.answers[this.#index] = line;
    letter.left -= 1;
    if (letter.left === 0) letter.send(joinLines(letter.answers));
  }
}
