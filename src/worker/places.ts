/** A job as its places are counted. */
type Counted = { readonly kind: string; readonly schoolId: string }

/** Places for jobs of some kinds in one process. */
export type Places = {
  readonly kinds: readonly string[]
  readonly atOnce: number
  /** How many of a kind run at once in all schools, where fewer than `atOnce`. */
  readonly ofKind: Readonly<Record<string, number>>
  /** How many of a kind run at once in one school; such a kind takes turns of its own. */
  readonly lanes: Readonly<Record<string, number>>
}

const AT_ONCE = 8
// Jobs in lanes have places of their own, so that however slow they are, they delay no other jobs.
const AT_ONCE_IN_LANES = 4
// As have jobs that wait for systems elsewhere, which may be slow for as long as they like.
const AT_ONCE_OUTBOUND = 8
// So that hanging jobs of one school do not block the others.
const AT_ONCE_PER_SCHOOL = 2
// Sweeps can wait, and after a pause those of all schools are due at once.
const AT_ONCE_OF_KIND: Readonly<Record<string, number>> = { sweep: 1, storage: 1 }

/** The places of a process: for kinds without a lane, for those with one, and for those that wait for systems elsewhere. */
export const placesFor = (
  kinds: readonly string[],
  lanes: Readonly<Record<string, number>>,
  outbound: readonly string[] = [],
): readonly Places[] => {
  const hasLane = (kind: string): boolean => Object.hasOwn(lanes, kind)
  const isOutbound = (kind: string): boolean => outbound.includes(kind)
  return [
    {
      kinds: kinds.filter(kind => !hasLane(kind) && !isOutbound(kind)),
      atOnce: AT_ONCE,
      ofKind: AT_ONCE_OF_KIND,
      lanes: {},
    },
    { kinds: kinds.filter(hasLane), atOnce: AT_ONCE_IN_LANES, ofKind: {}, lanes },
    { kinds: kinds.filter(isOutbound), atOnce: AT_ONCE_OUTBOUND, ofKind: {}, lanes: {} },
  ]
}

const schoolsWith = (jobs: readonly Counted[], count: number): string[] => {
  const counts = new Map<string, number>()
  for (const { schoolId } of jobs) counts.set(schoolId, (counts.get(schoolId) ?? 0) + 1)
  return [...counts].filter(([, of]) => of >= count).map(([schoolId]) => schoolId)
}

const ofKind = (jobs: readonly Counted[], kind: string): Counted[] => jobs.filter(job => job.kind === kind)

/** The kinds that may be claimed, and the schools that have to wait: with every job, or with those of one kind. */
type Free = {
  readonly kinds: readonly { readonly kind: string; readonly others: readonly string[] }[]
  readonly others: readonly string[]
}

/**
 * What may be claimed beside the running jobs. `served` are the jobs of the current round: a school that had its turn
 * waits, or with lanes the lane that had it.
 */
export const claimableAt = (places: Places, running: readonly Counted[], served: readonly Counted[]): Free => {
  const { kinds, atOnce, lanes } = places
  const free = kinds.filter(kind => ofKind(running, kind).length < (places.ofKind[kind] ?? atOnce))
  const withoutLane = served.filter(({ kind }) => lanes[kind] === undefined)
  const others = [...schoolsWith(running, AT_ONCE_PER_SCHOOL), ...schoolsWith(withoutLane, 1)]
  const inLane = (kind: string): string[] => {
    const bound = lanes[kind]
    if (bound === undefined) return []
    return [...schoolsWith(ofKind(running, kind), bound), ...schoolsWith(ofKind(served, kind), 1)]
  }
  return { kinds: free.map(kind => ({ kind, others: [...new Set(inLane(kind))] })), others: [...new Set(others)] }
}
