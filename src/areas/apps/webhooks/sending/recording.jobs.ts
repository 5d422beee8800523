/**
 * Records each thing as soon as nothing else is being recorded, together with all that came meanwhile; each caller gets what the
 * recording of its own returned.
 */
export const createRecording = <Thing, Result>(
  record: (things: readonly Thing[]) => Promise<Result>,
): ((thing: Thing) => Promise<Result>) => {
  let waiting: Thing[] = []
  let next: Promise<Result> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const begin = (): Promise<Result> => {
    const things = waiting
    waiting = []
    next = undefined
    return record(things)
  }
  return thing => {
    waiting.push(thing)
    if (next === undefined) {
      next = last.then(begin)
      last = next
    }
    return next
  }
}
