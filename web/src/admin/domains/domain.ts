export type DomainProblem = 'isAddress' | 'isNoDomain' | 'isThere';

/** Why a text cannot be added as a domain, as far as that can be told before asking. The server has the last word. */
export function problemOf(domain: string, known: readonly string[]): DomainProblem | undefined {
  if (domain.includes('@')) return 'isAddress';
  if (known.includes(domain)) return 'isThere';
  const labels = domain.split('.');
  const isDomain =
    labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]{1,63}$/u.test(label));
  return isDomain ? undefined : 'isNoDomain';
}
