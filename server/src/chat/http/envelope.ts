// Writes the envelope of the chat API's answers.
import type { FastifyReply } from 'fastify';
import { budgetOf, spend, writeJson, type AnswerBudget } from '../../platform/http/budget.ts';
import { packingFor, streamOf } from '../../platform/http/packing.ts';
import { helpLink } from '../../platform/http/help.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import { unixSeconds } from '../../platform/std/time.ts';

/** JSON that is already text, so that an answer for many clients is serialised once. A long one is in pieces. */
export class RawJson {
  readonly pieces: readonly string[];
  constructor(...pieces: readonly string[]) {
    this.pieces = pieces;
  }
}

/** The text of a list that is written while its entries are read. */
export class JsonList {
  readonly #pieces: string[] = [];

  /** Throws when the list grows beyond the budget. */
  add(entries: readonly unknown[], budget: AnswerBudget): void {
    this.addText(JSON.stringify(entries).slice(1, -1), budget);
  }

  /** Entries that are text already, with commas between them. */
  addText(text: string, budget: AnswerBudget): void {
    if (text === '') return;
    this.#pieces.push(`${this.#pieces.length === 0 ? '' : ','}${spend(budget, text)}`);
  }

  end(): RawJson {
    return new RawJson('[', ...this.#pieces, ']');
  }
}

export type AnswerFields = Readonly<Record<string, unknown>>;

export interface AnswerLimits {
  /** A longer answer is refused before it is serialised; no route should give one. */
  readonly bytesMax: number;
  /** Whether the answer may be long enough that compressing it is worth the CPU. */
  readonly isLong: boolean;
}

/** From this many characters on, an answer is sent piece by piece, and compressed if the client takes that. */
const LONG = 64 * 1024;

export async function sendSuccess(
  reply: FastifyReply,
  fields: AnswerFields,
  ignored: readonly string[],
  { bytesMax, isLong }: AnswerLimits,
): Promise<FastifyReply> {
  const budget = budgetOf(bytesMax);
  const pieces = ['{"result":"success","msg":""'];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    pieces.push(`,${JSON.stringify(name)}:`);
    if (value instanceof RawJson) {
      for (const piece of value.pieces) pieces.push(spend(budget, piece));
    } else {
      const json = writeJson(value, budget);
      for (const piece of json instanceof Promise ? await json : json) pieces.push(piece);
    }
  }
  if (ignored.length > 0) {
    pieces.push(`,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`);
  }
  pieces.push('}\n');
  if (!isLong || pieces.reduce((sum, { length }) => sum + length, 0) < LONG) {
    return send(reply, 200, pieces.join(''));
  }
  const packing = packingFor(reply.request.headers['accept-encoding']);
  if (packing !== undefined) reply.header('content-encoding', packing);
  return send(reply, 200, streamOf(pieces, packing), VARIES_BY_ENCODING);
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, status, message, fields, headers } = refusal;
  const body = JSON.stringify({ result: 'error', msg: message, code, ...fields });
  return send(reply.headers({ ...headers, link: helpLink(code) }), status, `${body}\n`);
}

let written = { second: 0, text: '' };

/** The time as HTTP writes it, made once a second. */
function httpTime(): string {
  const nowMs = Date.now();
  const second = unixSeconds(nowMs);
  if (second !== written.second) written = { second, text: new Date(nowMs).toUTCString() };
  return written.text;
}

const VARIES = 'Authorization, Cookie';
const VARIES_BY_ENCODING = `${VARIES}, Accept-Encoding`;

/** Answers are personal, so no cache may store them. */
function send(
  reply: FastifyReply,
  status: number,
  body: string | NodeJS.ReadableStream,
  vary = VARIES,
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'application/json',
      'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
      expires: httpTime(),
      vary,
    })
    .send(body);
}
