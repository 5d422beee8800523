const MOST_SCHOOLS = 10_000

/** When something of a school last changed, on this process's own clock. */
type ChangeTimes = {
  mark(schoolId: string): void
  /** Marks every school. */
  markAll(): void
  at(schoolId: string): number
}

/** Remembers when schools changed; of too many schools it remembers that all of them did. */
export const createChangeTimes = (): ChangeTimes => {
  const times = new Map<string, number>()
  let everything = Number.NEGATIVE_INFINITY
  const markAll = (): void => {
    everything = performance.now()
    times.clear()
  }
  const mark = (schoolId: string): void => {
    if (times.size >= MOST_SCHOOLS && !times.has(schoolId)) markAll()
    else times.set(schoolId, performance.now())
  }
  return { mark, markAll, at: schoolId => Math.max(everything, times.get(schoolId) ?? everything) }
}
