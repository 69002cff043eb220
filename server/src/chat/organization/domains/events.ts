import { Type, type Static } from 'typebox';

export const Domain = Type.Object(
  { domain: Type.String(), allow_subdomains: Type.Boolean() },
  { additionalProperties: false },
);
export type Domain = Static<typeof Domain>;

export const DomainAdded = Type.Object(
  { type: Type.Literal('realm_domains'), op: Type.Literal('add'), realm_domain: Domain },
  { additionalProperties: false },
);
export const DomainChanged = Type.Object(
  { type: Type.Literal('realm_domains'), op: Type.Literal('change'), realm_domain: Domain },
  { additionalProperties: false },
);
export const DomainRemoved = Type.Object(
  { type: Type.Literal('realm_domains'), op: Type.Literal('remove'), domain: Type.String() },
  { additionalProperties: false },
);

export const DOMAIN_EVENTS = [DomainAdded, DomainChanged, DomainRemoved];
export type DomainEvent =
  Static<typeof DomainAdded> | Static<typeof DomainChanged> | Static<typeof DomainRemoved>;

export const domainSaved = <const Op extends 'add' | 'change'>(op: Op, domain: Domain) =>
  ({ type: 'realm_domains', op, realm_domain: domain }) as const;
export const domainRemoved = (domain: string) =>
  ({ type: 'realm_domains', op: 'remove', domain }) as const;
