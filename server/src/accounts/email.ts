/** A plausible email address: one @, something on both sides, a dot or a local name. */
const EMAIL = /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}@[^\s@"<>(),:;\\[\]\p{Cc}]{1,190}$/u;

/**
 * No invisible characters or ones that change the text direction, not even those allowed in names.
 */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

export const isEmail = (text: string): boolean =>
  EMAIL.test(text) && !HIDDEN.test(text) && !text.endsWith('.');
