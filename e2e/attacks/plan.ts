// What an attacker is told, as JSON on its command line.

export type Plan =
  | { readonly kind: 'search'; readonly guest: string }
  | {
      readonly kind: 'edits';
      readonly author: string;
      readonly readers: readonly string[];
      /** A message of the author's, which is edited. */
      readonly messageId: number;
      /** A message that very many submessages hang on. */
      readonly pollId: number;
    }
  | { readonly kind: 'strangers'; readonly userId: number }
  | { readonly kind: 'polls'; readonly poller: string }
  | {
      readonly kind: 'readers';
      readonly readers: readonly string[];
      /** Whose messages they have not read. */
      readonly writerId: number;
    };

export interface Order {
  readonly origin: string;
  readonly plan: Plan;
}
