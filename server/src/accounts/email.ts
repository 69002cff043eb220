/** Enough of an address to be looked up: one @, something on both sides, a dot or a local name. */
const EMAIL = /^[^\s@"<>(),:;\\[\]\p{Cc}]{1,64}@[^\s@"<>(),:;\\[\]\p{Cc}]{1,190}$/u;

/** Nothing that is not seen, or that turns the text around, not even what names may have. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/u;

export const isEmail = (text: string): boolean =>
  EMAIL.test(text) && !HIDDEN.test(text) && !text.endsWith('.');
