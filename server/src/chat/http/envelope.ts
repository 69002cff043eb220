// Writes the envelope of the chat API's answers.
import type { FastifyReply } from 'fastify';
import { budgetOf, spend, writeJson } from '../../platform/http/budget.ts';
import { helpLink } from '../../platform/http/help.ts';
import type { Refusal } from '../../platform/http/refusal.ts';

/** JSON that is already text, so that an answer for many clients is serialised once. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type AnswerFields = Readonly<Record<string, unknown>>;

/** Refuses an answer of more than `bytesMax` before it is serialised; no route should give one. */
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
  return send(reply.headers({ ...headers, link: helpLink(code) }), status, `${body}\n`);
}

/** Answers are personal, so no cache may store them. */
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
