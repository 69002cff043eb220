// What operations, channels and routes can use of the streams.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Upgrade } from '../../platform/http/upgrades.ts';
import type { TradingContext } from '../context.ts';
import type { Connection } from './connection.ts';
import type { Identity } from './identity.ts';
import type { MarketData } from './market/market-data.ts';
import type { OwnStreams } from './private/own-streams.ts';

export interface Streams {
  readonly ctx: TradingContext;
  /** What belongs to the accounts of those who log in. */
  readonly own: OwnStreams;
  readonly connections: ReadonlySet<Connection>;
  /** The public channels. */
  readonly market: MarketData;
  /** Makes a WebSocket connection of a request, or throws a refusal. A session brings its identity. */
  accept(request: FastifyRequest, reply: FastifyReply, upgrade: Upgrade, identity?: Identity): void;
  /** Tells every client to come back elsewhere, and closes. */
  stop(): Promise<void>;
}
