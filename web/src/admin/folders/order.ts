/** The ids of all folders with one moved past its neighbour among the shown ones; what is not shown stays behind them. */
export function movedOrder(
  shown: readonly number[],
  hidden: readonly number[],
  index: number,
  step: 1 | -1,
): number[] {
  const ids = [...shown];
  const [id] = ids.splice(index, 1);
  if (id !== undefined) ids.splice(Math.max(0, index + step), 0, id);
  return [...ids, ...hidden];
}
