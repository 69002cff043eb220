// Stops the projector of a test server for a while, so that the tables are late.
import pg from 'pg';
import type { Context } from '../../platform/context.ts';
import { awaitProjection } from '../../trading/projections/access.ts';

export interface HeldProjector {
  /** The engine event up to which the tables are. */
  readonly reached: number;
  release(): Promise<void>;
}

/** Lets the tables reach the present; from then on another connection holds the projector's lock. */
export async function holdProjector(ctx: Context): Promise<HeldProjector> {
  await awaitProjection(ctx, { patienceMs: 8000, orElse: 'refuse' });
  const holder = new pg.Client({ connectionString: ctx.config.DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN');
  const { rows } = await holder.query<{ engine_seq: string }>(
    'SELECT engine_seq::text FROM projection_checkpoints WHERE shard = 0 FOR UPDATE',
  );
  return { reached: Number(rows[0]?.engine_seq), release: () => holder.end() };
}
