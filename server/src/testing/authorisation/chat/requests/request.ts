// What each route is asked in the matrix: which object it is given, and which right it takes to succeed.
// A route without a line fails the test, so a new one cannot slip by.
import type { FormInput } from '../../../chat/client.ts';
import type { Objects } from '../objects.ts';
import type { Kind, Relation, Right } from '../relations.ts';

export interface Request {
  readonly on: Kind;
  /** Who may is served, everybody else is refused. */
  readonly needs: Right;
  readonly form?: (objects: Objects, more: More) => FormInput;
  /** The message of the path; the one that nothing uses up, unless said otherwise. */
  readonly message?: 'own, elsewhere' | ((objects: Objects) => number);
  /**
   * Everybody is served, and whoever has not the right is told what would be told of nothing. Otherwise
   * they are refused.
   */
  readonly isQuiet?: true;
  /** Part of the object that must be in the answer for whoever has the right to it. */
  readonly shows?: 'word' | 'topic' | 'channelName' | 'channelId';
  /** The right to that part, where it is another. */
  readonly showsTo?: Right;
  /** Only these, where others would change what the rest of the matrix stands on. */
  readonly relations?: readonly Relation[];
  /** What cannot be told here: whether it succeeds depends on more than rights. */
  readonly isOpenEnded?: true;
  /** That a name is taken cannot be hidden from whoever wants it. */
  readonly mayTellThatItExists?: true;
  /** After everything else, because it takes away what others need. */
  readonly isLast?: true;
  /** Where the answer has ids of channels: only of such as the caller may know of. */
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

/** What a route is asked, by its name. */
export type Requests = Readonly<Record<string, readonly Request[]>>;
