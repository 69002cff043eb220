// Whom the `to` of a typing notification names. Unlike the `to` of a message it is always a list.
import { badRequest } from '../http/errors.ts';
import { JsonNumber, parseJson, type JsonNode } from '../http/json.ts';
import { RECIPIENTS_MAX } from '../messages/recipients.ts';

export type Typists =
  { readonly userIds: readonly number[] } | { readonly emails: readonly string[] };

/** Undefined for "not given", which the text `null` says as well. */
export function readRecipients(text: string | undefined): Typists | undefined {
  if (text === undefined) return undefined;
  const node = parseJson(text);
  if (node === undefined) throw badRequest('to is not valid JSON');
  if (node === null) return undefined;
  if (!Array.isArray(node)) throw badRequest('to is not a list');
  const list = node as readonly JsonNode[];
  if (list.length > RECIPIENTS_MAX) {
    throw badRequest(`to is too long (limit: ${RECIPIENTS_MAX} items)`);
  }
  if (list.length > 0 && list.every((one) => typeof one === 'string')) {
    return { emails: [...new Set(list.map((one) => one.trim()))] };
  }
  const userIds = list.map((one, index) => {
    if (one instanceof JsonNumber && one.isWhole) return one.value;
    throw badRequest(`to[${index}] is not an integer`);
  });
  return { userIds: [...new Set(userIds)] };
}
