// Parses the requests of one message to the engine, checks their account, and answers them together.
import type { DoorReason } from '../../platform/observe/metrics/engine.ts';
import { failureLine, joinLines, parseRequest } from './request-lines.ts';
import type { CommandIntake, Intake, ReadIntake } from './queue.ts';
import { Misshapen, parseCommand, parseQuery } from './shapes.ts';

/** A request that is refused at the door. */
export interface Refused {
  readonly reason: DoorReason;
  /** The request, cut to a length that fits a log. */
  readonly line: string;
  readonly message: string;
}

const LOGGED_MAX = 300;

/**
 * The requests that may go on to the queue. Once every line has its answer, `send` gets all answers as
 * one text. `refuse` is called for each refused line.
 */
export function openIntakes(
  lines: readonly string[],
  send: (text: string) => void,
  refuse: (refused: Refused) => void,
): Intake[] {
  const answers: string[] = Array.from({ length: lines.length });
  let left = lines.length;
  const intakes: Intake[] = [];
  for (const [index, line] of lines.entries()) {
    const answer = (text: string): void => {
      answers[index] = text;
      left -= 1;
      if (left === 0) send(joinLines(answers));
    };
    const intake = toIntake(line, answer);
    if (!('reason' in intake)) {
      intakes.push(intake);
      continue;
    }
    refuse(intake);
    answer(failureLine('refused', `${intake.message} Nothing was done.`));
  }
  return intakes;
}

function toIntake(
  line: string,
  answer: (text: string) => void,
): CommandIntake | ReadIntake | Refused {
  const refused = (reason: DoorReason, message: string): Refused => ({
    reason,
    line: line.slice(0, LOGGED_MAX),
    message,
  });
  const request = parseRequest(line);
  if (request === undefined) return refused('malformed', 'A line is not a request.');
  const { text, deadlineMs, by } = request;
  try {
    if (request.kind === 'read') {
      const { name, query } = parseQuery(text);
      if (query.account !== undefined && query.account !== by.account) {
        return refused('wrong_account', ANOTHERS);
      }
      return { kind: 'read', name, query, answer };
    }
    const command = parseCommand(text, 'client');
    // Every client command has an account; the shape check ensures it.
    if ((command as { account?: number }).account !== by.account) {
      return refused('wrong_account', ANOTHERS);
    }
    return { kind: 'command', command, text, deadlineMs, answer };
  } catch (error) {
    if (!(error instanceof Misshapen)) throw error;
    return refused(error.reason, error.message);
  }
}

const ANOTHERS = 'The request is about another account than the one it is signed for.';
