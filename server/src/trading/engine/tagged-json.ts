// JSON in which amounts keep their type: a bigint is written as {"$n":"123"}. For rare or small
// data; orders and trades travel as a tape.

export function stringifyTagged(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? { $n: member.toString() } : member,
  );
}

export const parseTagged = (text: string): unknown => untag(JSON.parse(text));

/** Puts amounts in the place of their tags, in the value itself: it was parsed a moment ago and belongs to nobody else. */
export function untag(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$n' in value) return BigInt(String(value.$n));
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'object') members[name] = untag(member);
  }
  return value;
}
