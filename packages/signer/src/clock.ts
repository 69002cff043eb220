// The signer's time. It takes the machine's time once, at its start, and counts from there by itself: who can set the machine's
// clock cannot make an hour pass. Records of the memory keep it from going back over a restart.

export type Clock = () => number;

export function startClock(
  wall: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): Clock {
  const begin = wall() - elapsed();
  return () => Math.floor(begin + elapsed());
}
