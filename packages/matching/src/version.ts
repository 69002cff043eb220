// Which core this is. A journal outlives releases: every row says by which version of the core it was
// written, and a release replays what any earlier version wrote, bit for bit.
//
// Version and rules are two things. The version says who wrote a row, and so in which form its digest is
// taken (form.ts). The rules say how commands are carried out; they are part of the state, and only the
// command `upgrade` changes them. A core of version n knows the rules 1 to n.
//
// 1  The first release.
// 2  Client ids are hashed with a key. Sweeps go in bounded steps. A command of an unknown type is refused.
//    An expired order never trades. A halt moves the price it is compared with. The kind of money is fixed,
//    and capital comes from outside by a separate command.
// 3  A market buy by volume is compared with the market's largest buy by what it asks for, at the best price,
//    and not only by what the book could fill.
// 4  Trailing stops, order lists, auctions, replacements, amendments with an id, and fee tiers of whole families.
// 5  Deposits that a network has undone are taken back, and what a network charges is booked.

export const CORE_VERSION = 5;

/** Something was written by a newer release; this one cannot know what it means. */
export class NewerCoreError extends Error {
  override name = 'NewerCoreError';
  constructor(what: string, version: number) {
    super(
      `${what} was written by version ${version} of the matching core, and this release knows versions ` +
        `1 to ${CORE_VERSION}. Start the release that wrote it, or a later one.`,
    );
  }
}

/** Refuses by name what this release cannot read. */
export function assertKnownVersion(what: string, version: number): void {
  if (version > CORE_VERSION) throw new NewerCoreError(what, version);
}
