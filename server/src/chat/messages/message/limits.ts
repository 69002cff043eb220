// How much may hang on one message, and how much of it one answer carries. Whoever may write one message could
// otherwise make everybody who opens it wait.

/** Edits that a message shows of itself: the newest. The whole story is in its history. */
export const EDITS_SHOWN = 20;
/** Bytes of earlier wording in those. The newest edit is always there, because it says that there was one. */
export const EDITS_SHOWN_BYTES = 20_000;

/** Changes of wording that are kept of one message, and the bytes of all earlier versions, HTML included. */
export const EDITS_MAX = 500;
export const EDITS_BYTES = 8 * 1024 * 1024;

/** Votes, options and tasks of one widget: of everybody, of one person, and their bytes. */
export const SUBMESSAGES_MAX = 2000;
export const SUBMESSAGES_PER_PERSON_MAX = 200;
export const SUBMESSAGES_BYTES = 512 * 1024;
/** What a submessage takes in an answer besides its content. */
export const SUBMESSAGE_FRAME_BYTES = 110;

export const REACTIONS_MAX = 5000;
/** What a reaction takes in an answer, with the name and the address of whoever reacted. */
export const REACTION_BYTES = 300;
/** What a message takes in an answer besides its text and what hangs on it. */
export const MESSAGE_FRAME_BYTES = 1000;
