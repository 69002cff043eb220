// What the content of a message needs to know of its surroundings, and what it may ask of them.
import { createContext, use, type ReactNode } from 'react';
import type { Narrow } from '../narrow/terms.ts';

/** A page of the organization's choice where code of a language can be run. */
export interface Playground {
  readonly name: string;
  /** The language as blocks of code have it. */
  readonly language: string;
  readonly urlTemplate: string;
}

export interface ContentWorld {
  readonly origin: string;
  readonly readerId: number;
  /** The reader's time zone; the browser's if it is not given. */
  readonly zone?: string | undefined;
  readonly playgrounds: readonly Playground[];
  /** Names of today: a mention shows them, whatever they were when the message was written. */
  personName(id: number): string | undefined;
  groupName(id: number): string | undefined;
  isInGroup(id: number): boolean;
  /** In bytes; undefined if it is not known. */
  fileSize(path: string): number | undefined;
  openNarrow(narrow: Narrow): void;
  /** Shows who somebody is, beside the mention. Without it a mention is plain text. */
  readonly openPerson?: ((id: number, beside: HTMLElement) => void) | undefined;
  /** Answers a bot's question with the text of a choice. Without it the choices can be read alone. */
  readonly reply?: ((messageId: number, text: string) => void) | undefined;
  /** Adds to a poll or a list of a message. Rejects if the server refused. */
  addSubmessage(messageId: number, content: string): Promise<void>;
}

const NOWHERE: ContentWorld = {
  origin: 'https://own.invalid',
  readerId: 0,
  playgrounds: [],
  personName: () => undefined,
  groupName: () => undefined,
  isInGroup: () => false,
  fileSize: () => undefined,
  openNarrow: () => undefined,
  addSubmessage: () => Promise.reject(new Error('There is no server to add this to.')),
};

const WorldContext = createContext<ContentWorld>(NOWHERE);

export function ContentProvider({ world, children }: { world: ContentWorld; children: ReactNode }) {
  return <WorldContext value={world}>{children}</WorldContext>;
}

export const useContentWorld = (): ContentWorld => use(WorldContext);
