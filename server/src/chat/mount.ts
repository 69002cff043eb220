import type { FastifyInstance } from 'fastify';
import type { ApiContext } from '../platform/context.ts';

export async function mountChat(_app: FastifyInstance, _ctx: ApiContext): Promise<void> {}
