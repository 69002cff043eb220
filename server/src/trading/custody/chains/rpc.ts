// JSON-RPC to a node that an operator configured. Each call is bounded in time and in bytes.
import { requestConfigured } from '../../../platform/http/outbound.ts';
import { OddAnswer } from './chain.ts';

export interface RpcLimits {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

/** A block of a busy chain, with all its transactions as JSON, is below this by far. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const NODE_WAIT_MS = 10_000;
const DEFAULTS: RpcLimits = { timeoutMs: NODE_WAIT_MS, bytesMax: ANSWER_BYTES_MAX };

/** The node understood the call and refused it. */
export class NodeRefusal extends Error {
  override name = 'NodeRefusal';
  readonly code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message.slice(0, 300)} (${code})`);
    this.code = code;
  }
}

export interface Call {
  (method: string, params: readonly unknown[]): Promise<unknown>;
  /** The same method for several parameters, in requests of bounded size; the answers are in their order. */
  many(method: string, params: readonly (readonly unknown[])[]): Promise<unknown[]>;
}

/** Calls that one request carries. */
const BATCH_MAX = 100;

/** A caller of one node. Its answers have every number as the text that the node wrote, so that none is rounded. */
export function openRpc(url: string, limits: Partial<RpcLimits> = {}): Call {
  const { timeoutMs, bytesMax } = { ...DEFAULTS, ...limits };
  const post = async (method: string, body: unknown): Promise<unknown> => {
    const answer = await requestConfigured({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      timeoutMs,
      bytesMax,
      // A node is often on this machine or in this network; its URL is configuration.
      allowsHttp: true,
    });
    return parseAnswer(method, answer.status, answer.body.toString());
  };
  const call = async (method: string, params: readonly unknown[]) =>
    resultOf(method, await post(method, { jsonrpc: '2.0', id: 1, method, params }));
  const batch = async (method: string, params: readonly (readonly unknown[])[]) => {
    const asked = params.map((one, id) => ({ jsonrpc: '2.0', id, method, params: one }));
    const answers = await post(method, asked);
    // Nodes may answer in any order. What refuses a whole request answers with one object.
    if (!Array.isArray(answers)) return [resultOf(method, answers)];
    const byId = new Map(
      answers.map((one: unknown) => [isRecord(one) ? Number(one['id']) : -1, one]),
    );
    return asked.map(({ id }) => resultOf(method, byId.get(id)));
  };
  return Object.assign(call, {
    async many(method: string, params: readonly (readonly unknown[])[]) {
      const results: unknown[] = [];
      for (let from = 0; from < params.length; from += BATCH_MAX) {
        const some = params.slice(from, from + BATCH_MAX);
        const answers = await batch(method, some);
        if (answers.length !== some.length) throw new OddAnswer(`${method}: an answer is missing.`);
        results.push(...answers);
      }
      return results;
    },
  });
}

function resultOf(method: string, answer: unknown): unknown {
  if (!isRecord(answer)) throw new OddAnswer(`${method}: an answer is missing.`);
  if (answer['error'] !== undefined && answer['error'] !== null) {
    const { code, message } = answer['error'] as { code?: unknown; message?: unknown };
    throw new NodeRefusal(method, Number(code), String(message));
  }
  return answer['result'];
}

function parseAnswer(method: string, status: number, text: string): unknown {
  try {
    const parsed = parseExactly(text);
    if (isRecord(parsed) || Array.isArray(parsed)) return parsed;
  } catch {
    // What follows says the same, and what came.
  }
  throw new OddAnswer(
    `${method}: expected JSON, but the node answered ${status} ${JSON.stringify(text.slice(0, 100))}.`,
  );
}

/** JSON in which every number is the text of its source: 0.1 stays "0.1", and 2^53 + 1 stays exact. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of an answer, which must be a text. */
export function textOf(record: unknown, name: string): string {
  const value = isRecord(record) ? record[name] : undefined;
  if (typeof value !== 'string') throw new OddAnswer(`Expected a text in "${name}" of an answer.`);
  return value;
}

export function listOf(record: unknown, name: string): readonly unknown[] {
  const value = isRecord(record) ? record[name] : undefined;
  if (!Array.isArray(value)) throw new OddAnswer(`Expected a list in "${name}" of an answer.`);
  return value;
}

/** Heights stay far below what a column of four bytes holds. */
const HEIGHT_MAX = 2_000_000_000;

export function heightOf(value: bigint | string): number {
  const height = Number(value);
  if (Number.isInteger(height) && height >= 0 && height <= HEIGHT_MAX) return height;
  throw new OddAnswer(`Expected the height of a block, not ${String(value).slice(0, 40)}.`);
}
