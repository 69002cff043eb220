// The parameters of a request, as they count for the act that a second factor is asked for.
import type { ActParameter } from '../../accounts/second-factors/act.ts';
import type { JsonMember } from '../../accounts/trading-keys/json.ts';
import type { ParameterPair } from '../../accounts/trading-keys/parameters.ts';

/** A nested value of a JSON body is its compact text, as in a form. */
export const toActParameter = (pair: ParameterPair | JsonMember): ActParameter => [
  pair.name,
  'signed' in pair ? pair.signed : textOf(pair.value),
];

/** A value of a form or a query is a text. */
function textOf(value: ParameterPair['value']): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
