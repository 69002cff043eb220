// The attacker's instructions, as JSON on its command line.

export type Plan =
  | { readonly kind: 'search'; readonly guest: string }
  | {
      readonly kind: 'edits';
      readonly author: string;
      readonly readers: readonly string[];
      /** A message of the author, to be edited. */
      readonly messageId: number;
      /** A message with very many submessages. */
      readonly pollId: number;
    }
  | { readonly kind: 'strangers'; readonly userId: number }
  | { readonly kind: 'polls'; readonly poller: string }
  | {
      readonly kind: 'readers';
      readonly readers: readonly string[];
      /** The author of the messages they have not read. */
      readonly writerId: number;
    };

export interface Order {
  readonly origin: string;
  readonly plan: Plan;
}
