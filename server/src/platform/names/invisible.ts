// Characters that are not seen, or that turn the text around them, would let one name look like another.

/**
 * Controls, separators of lines, halves of pairs, and everything that is shown as nothing: bidirectional marks and
 * overrides, joiners, fillers, variation selectors, tags, the empty Braille cell.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

/**
 * Persian needs the half-space (zero-width non-joiner), some scripts of India both joiners. After a letter of
 * Latin, Greek or Cyrillic, and where no word is, they would only hide.
 */
const JOINERS_IN_WORDS =
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u{200C}\u{200D}](?=[\p{L}\p{M}])/gu;

/** Emoji are put together by a joiner and shown in colour by a selector. */
const JOINERS_IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u{FE0F}?\u{200D}(?=\p{Extended_Pictographic})|\u{FE0F})|(?<=[0-9#*])\u{FE0F}(?=\u{20E3})/gu;

/** Where the first character is that must not be in a name, counted from 1 as people count. */
export function findInvisible(text: string): number | undefined {
  // What may be there is replaced by as much that is seen, so that places stay the same.
  const seen = (found: string): string => 'x'.repeat(found.length);
  const rest = text.replaceAll(JOINERS_IN_WORDS, seen).replaceAll(JOINERS_IN_EMOJI, seen);
  const found = UNSEEN.exec(rest);
  return found === null ? undefined : Array.from(rest.slice(0, found.index)).length + 1;
}
