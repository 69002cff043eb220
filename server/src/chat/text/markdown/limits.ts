// Every bound of rendering. They are counted, not timed, so that a text always gives the same HTML; the
// deadline is for what counting did not foresee.

/** UTF-16 units. A message has at most 10,000 characters, some of which need two. */
export const MAX_UNITS = 20_000;
/** Characters of HTML. What grows beyond is shown as plain text. */
export const MAX_HTML = 500_000;
/** How deep quotes, lists and spoilers may be inside each other; what is deeper is a paragraph. */
export const MAX_NESTING = 20;
/** Formulas of one message, and the characters in all of them. What is beyond is shown as TeX. */
export const MAX_FORMULAS = 100;
export const MAX_FORMULA_CHARACTERS = 3_000;
/** Elements inside each other in a formula: a browser takes minutes over hundreds of nested fractions. */
export const MAX_FORMULA_DEPTH = 150;
/** Colours inside each other in code. */
export const MAX_CODE_DEPTH = 20;
/** Elements inside each other in a whole message; browsers stop nesting at 512. */
export const MAX_DEPTH = 300;
/** Macro expansions in one formula. */
export const MAX_EXPANSIONS = 100;
/** Characters of code that are coloured in one message. What is beyond is shown without colours. */
export const MAX_HIGHLIGHTED = 5_000;
/** Cells of one message's tables. A table that would have more is a paragraph. */
export const MAX_TABLE_CELLS = 2_000;
/** An address that is longer is text. */
export const MAX_URL = 2_048;
/** Links that patterns of the organization may make in one message. */
export const MAX_LINKIFIED = 500;
/** Linkifiers times characters: the work that patterns may do on one message. */
export const MAX_PATTERN_WORK = 400_000;
/** With more previewable addresses than this, a message has no previews at all. */
export const MAX_PREVIEWS = 24;
/** What a thread may take before it is stopped, and how much text goes without a thread. */
export const RENDER_DEADLINE_MS = 1_000;
export const IN_PROCESS_UNITS = 1_000;
/** What a thread may take to load before it is given up, and its message with it. */
export const THREAD_START_MS = 20_000;
