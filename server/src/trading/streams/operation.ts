// An operation that a client can send, declared once: its validation, its types and the published document come from
// the declaration.
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorName } from '../http/errors.ts';
import type { Connection } from './connection.ts';
import type { Streams } from './services.ts';

/** What a handler gets besides its parameters. */
export interface Call {
  readonly streams: Streams;
  readonly connection: Connection;
  /** When the frame came, by the venue's clock. */
  readonly nowMs: number;
}

/** A result with something that is done right after the answer was sent. */
export class Followed<T> {
  readonly result: T;
  readonly after: () => void;
  constructor(result: T, after: () => void) {
    this.result = result;
    this.after = after;
  }
}

/** A result with something to say about it: members of the answer beside `result`. */
export class Noted<T> {
  readonly result: T;
  readonly notes: Readonly<Record<string, unknown>>;
  constructor(result: T, notes: Readonly<Record<string, unknown>>) {
    this.result = result;
    this.notes = notes;
  }
}

export interface Operation {
  readonly name: string;
  /** `private`: only after a login. */
  readonly access: 'public' | 'private';
  readonly summary: string;
  /** The members of the frame besides `id` and `op`. */
  readonly params: TObject;
  readonly returns: TSchema;
  readonly errors: readonly ErrorName[];
  /** In turn: after the connection's earlier operations of this kind. At once: beside them. */
  readonly runs: 'in turn' | 'at once';
  /** After a fault it is unknown whether something was done. */
  readonly isActing: boolean;
  handle(call: Call, params: never): unknown;
}

interface Declared<P extends TObject, R extends TSchema> {
  name: string;
  access: Operation['access'];
  summary: string;
  params: P;
  returns: R;
  errors?: readonly ErrorName[];
  runs?: Operation['runs'];
  isActing?: boolean;
  handle(call: Call, params: Static<P>): Given<R> | Promise<Given<R>>;
}

type Given<R extends TSchema> = Static<R> | Followed<Static<R>> | Noted<Static<R>>;

export const operation = <P extends TObject, R extends TSchema>(
  declared: Declared<P, R>,
): Operation => ({ errors: [], runs: 'in turn', isActing: false, ...declared });
