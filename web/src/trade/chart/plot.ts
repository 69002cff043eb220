// The candles on a canvas, by lightweight-charts. Its own logo is off, because it brings a style and markup that our
// content policy refuses; the credit that its licence asks for stands below the chart.
import {
  CandlestickSeries,
  createChart,
  CrosshairMode,
  HistogramSeries,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { firstChange, type Place } from './candles.ts';
import { fade, type Colours } from './colours.ts';
import type { TimeWriters } from './times.ts';

export interface PlotLooks {
  readonly colours: Colours;
  readonly times: TimeWriters;
  readonly writePrice: (text: string) => string;
  /** Decimals of a price. */
  readonly decimals: number;
  readonly hasTime: boolean;
}

export interface Plot {
  draw(places: readonly Place[]): void;
  setLooks(looks: PlotLooks): void;
  /** Above 1 shows less, below 1 more. */
  zoom(factor: number): void;
  /** Moves by a share of what is seen: forward if positive. */
  pan(share: number): void;
  /** The newest candles at their usual size. */
  reset(): void;
  close(): void;
}

export interface PlotEvents {
  /** The place under the crosshair; undefined when it leaves. */
  readonly onPoint: (openMs: number | undefined) => void;
  /** The first candles are in sight. */
  readonly onBeginning: () => void;
}

const SHOWN = 110;
const SHOWN_MIN = 8;
/** Room after the newest candle. */
const AHEAD = 4;
/** So many candles from the first one the next page is asked for. */
const NEAR = 30;

const toTime = (ms: number): UTCTimestamp => (ms / 1000) as UTCTimestamp;

export function createPlot(box: HTMLElement, first: PlotLooks, events: PlotEvents): Plot {
  const chart = createChart(box, {
    autoSize: true,
    layout: { attributionLogo: false, fontSize: 11, fontFamily: getComputedStyle(box).fontFamily },
    crosshair: { mode: CrosshairMode.Normal },
    timeScale: { secondsVisible: false, rightOffset: AHEAD, tickMarkMaxCharacterLength: 9 },
    handleScroll: { vertTouchDrag: false },
  });
  const bars = chart.addSeries(CandlestickSeries, { borderVisible: true });
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceLineVisible: false,
    lastValueVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  bars.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.22 } });
  const scale = chart.timeScale();
  let drawn: readonly Place[] = [];
  let looks = first;

  // Amounts become numbers here, because they become places on a canvas.
  const barOf = ({ openMs, candle }: Place) =>
    candle === undefined
      ? { time: toTime(openMs) }
      : {
          time: toTime(openMs),
          open: Number(candle.open),
          high: Number(candle.high),
          low: Number(candle.low),
          close: Number(candle.close),
        };
  const volumeOf = ({ openMs, candle }: Place) =>
    candle === undefined
      ? { time: toTime(openMs) }
      : {
          time: toTime(openMs),
          value: Number(candle.volume),
          color: fade(
            Number(candle.close) >= Number(candle.open) ? looks.colours.up : looks.colours.down,
            0.35,
          ),
        };

  const reset = (): void =>
    scale.setVisibleLogicalRange({ from: drawn.length - SHOWN, to: drawn.length + AHEAD });
  const redraw = (): void => {
    bars.setData(drawn.map(barOf));
    volumes.setData(drawn.map(volumeOf));
  };
  const setLooks = (next: PlotLooks): void => {
    looks = next;
    const { colours, times, writePrice, decimals, hasTime } = next;
    chart.applyOptions({
      layout: { background: { color: colours.panel }, textColor: colours.muted },
      grid: { vertLines: { color: colours.line }, horzLines: { color: colours.line } },
      rightPriceScale: { borderColor: colours.line },
      timeScale: {
        borderColor: colours.line,
        timeVisible: hasTime,
        tickMarkFormatter: (time: UTCTimestamp, type: TickMarkType) =>
          times.mark(time * 1000, type >= TickMarkType.Time),
      },
      localization: {
        priceFormatter: (price: number) => writePrice(price.toFixed(decimals)),
        timeFormatter: (time: UTCTimestamp) => times.moment(time * 1000),
      },
    });
    bars.applyOptions({
      // Hollow when they rise and filled when they fall: colour is not the only sign.
      upColor: colours.panel,
      borderUpColor: colours.up,
      wickUpColor: colours.up,
      downColor: colours.down,
      borderDownColor: colours.down,
      wickDownColor: colours.down,
      priceLineColor: colours.muted,
      priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
    });
    redraw();
  };
  setLooks(first);

  chart.subscribeCrosshairMove(({ time }) =>
    events.onPoint(typeof time === 'number' ? time * 1000 : undefined),
  );
  scale.subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && drawn.length > 0 && range.from < NEAR) events.onBeginning();
  });

  return {
    draw(places) {
      const before = drawn;
      const from = firstChange(before, places);
      if (from === undefined) return;
      drawn = places;
      // Only the newest bar may be updated by itself.
      if (before.length > 0 && from >= before.length - 1) {
        for (const place of places.slice(from)) {
          bars.update(barOf(place));
          volumes.update(volumeOf(place));
        }
        return;
      }
      redraw();
      if (before.length === 0) reset();
    },
    setLooks,
    zoom(factor) {
      const range = scale.getVisibleLogicalRange();
      if (range === null) return;
      const width = Math.max(SHOWN_MIN, (range.to - range.from) / factor);
      scale.setVisibleLogicalRange({ from: range.to - width, to: range.to });
    },
    pan(share) {
      const range = scale.getVisibleLogicalRange();
      if (range === null) return;
      const by = (range.to - range.from) * share;
      scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    },
    reset,
    close: () => chart.remove(),
  };
}
