// Values from the server's answers, by the name they came under. A request that names a real
// message gets further than one that names message 17, so values from answers are kept and sent
// again.
import type { Random } from '../../server/src/testing/random.ts';

type Known = string | number;

const PER_NAME_MAX = 60;
const DEPTH_MAX = 6;
const LEARNED_PER_ANSWER_MAX = 300;

/** Different names for the same thing in requests and in answers. */
const SAME: Readonly<Record<string, string>> = {
  stream: 'stream_id',
  channel_id: 'stream_id',
  streams: 'stream_id',
  stream_ids: 'stream_id',
  new_stream_id: 'stream_id',
  user: 'user_id',
  users: 'user_id',
  sender_id: 'user_id',
  principals: 'user_id',
  muted_user_id: 'user_id',
  bot_owner_id: 'user_id',
  user_ids: 'user_id',
  members: 'user_id',
  add: 'user_id',
  msg_id: 'message_id',
  messages: 'message_id',
  anchor: 'message_id',
  last_event_id: 'event_id',
  subject: 'topic',
  topic_name: 'topic',
  orig_subject: 'topic',
  group_id: 'user_group_id',
  subgroup_ids: 'user_group_id',
  draft_id: 'draft_id',
  orderIds: 'orderId',
  clientOrderIds: 'clientOrderId',
};

const nameOf = (name: string): string => SAME[name] ?? name;

export class Pool {
  readonly #byName = new Map<string, Known[]>();

  add(name: string, value: Known): void {
    const key = nameOf(name);
    const values = this.#byName.get(key) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > PER_NAME_MAX) values.shift();
    this.#byName.set(key, values);
  }

  /** A value that came under this name, if there was one. */
  pick(name: string, random: Random): Known | undefined {
    const values = this.#byName.get(nameOf(name));
    return values === undefined ? undefined : random.pick(values);
  }

  /** Keeps the values of an answer; `noun` says what its bare `id` is. */
  learn(answer: unknown, noun: string): void {
    let left = LEARNED_PER_ANSWER_MAX;
    const visit = (node: unknown, name: string, depth: number): void => {
      if (left <= 0 || depth > DEPTH_MAX) return;
      if (Array.isArray(node)) {
        for (const item of node) visit(item, name, depth + 1);
      } else if (typeof node === 'object' && node !== null) {
        for (const [key, value] of Object.entries(node)) {
          visit(value, key === 'id' ? idNameOf(name, noun) : key, depth + 1);
        }
      } else if (typeof node === 'number' || (typeof node === 'string' && node.length <= 100)) {
        left -= 1;
        this.add(name, node);
      }
    };
    visit(answer, noun, 0);
  }
}

/** The `id` of an entry in `messages` is a `message_id`. */
function idNameOf(parent: string, noun: string): string {
  const singular = (parent === '' ? noun : parent).replace(/s$/, '');
  return singular.endsWith('_id') ? singular : `${singular}_id`;
}
