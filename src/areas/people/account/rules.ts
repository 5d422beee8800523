/** The rows after a position in a list that is ordered by instant and id, both descending. */
export const rowsAfter = <Row>(
  rows: readonly Row[],
  positionOf: (row: Row) => readonly [at: string, id: string],
  after: readonly string[] | undefined,
): Row[] => {
  const keyOf = (row: Row): string => positionOf(row).join(' ')
  const newestFirst = [...rows].sort((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1))
  return after === undefined ? newestFirst : newestFirst.filter(row => keyOf(row) < after.join(' '))
}
