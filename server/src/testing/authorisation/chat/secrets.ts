// Secret words that occur nowhere else, each with the callers who may read it. The matrix searches everything that
// leaves the server for them.
import type { Caller } from './relations.ts';

/** Letters and digits only, so that no escaping changes or splits them. */
const WORD = /canary[a-z]+[0-9]+z/g;

export class Secrets {
  readonly #readers = new Map<string, ReadonlySet<Caller>>();
  /** Keys, ids of queues and other secrets that do not look like our words. */
  readonly #others: { text: string; readers: ReadonlySet<Caller> }[] = [];
  #count = 0;

  /** A new word that only these callers may see. */
  plant(kind: string, readers: readonly Caller[]): string {
    this.#count += 1;
    const word = `canary${kind}${this.#count}z`;
    this.#readers.set(word, new Set(readers));
    return word;
  }

  guard(text: string, readers: readonly Caller[]): void {
    this.#others.push({ text, readers: new Set(readers) });
  }

  get count(): number {
    return this.#count + this.#others.length;
  }

  /** The secrets that `caller` should not have seen; `said` is what the caller sent. */
  leaksIn(text: string, caller: Caller, said = ''): string[] {
    const own = new Set(said.match(WORD));
    const words = [...new Set(text.match(WORD))].filter(
      (word) => !own.has(word) && this.#readers.get(word)?.has(caller) !== true,
    );
    const others = this.#others
      .filter(
        (secret) =>
          text.includes(secret.text) && !secret.readers.has(caller) && !said.includes(secret.text),
      )
      .map((secret) => secret.text);
    return [...words, ...others];
  }
}
