/** The rows after a position in a list that is ordered by instant and id, both descending. */
export const rowsAfter = <Row>(
  rows: readonly Row[],
  readPosition: (row: Row) => readonly [at: string, id: string],
  after: readonly string[] | undefined,
): Row[] => {
  const buildKey = (row: Row): string => readPosition(row).join(' ')
  const newestFirst = [...rows].sort((a, b) => (buildKey(a) > buildKey(b) ? -1 : 1))
  return after === undefined ? newestFirst : newestFirst.filter(row => buildKey(row) < after.join(' '))
}
