// One reading of the whole form: sizes, estimates, problems, notices and the call, from the same numbers.
import type { MarketDetail } from '@rialto/sdk';
import { check, type Problems } from './checks.ts';
import { size, type Available, type Sized } from './derive.ts';
import type { Draft } from './draft.ts';
import { estimate, type Estimate, type Prices, type Rates } from './estimate.ts';
import { guardsOf, type Guard } from './guards.ts';
import { placementOf, type Placement } from './params.ts';

export interface FormTerms {
  readonly market: MarketDetail;
  readonly prices: Prices;
  readonly rates: Rates;
  readonly available: Available;
  readonly nowMs: number;
}

export interface FormReading {
  readonly sized: Sized;
  readonly estimated: Estimate;
  readonly problems: Problems;
  readonly guards: readonly Guard[];
  /** What would be sent; undefined while there is a problem. */
  readonly placement: Placement | undefined;
}

export function readForm(draft: Draft, terms: FormTerms): FormReading {
  const sized = size(draft, terms.market, terms.available);
  const estimated = estimate(draft, sized, terms);
  const problems = check(draft, sized, estimated, terms);
  const isRight = Object.keys(problems).length === 0;
  return {
    sized,
    estimated,
    problems,
    guards: guardsOf(draft, sized, estimated, terms.prices),
    placement: isRight ? placementOf(draft, sized, terms.market) : undefined,
  };
}
