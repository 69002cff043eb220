// The domains in a client's initial state, and how that state follows from it with the events.
import type { Domain, DomainEvent } from './events.ts';

export { listDomains } from './store.ts';

const byName = (a: Domain, b: Domain): number => (a.domain < b.domain ? -1 : 1);

export function applyDomainEvent(domains: readonly Domain[], event: DomainEvent): Domain[] {
  const gone = event.op === 'remove' ? event.domain : event.realm_domain.domain;
  const others = domains.filter(({ domain }) => domain !== gone);
  return event.op === 'remove' ? others : [...others, event.realm_domain].sort(byName);
}
