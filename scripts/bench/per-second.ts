/** How many are completed a second, with so many in flight; each is told which of them it is. */
export async function perSecond(
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
  once: (nth: number) => Promise<unknown>,
): Promise<number> {
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async (_, nth) => {
      while (performance.now() < endMs) {
        await once(nth);
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - startMs);
}
