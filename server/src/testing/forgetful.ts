// For tests that compare the short way with the long one.
import type { Context } from '../platform/context.ts';
import { createFactMemory } from '../platform/facts/memory.ts';

/** A context whose memory never holds, so that everything goes the long way. */
export function forgetful<C extends Context>(ctx: C): C {
  const real = createFactMemory();
  const reader: typeof real.reader = (db) => {
    const one = real.reader(db);
    const basis = () => ({ about: [0], snapshots: ['1:1:'] });
    return { db: one.db, isMemory: true, basis, forget: () => one.forget() };
  };
  return { ...ctx, facts: { ...real, reader } };
}
