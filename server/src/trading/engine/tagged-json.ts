// JSON in which amounts keep their type: a bigint is written as {"$n":"123"}. For rare or small
// data; orders and trades travel as a tape.

export function stringifyTagged(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? { $n: member.toString() } : member,
  );
}

export function parseTagged(text: string): unknown {
  return JSON.parse(text, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && '$n' in member
      ? BigInt(String(member.$n))
      : member,
  );
}
