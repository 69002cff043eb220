// A job is declared once: its name, the shape of its input, and what it does. Its body calls an action.
import type { Static, TSchema } from 'typebox';
import type { Context } from '../context.ts';
import type { JobKind } from './kind.ts';

export interface JobDefinition<I> extends JobKind<I> {
  run(ctx: Context, input: I): Promise<void>;
}

export function defineJob<S extends TSchema>(definition: {
  name: string;
  input: S;
  attemptsMax?: number;
  run(ctx: Context, input: Static<S>): Promise<void>;
}): JobDefinition<Static<S>> {
  return { attemptsMax: 25, ...definition };
}
