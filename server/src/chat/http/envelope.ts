// The chat API's envelope, and nothing else about an answer.
import type { FastifyReply } from 'fastify';
import { budgetOf, spend, writeJson } from '../../platform/http/budget.ts';
import type { Refusal } from '../../platform/http/refusal.ts';

/** A piece of JSON that is already text, so that what many clients get is serialised once. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type AnswerFields = Readonly<Record<string, unknown>>;

/** Refuses, before it is written out, an answer of more than `bytesMax`: no route is meant to give one. */
export async function sendSuccess(
  reply: FastifyReply,
  fields: AnswerFields,
  ignored: readonly string[],
  bytesMax: number,
): Promise<FastifyReply> {
  const budget = budgetOf(bytesMax);
  let text = '{"result":"success","msg":""';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const json =
      value instanceof RawJson ? spend(budget, value.text) : await writeJson(value, budget);
    text += `,${JSON.stringify(name)}:${json}`;
  }
  if (ignored.length > 0) text += `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return send(reply, 200, `${text}}\n`);
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, status, message, fields, headers } = refusal;
  const body = JSON.stringify({ result: 'error', msg: message, code, ...fields });
  return send(reply.headers(headers), status, `${body}\n`);
}

/** Answers are personal: no cache, shared or private, may hand them to anybody. */
function send(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'application/json',
      'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
      expires: new Date().toUTCString(),
      vary: 'Authorization, Cookie',
    })
    .send(text);
}
