// What a scenario is written against. One director calls the API and records it; another one runs the samples of the
// documentation instead. The order of a scenario is fixed, so ids are the same in every run.
import type { CastName } from '../demo/data/people.ts';

export type Who = CastName | 'nobody';
export type Params = Readonly<Record<string, unknown>>;

/** A file that a call sends. */
export interface SentFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface Director {
  /** Calls an operation once; throws unless it succeeds. */
  call(id: string, who: Who, params?: Params, file?: SentFile): Promise<Answer>;
  /** Calls an operation that must be refused with this code. */
  refuse(code: string, id: string, who: Who, params?: Params): Promise<void>;
}

/** The body of an answer. */
export class Answer {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }

  /** What is at a path such as `result.items.0.orderId`. */
  at(path: string): unknown {
    return path
      .split('.')
      .reduce(
        (value: unknown, name) =>
          typeof value === 'object' && value !== null
            ? (value as Record<string, unknown>)[name]
            : undefined,
        this.body,
      );
  }

  number(path: string): number {
    const value = this.at(path);
    if (typeof value !== 'number')
      throw new Error(`${path} is no number: ${JSON.stringify(this.body)}`);
    return value;
  }

  text(path: string): string {
    const value = this.at(path);
    if (typeof value !== 'string')
      throw new Error(`${path} is no text: ${JSON.stringify(this.body)}`);
    return value;
  }
}
