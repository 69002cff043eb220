// The public surface of the core.

export { apply, applyTo } from './core/apply.ts';
export * from './command.ts';
export * from './outcome.ts';
export {
  ORDER_TYPES,
  REASONS as STATUS_REASONS,
  SIDES,
  STATUSES as ORDER_STATUSES,
  STPS as STP_MODES,
  TIMES_IN_FORCE,
} from './names.ts';
export { findUncross } from './core/uncross.ts';
export type { AuctionLevel, UncrossPrice } from './core/uncross.ts';
export { AssertionError } from './assert.ts';
export { findDecimal, findUnits, formatFixed, formatUnits } from './amount.ts';
export type { Decimal } from './amount.ts';
export { DEFAULT_SWEEP_STEP, createState, nextDue, pendingSweeps } from './state.ts';
export type { SweepStep } from './sweeps.ts';
export type { CoreConfig, State } from './state.ts';
export { Tape } from './tape.ts';
export { isTapeOfForm, toForm, toNoteForm } from './form.ts';
export { CLOCK_SLEW, VenueTime } from './venue-time.ts';
export { CORE_VERSION, NewerCoreError, assertKnownVersion } from './version.ts';
export { decodeOutcome, decodeResult, decodeTape } from './decode.ts';
export { readAsked, readBooks, readPhases, readSwept, readPublicSteps } from './excerpt.ts';
export type { AskedTerms, TradePrint, TimedBookChange, PublicStep } from './excerpt.ts';
export { toDirectory, visitNames } from './directory.ts';
export type { Directory, NameList, NameSink } from './directory.ts';
export {
  findDepth,
  findList,
  findMarketView,
  findOrder,
  listBalances,
  listMarkets,
  listOpenOrders,
  listVenueBalances,
  readOpenOrders,
  rememberedFrom,
  writeDepth,
  writeOpenOrders,
} from './view.ts';
export type { Balance, Depth, Level, MarketView, OpenPage } from './view.ts';
export { BALANCE_CELLS, copyBalance, readBalance, visitBalances } from './touched.ts';
export { listQueues } from './queues.ts';
export type { QueueView } from './queues.ts';
export { restore, snapshot, stateHash } from './snapshot.ts';
export { audit, findFaults } from './audit.ts';
export type { Fault } from './audit.ts';
