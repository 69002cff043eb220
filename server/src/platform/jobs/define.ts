// A job is declared once: its name, the shape of its input, and what it does. Its body calls an action.
import type { Static, TSchema } from 'typebox';
import type { Context } from '../context.ts';

export interface JobDefinition<I> {
  readonly name: string;
  readonly input: TSchema;
  /** Tries before it is left for a person to look at. */
  readonly attemptsMax: number;
  run(ctx: Context, input: I): Promise<void>;
}

export interface EnqueueOptions {
  readonly runAt?: Date;
  /** A later job with the same key takes the place of an earlier one that has not started. */
  readonly key?: string;
}

export function defineJob<S extends TSchema>(definition: {
  name: string;
  input: S;
  attemptsMax?: number;
  run(ctx: Context, input: Static<S>): Promise<void>;
}): JobDefinition<Static<S>> {
  return { attemptsMax: 25, ...definition };
}
