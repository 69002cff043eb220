// How long answers take, per route and status. The library's own histogram costs more per observation than the
// rest of a small answer, so counting is done here and the library only renders.

const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

interface Times {
  readonly labels: { readonly api: string; readonly route: string; readonly status: string };
  /** One more than there are bounds: the last is for everything above. */
  readonly counts: Float64Array;
  sum: number;
}

export interface MetricValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export class RouteTimes {
  readonly name: string;
  readonly #times = new Map<string, Map<number, Times>>();

  constructor(name: string) {
    this.name = name;
  }

  observe(api: string, route: string, status: number, seconds: number): void {
    let ofRoute = this.#times.get(route);
    if (ofRoute === undefined) {
      ofRoute = new Map();
      this.#times.set(route, ofRoute);
    }
    let times = ofRoute.get(status);
    if (times === undefined) {
      const labels = { api, route, status: String(status) };
      times = { labels, counts: new Float64Array(BOUNDS.length + 1), sum: 0 };
      ofRoute.set(status, times);
    }
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket += 1;
    times.counts[bucket] = (times.counts[bucket] as number) + 1;
    times.sum += seconds;
  }

  /** The values of a Prometheus histogram: each bucket counts everything up to its bound. */
  values(): MetricValue[] {
    const values: MetricValue[] = [];
    for (const ofRoute of this.#times.values()) {
      for (const { labels, counts, sum } of ofRoute.values()) {
        let total = 0;
        for (const [index, count] of counts.entries()) {
          total += count;
          const le = BOUNDS[index] ?? '+Inf';
          values.push({
            metricName: `${this.name}_bucket`,
            labels: { ...labels, le },
            value: total,
          });
        }
        values.push({ metricName: `${this.name}_sum`, labels, value: sum });
        values.push({ metricName: `${this.name}_count`, labels, value: total });
      }
    }
    return values;
  }
}
