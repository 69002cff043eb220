// What the parts of one open conversation share.
import { createContext, use, type ReactNode } from 'react';
import type { Message } from '../../state/entities.ts';
import type { Reaction } from '../../state/entities.ts';

/** What lies over a message. */
export type Over =
  { readonly kind: 'history' | 'move' | 'delete' | 'readers'; readonly id: number } | undefined;

export interface Acts {
  select(id: number): void;
  reply(message: Message): void;
  quote(message: Message): void;
  toggleReaction(message: Message, emoji: Omit<Reaction, 'userId'>): void;
  /** Opens the text of the message for changing, or closes it. */
  edit(id: number | undefined): void;
  toggleStar(message: Message): void;
  copyLink(message: Message): void;
  markUnread(message: Message): void;
  open(over: Over): void;
}

const ActsContext = createContext<Acts | undefined>(undefined);

export function ActsProvider({
  acts,
  children,
}: {
  readonly acts: Acts;
  readonly children: ReactNode;
}) {
  return <ActsContext value={acts}>{children}</ActsContext>;
}

export function useActs(): Acts {
  const acts = use(ActsContext);
  if (acts === undefined) throw new Error('useActs needs an ActsProvider above it.');
  return acts;
}
