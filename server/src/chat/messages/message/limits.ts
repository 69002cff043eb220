// How much may be attached to one message, and how much of it one answer carries. Without limits, one author could
// make everybody who opens the message wait.

/** Edits in the message object: the newest. All of them are in its history. */
export const EDITS_SHOWN = 20;
/** Bytes of earlier texts in those edits. The newest edit is always included, because it shows that there was one. */
export const EDITS_SHOWN_BYTES = 20_000;

/** Changes of text that one message may have, and the bytes of all its earlier versions, HTML included. */
export const EDITS_MAX = 500;
export const EDITS_BYTES = 8 * 1024 * 1024;

/** Submessages of one widget (votes, options, tasks): of everybody, of one person, and their bytes. */
export const SUBMESSAGES_MAX = 2000;
export const SUBMESSAGES_PER_PERSON_MAX = 200;
export const SUBMESSAGES_BYTES = 512 * 1024;
/** The size of a submessage in an answer, without its content. */
export const SUBMESSAGE_FRAME_BYTES = 110;

export const REACTIONS_MAX = 5000;
/** The size of a reaction in an answer, with the name and address of the person. */
export const REACTION_BYTES = 300;
/** The size of a message in an answer, without its text and attached rows. */
export const MESSAGE_FRAME_BYTES = 1000;

/**
 * Messages that move in one transaction. While it runs, nobody else writes to the channel. A larger move takes several
 * steps of this size.
 */
export const MOVE_STEP = 250;
