// Reads some of a tape's records and skips the rest by their lengths, for readers that do not need
// whole outcomes: book copies want levels, and the order history wants the original terms.

import { BUY, PHASES, SIDES, STPS } from './names.ts';
import type { MarketConfig, StpMode } from './command.ts';
import type { BookChange, PhaseChange, Trade } from './outcome.ts';
import type { Directory } from './directory.ts';
import * as rec from './record.ts';
import type { SweepStep } from './sweeps.ts';
import * as tape from './tape.ts';
import type { Tape } from './tape.ts';
import { toBigint } from './wide.ts';

/** A change of a visible book, and when it was made. */
export interface TimedBookChange extends BookChange {
  time: number;
}

/** Every change of a visible book, in order. */
export function readBooks(names: Directory, t: Tape): TimedBookChange[] {
  const { f64, u32 } = t;
  const changes: TimedBookChange[] = [];
  let current: TimedBookChange | undefined;
  let time = 0;
  for (let cell = 0; cell < t.length;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind === tape.LEVEL_CHANGE) {
      current!.levels.push({
        side: SIDES[u32[(at + 2) * 2]!]!,
        priceTicks: f64[at]!,
        lots: f64[at + 1]!,
      });
    } else if (kind === tape.STEP) {
      time = f64[at + 1]!;
    } else if (kind === tape.BOOK) {
      const decimals = u32[(at + 1) * 2 + 1]!;
      current = {
        symbol: names.markets[u32[(at + 1) * 2]!]!.config.symbol,
        updateId: f64[at]!,
        priceDecimals: decimals & 0xff,
        volumeDecimals: decimals >> 8,
        levels: [],
        time,
      };
      changes.push(current);
    }
  }
  return changes;
}

/** Every change of a market's phase, in order. */
export function readPhases(names: Directory, t: Tape): PhaseChange[] {
  const { f64, u32 } = t;
  const changes: PhaseChange[] = [];
  for (let cell = 0; cell < t.length;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind !== tape.PHASE) continue;
    changes.push({
      symbol: names.markets[u32[(at + 1) * 2]!]!.config.symbol,
      phase: PHASES[u32[(at + 1) * 2 + 1]!]!,
      until: f64[at]!,
    });
  }
  return changes;
}

/** A trade without those who made it. */
export type TradePrint = Omit<Trade, 'buyer' | 'seller' | 'rebate'>;

/** What a step of the engine traded, and which markets it configured after that. */
export interface PublicStep {
  engineSeq: number;
  time: number;
  trades: TradePrint[];
  markets: MarketConfig[];
}

/** Every step that has trades or configures a market, in order. */
export function readPublicSteps(names: Directory, t: Tape): PublicStep[] {
  const { f64, u32, i32 } = t;
  const steps: PublicStep[] = [];
  let step: PublicStep | undefined;
  for (let cell = 0; cell < t.length;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind === tape.STEP) {
      step = { engineSeq: f64[at]!, time: f64[at + 1]!, trades: [], markets: [] };
    } else if (kind === tape.NOTE && u32[at * 2] === tape.NOTE_MARKET) {
      if (steps.at(-1) !== step) steps.push(step!);
      step!.markets.push(t.notes[u32[at * 2 + 1]!] as MarketConfig);
    } else if (kind === tape.TRADE) {
      if (steps.at(-1) !== step) steps.push(step!);
      const packed = i32[(at + 7) * 2 + 1]!;
      step!.trades.push({
        tradeId: f64[at]!,
        symbol: names.markets[i32[(at + 7) * 2]!]!.config.symbol,
        priceTicks: f64[at + 1]!,
        lots: f64[at + 2]!,
        priceDecimals: (packed >> 8) & 0xff,
        volumeDecimals: packed >> 16,
        total: toBigint(f64, at + 8),
        takerSide: (packed & 0xff) === BUY ? 'buy' : 'sell',
      });
    }
  }
  return steps;
}

/** Orders that a command ended on behalf of a sweep, and whether there are more; undefined for any other. */
export function readSwept(t: Tape, from: number, until: number): SweepStep | undefined {
  const { f64, u32 } = t;
  for (let cell = from; cell < until;) {
    const at = cell + 1;
    const isResult = u32[cell * 2] === tape.RESULT;
    cell = at + u32[cell * 2 + 1]!;
    if (!isResult) continue;
    const note = t.notes[u32[at * 2 + 1]!];
    if (u32[at * 2] === tape.R_SWEPT) return note as SweepStep;
    if (u32[at * 2] !== tape.R_CANCELED_ALL) continue;
    const sweepId = f64[at + 1]!;
    return { sweepId, orderIds: note as number[], done: sweepId === 0 };
  }
  return undefined;
}

/** The terms of an order as they were first asked for; amendments leave them alone. */
export interface AskedTerms {
  orderId: number;
  priceDecimals: number;
  volumeDecimals: number;
  price: number;
  stopPrice: number;
  volume: number;
  visibleVolume: number;
  /** Zero unless the request named a total. */
  total: bigint;
  /** Empty when the request named none and the market's default was taken. */
  stpMode: StpMode | '';
}

/** The original terms of every order above the given id that has a client id, once, by order id. */
export function readAsked(t: Tape, aboveId: number): Map<number, AskedTerms> {
  const { f64, u32 } = t;
  const asked = new Map<number, AskedTerms>();
  for (let cell = 0; cell < t.length;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind !== tape.ORDER) continue;
    const orderId = f64[at + rec.ID]!;
    const flags = u32[at * 2 + rec.FLAGS]!;
    if (orderId <= aboveId || (flags & rec.FLAG_HAS_CLIENT) === 0 || asked.has(orderId)) continue;
    const decimals = u32[at * 2 + rec.DECIMALS]!;
    asked.set(orderId, {
      orderId,
      priceDecimals: decimals & 0xff,
      volumeDecimals: decimals >> 8,
      price: f64[at + rec.ASKED_PRICE]!,
      stopPrice: f64[at + rec.ASKED_STOP]!,
      volume: f64[at + rec.ASKED_VOLUME]!,
      visibleVolume: f64[at + rec.ASKED_VISIBLE]!,
      total: (flags & rec.FLAG_BY_TOTAL) === 0 ? 0n : toBigint(f64, at + rec.TOTAL),
      stpMode: (flags & rec.FLAG_ASKED_STP) === 0 ? '' : STPS[u32[at * 2 + rec.STP]!]!,
    });
  }
  return asked;
}
