// The form of a request in the matrix: which object it names, and which right it needs to succeed. A route without
// requests fails the test, so a new one cannot be forgotten.
import type { FormInput } from '../../../chat/client.ts';
import type { Objects } from '../objects.ts';
import type { Kind, Relation, Right } from '../relations.ts';

export interface Request {
  readonly on: Kind;
  /** People with this right are served, everybody else is refused. */
  readonly needs: Right;
  readonly form?: (objects: Objects, more: More) => FormInput;
  /** The message in the path; by default one that no request changes. */
  readonly message?: 'own, elsewhere' | ((objects: Objects) => number);
  /**
   * Everybody is served, but people without the right get the answer for an object that does not exist. Without
   * this flag they are refused.
   */
  readonly isQuiet?: true;
  /** Part of the object that the answer must contain for people with the right to it. */
  readonly shows?: 'word' | 'topic' | 'channelName' | 'channelId';
  /** The right to that part, where it differs. */
  readonly showsTo?: Right;
  /** Only these relations, where others would change objects that the rest of the matrix needs. */
  readonly relations?: readonly Relation[];
  /** The outcome cannot be predicted: whether it succeeds depends on more than rights. */
  readonly isOpenEnded?: true;
  /** A refusal because a name is taken reveals that it exists; that cannot be avoided. */
  readonly mayTellThatItExists?: true;
  /** Runs after everything else, because it removes what others need. */
  readonly isLast?: true;
  /** The field of the answer with ids of channels, all of which the caller must be allowed to know. */
  readonly listsChannelsIn?: string;
  readonly check?: (body: Record<string, unknown>, mayRead: boolean) => string | undefined;
}

export interface More {
  readonly friendId: number;
  readonly unique: string;
}

export const all = { anchor: 'newest', num_before: 50, num_after: 50 };
export const narrowed = (...narrow: readonly unknown[]) => ({ ...all, narrow });
export const term = (operator: string, operand: unknown) => ({ operator, operand });
export const gateOnly: readonly Request[] = [
  { on: 'nothing', needs: 'just ask', isOpenEnded: true },
];
export const asked = (form: FormInput): readonly Request[] => [
  { on: 'nothing', needs: 'just ask', form: () => form },
];

export const counted = (body: Record<string, unknown>, mayRead: boolean): string | undefined =>
  mayRead === Number(body['processed_count']) > 0
    ? undefined
    : `processed_count is ${String(body['processed_count'])}`;

/** The requests of each route, by its name. */
export type Requests = Readonly<Record<string, readonly Request[]>>;
