// Parses the recipients of a message from its parameters: old and new names, ids, names and addresses.
import { badRequest } from '../../http/errors.ts';
import { parseJson, JsonNumber, type JsonNode } from '../../http/json.ts';

export type MessageType = 'direct' | 'private' | 'stream' | 'channel';

export type Addressee =
  | { readonly kind: 'channel'; readonly channel: string | number }
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  | { readonly kind: 'direct'; readonly emails: readonly (string | number)[] };

/** The most recipients of a direct message. */
export const RECIPIENTS_MAX = 500;

export function parseAddressee(type: MessageType, to: string | undefined): Addressee {
  return type === 'stream' || type === 'channel' ? parseChannel(to) : parsePeople(to);
}

/** A bare name, a JSON string, an id, or a list with one of them. */
function parseChannel(to: string | undefined): Addressee {
  if (to === undefined || to.trim() === '') throw badRequest('Missing channel');
  const node = parseJson(to);
  const one = Array.isArray(node) ? onlyOne(node as readonly JsonNode[]) : (node ?? to);
  if (typeof one === 'string') return { kind: 'channel', channel: one };
  if (one instanceof JsonNumber && one.isWhole) return { kind: 'channel', channel: one.value };
  // A name may look like JSON: `true`, `null`, `1.5`. Outside a list these are names.
  if (
    !Array.isArray(node) &&
    (one === null || typeof one === 'boolean' || one instanceof JsonNumber)
  ) {
    return { kind: 'channel', channel: to.trim() };
  }
  throw badRequest('Invalid data type for channel');
}

function onlyOne(list: readonly JsonNode[]): JsonNode {
  if (list.length === 0) throw badRequest('Expected exactly one channel');
  if (list.length > 1) throw badRequest('Cannot send to multiple channels');
  return list[0] as JsonNode;
}

/** A list of ids or of addresses, a single one, or addresses separated by commas. */
function parsePeople(to: string | undefined): Addressee {
  if (to === undefined || to.trim() === '') throw badRequest('Message must have recipients');
  const node = parseJson(to);
  if (node === undefined) return emails(to.split(','));
  if (typeof node === 'string') return emails(node.split(','));
  const list: readonly JsonNode[] = Array.isArray(node) ? (node as readonly JsonNode[]) : [node];
  if (list.length === 0) throw badRequest('Message must have recipients');
  if (list.length > RECIPIENTS_MAX) {
    throw badRequest(`A direct message cannot have more than ${RECIPIENTS_MAX} recipients.`);
  }
  const kinds = new Set(list.map((one) => (one instanceof JsonNumber ? 'number' : typeof one)));
  if (kinds.size > 1 && [...kinds].every((kind) => kind === 'number' || kind === 'string')) {
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  }
  if (kinds.has('string')) return emails(list as readonly string[]);
  const userIds = list.map((one) => {
    if (one instanceof JsonNumber && one.isWhole) return one.value;
    throw badRequest('Invalid data type for recipients');
  });
  return { kind: 'direct', userIds: [...new Set(userIds)] };
}

function emails(given: readonly string[]): Addressee {
  const list = given.map((one) => one.trim()).filter((one) => one !== '');
  if (list.length === 0) throw badRequest('Message must have recipients');
  if (list.length > RECIPIENTS_MAX) {
    throw badRequest(`A direct message cannot have more than ${RECIPIENTS_MAX} recipients.`);
  }
  return { kind: 'direct', emails: [...new Set(list)] };
}
