// The organization's domains in a client's initial state, and how that state follows from it with the events.
import type { Domain, DomainEvent } from './events.ts';

/** By name. */
export function applyDomainEvent(domains: readonly Domain[], event: DomainEvent): Domain[] {
  const name = event.op === 'remove' ? event.domain : event.realm_domain.domain;
  const others = domains.filter(({ domain }) => domain !== name);
  if (event.op === 'remove') return others;
  return [...others, event.realm_domain].sort((a, b) => (a.domain < b.domain ? -1 : 1));
}
