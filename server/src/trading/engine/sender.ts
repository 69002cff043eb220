// Signs messages to the engine, and checks the answers.
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Clock } from '../../platform/std/clock.ts';
import { EngineFailure } from './door.ts';
import { joinLines, splitAnswers } from './request-lines.ts';
import { createSigner, SIGNATURE_LENGTH } from './signature.ts';

export interface SealedRequests {
  readonly payload: string;
  /** One line for each request. Fails when this is not the engine's answer to this message. */
  open(answer: string): string[];
}

export interface EngineSender {
  seal(epoch: number, lines: readonly string[]): SealedRequests;
}

export interface SenderOptions {
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly shard: number;
}

/** What an engine says about a message without a valid signature; only for the log. */
const HINT_MAX = 300;

export function createSender({ secrets, clock, shard }: SenderOptions): EngineSender {
  const signer = createSigner(secrets);
  // A restarted process is another sender, and counts from the beginning.
  const sender = randomBytes(8).toString('hex');
  let number = 0;
  return {
    seal(epoch, lines) {
      number += 1;
      const sentMs = Math.floor(clock.now());
      const stamp = { shard, epoch, sender, number, sentMs };
      const payload = signer.signRequest(stamp, joinLines(lines));
      const signature = payload.slice(0, SIGNATURE_LENGTH);
      return {
        payload,
        open(answer) {
          const body = signer.openAnswer(signature, answer);
          if (body === undefined) throw new Unsigned(answer.slice(0, HINT_MAX));
          const answers = splitAnswers(body, lines.length);
          if (answers.length === lines.length) return answers;
          throw new EngineFailure('unknown', 'The engine answered with another number of lines.');
        },
      };
    },
  };
}

/**
 * An answer without the engine's signature for this request: it says nothing about what was done.
 */
export class Unsigned extends EngineFailure {
  override name = 'Unsigned';
  /** Unsigned text; anybody may have written it. */
  readonly hint: string;
  constructor(hint: string) {
    super('unknown', 'The answer does not come from the engine; whether it was done is unknown.');
    this.hint = hint;
  }
}
