// The memory of a call whose caller was remembered. Every decision of the call relies on that too: the statement that
// checks its facts checks the caller with them, and a decision without facts confirms the caller first.
import { FactsChanged, unite, type Basis, type FactMemory } from './memory.ts';

/** What a caller was known by, and where that is in the memory. */
export interface RememberedCaller {
  readonly key: string;
  readonly basis: Basis;
}

export interface CallMemory extends FactMemory {
  /** Throws if the call made no decision that checked its caller: a mistake in the code. */
  requireChecked(): void;
}

/** `holds` asks the database whether what the caller was known by is still true. */
export function relyOnCaller(
  memory: FactMemory,
  { key, basis }: RememberedCaller,
  holds: (basis: Basis) => Promise<boolean>,
): CallMemory {
  let isConfirmed = false;
  let isChecked = false;
  return {
    ...memory,
    reader(db) {
      const reader = memory.reader(db);
      return {
        db: reader.db,
        isMemory: true,
        forget() {
          reader.forget();
          memory.forget(key);
        },
        basis() {
          isChecked = true;
          return isConfirmed ? reader.basis() : unite(basis, reader.basis());
        },
      };
    },
    async confirm() {
      if (isConfirmed) return;
      if (!(await holds(basis))) throw new FactsChanged();
      isConfirmed = true;
    },
    requireChecked() {
      if (!isConfirmed && !isChecked) {
        throw new Error(
          'A call answered without checking its remembered caller: let it call confirm() first.',
        );
      }
    },
    get size() {
      return memory.size;
    },
  };
}
