// What a key with a scope may ask. Reading, writing and administration need their words; a key that is for some
// conversations only may ask what is in the table below, and nothing else: a route that does not know scopes cannot
// leak.
import { keyScope } from '../../accounts/chat-keys/errors.ts';
import {
  reachesChannel,
  reachOf,
  type KeyRight,
  type KeyScope,
  type Reach,
} from '../../accounts/chat-keys/scope.ts';
import type { ChatRoute } from './route.ts';

type Params = Readonly<Record<string, unknown>>;

/** They change nothing that others see, and give what a read gives. */
const READS: ReadonlySet<string> = new Set(['register-queue', 'delete-queue']);

export function checkKeyScope(route: ChatRoute, scope: KeyScope, params: Params): void {
  if (!scope.can.includes(rightFor(route, params))) throw keyScope();
  const reach = reachOf(scope);
  if (reach === undefined) return;
  if (LIMITED.get(route.name)?.(reach, params) !== true) throw keyScope();
}

function rightFor(route: ChatRoute, params: Params): KeyRight {
  const { name, method, allow } = route;
  const isAdministration = allow === 'administrator' || allow === 'owner';
  if (isAdministration || route.stepUpOf({ ...params }) !== undefined) return 'admin';
  return method === 'GET' || READS.has(name) ? 'read' : 'write';
}

/** Events that belong to one conversation and tell nothing of another. */
const EVENT_TYPES: ReadonlySet<string> = new Set(['message', 'reaction', 'delete_message']);

const isNothing = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const isOwnChannel = (reach: Reach, { stream_id }: Params): boolean =>
  typeof stream_id === 'number' && reachesChannel(reach, stream_id);

/** By route: whether a key with this reach may ask this. */
const LIMITED: ReadonlyMap<string, (reach: Reach, params: Params) => boolean> = new Map([
  ['get-own-user', () => true],
  // Each checks the message or the queue itself.
  ['get-message', () => true],
  ['get-events', () => true],
  ['delete-queue', () => true],
  ['get-stream', isOwnChannel],
  ['get-stream-topics', isOwnChannel],
  ['register-queue', mayRegister],
  ['get-messages', isNarrowed],
  ['send-message', maySend],
]);

/** A queue for messages, without any initial state. */
function mayRegister(
  _reach: Reach,
  { event_types, fetch_event_types, narrow, all_public_streams }: Params,
): boolean {
  return (
    Array.isArray(event_types) &&
    event_types.every((type) => EVENT_TYPES.has(String(type))) &&
    isNothing(fetch_event_types) &&
    isNothing(narrow) &&
    all_public_streams !== true
  );
}

/** Terms that take messages away. Others, such as `with`, may lead elsewhere. */
const NARROWING: ReadonlySet<string> = new Set(['topic', 'subject', 'search', 'has', 'id', 'near']);

/** All terms must hold, so one that is inside the reach keeps the whole narrow inside. */
function isNarrowed(reach: Reach, { narrow, message_ids }: Params): boolean {
  if (message_ids !== undefined || !Array.isArray(narrow)) return false;
  let isInside = false;
  for (const given of narrow) {
    const term = termOf(given);
    if (term === undefined) return false;
    const { operator, operand, negated } = term;
    if (NARROWING.has(operator)) continue;
    if (negated) return false;
    const isChannel = operator === 'channel' || operator === 'stream';
    const isDirect = operator === 'is' && (operand === 'dm' || operand === 'private');
    if (isChannel && typeof operand === 'number' && reachesChannel(reach, operand)) isInside = true;
    else if (isDirect && reach.direct) isInside = true;
    else return false;
  }
  return isInside;
}

interface Term {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

function termOf(given: unknown): Term | undefined {
  if (Array.isArray(given)) {
    const [operator, operand] = given as unknown[];
    if (given.length !== 2 || typeof operator !== 'string') return undefined;
    return { operator, operand, negated: false };
  }
  if (typeof given !== 'object' || given === null) return undefined;
  const { operator, operand, negated = false } = given as Record<string, unknown>;
  if (typeof operator !== 'string' || typeof negated !== 'boolean') return undefined;
  return { operator, operand, negated };
}

/** A channel by its number: a name would have to be looked up, and the answer would tell whether it exists. */
const CHANNEL_ID = /^[1-9]\d{0,14}$/;

/** The link to a channel is drawn only if there is such a channel. */
const CHANNEL_LINK = '#**';

function maySend(reach: Reach, { type, to, content }: Params): boolean {
  if (String(content).includes(CHANNEL_LINK)) return false;
  if (type === 'direct' || type === 'private') return reach.direct;
  const text = typeof to === 'string' ? to.trim() : '';
  return CHANNEL_ID.test(text) && reachesChannel(reach, Number(text));
}
