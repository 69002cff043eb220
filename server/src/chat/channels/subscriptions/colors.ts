// The colour in which a person sees a channel.

const PALETTE = (
  '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5 ' +
  '#ee7e4a #a6dcbf #95a5fd #53a063 #9987e1 #e4523d #c2c2c2 #4f8de4 #c6a8ad #e7cc4d #c8bebf #a47462'
).split(' ');

/** The first unused colour; when all are used, one that depends on the channel. */
export function pickColor(used: ReadonlySet<string>, conversationId: number): string {
  const free = PALETTE.find((color) => !used.has(color));
  return free ?? (PALETTE[conversationId % PALETTE.length] as string);
}

export const COLOR_PATTERN = '^#[0-9a-fA-F]{3,6}$';

/** Normalizes a colour to six lower-case hex digits; undefined when it is invalid. */
export function normalizeColor(given: string): string | undefined {
  if (!new RegExp(COLOR_PATTERN).test(given)) return undefined;
  const digits = given.slice(1).toLowerCase();
  // Three or four digits are the short form. The fourth (opacity) is dropped.
  if (digits.length <= 4) return `#${digits.slice(0, 3).replaceAll(/./g, '$&$&')}`;
  return `#${digits.padEnd(6, '0')}`;
}
