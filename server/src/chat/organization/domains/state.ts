// The domains in a client's initial state, and how that state follows from it with the events.
import type { RegisterPart } from '../../register-part.ts';
import { DOMAIN_EVENTS, type Domain, type DomainEvent } from './events.ts';
import { listDomains } from './store.ts';

const byName = (a: Domain, b: Domain): number => (a.domain < b.domain ? -1 : 1);

function applyDomainEvent(domains: readonly Domain[], event: DomainEvent): Domain[] {
  const gone = event.op === 'remove' ? event.domain : event.realm_domain.domain;
  const others = domains.filter(({ domain }) => domain !== gone);
  return event.op === 'remove' ? others : [...others, event.realm_domain].sort(byName);
}

export const domainsPart = {
  load: { realm_domains: async ({ db }) => ({ realm_domains: await listDomains(db) }) },
  events: DOMAIN_EVENTS,
  applyInTests: {
    realm_domains: (state: { readonly realm_domains: readonly Domain[] }, event: DomainEvent) => ({
      realm_domains: applyDomainEvent(state.realm_domains, event),
    }),
  },
} satisfies RegisterPart;
