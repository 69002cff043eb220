// Finds invisible characters and those that change the text direction, with which one name could look like
// another.

/**
 * Controls, line separators, lone surrogates, and everything without a visible form: bidirectional marks and
 * overrides, joiners, fillers, variation selectors, tags, the empty Braille cell.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/**
 * Persian needs the half-space (zero-width non-joiner), some Indian scripts both joiners. After a Latin, Greek or
 * Cyrillic letter, and outside words, they would only hide.
 */
const JOINERS_IN_WORDS =
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u{200C}\u{200D}](?=[\p{L}\p{M}])/gu;

/** A joiner combines emoji, and a selector shows them in colour. */
const JOINERS_IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u{FE0F}?\u{200D}(?=\p{Extended_Pictographic})|\u{FE0F})|(?<=[0-9#*])\u{FE0F}(?=\u{20E3})/gu;

/** The position of the first forbidden character in a name, counted from 1. */
export function findInvisible(text: string): number | undefined {
  // Allowed ones are replaced by as many visible characters, so that positions stay the same.
  const seen = (found: string): string => 'x'.repeat(found.length);
  const rest = text.replaceAll(JOINERS_IN_WORDS, seen).replaceAll(JOINERS_IN_EMOJI, seen);
  const found = UNSEEN.exec(rest);
  return found === null ? undefined : Array.from(rest.slice(0, found.index)).length + 1;
}
