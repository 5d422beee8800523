import type { Db } from '#src/contract/db.ts'
import type { Job } from '#src/contract/job.ts'
import { claimJob } from '#src/db/jobs.ts'
import { claimableAt, type Places } from './places.ts'

/** The places of one sort, with the jobs that run in them. */
export type Round = {
  readonly running: Set<Job>
  /** Claims a job for a free place; undefined where there is no place or nothing due. */
  claim(shared: Db): Promise<Job | undefined>
}

// Longer than any job may take, so that a claim expires only if the process died and nothing released its claims.
const CLAIM_SECONDS = 300
// A round with more turns forgets the first ones.
const MAX_TURNS = 500

/** Claims jobs for places in rounds: every school, or every lane, with due jobs has one turn before any has its second. */
export const createRound = (places: Places, claimant: () => number | undefined = () => undefined): Round => {
  const running = new Set<Job>()
  const served: Job[] = []
  // Where the search through the schools of a kind continues.
  const reached = new Map<string, string>()

  const claimBesides = async (shared: Db, turns: readonly Job[]): Promise<Job | undefined> => {
    const { kinds, others } = claimableAt(places, [...running], turns)
    if (kinds.length === 0) return undefined
    const from = kinds.map(one => ({ ...one, after: reached.get(one.kind) }))
    const claiming = { seconds: CLAIM_SECONDS, claimant: claimant() }
    const claim = await claimJob(shared, { kinds: from, others }, claiming)
    for (const [kind, schoolId] of Object.entries(claim.reached))
      if (schoolId === null) reached.delete(kind)
      else reached.set(kind, schoolId)
    return claim.job
  }

  const claim = async (shared: Db): Promise<Job | undefined> => {
    if (running.size >= places.atOnce) return undefined
    const job = await claimBesides(shared, served)
    if (job !== undefined || served.length === 0) return job
    served.length = 0
    return claimBesides(shared, served)
  }

  return {
    running,
    claim: async shared => {
      const job = await claim(shared)
      if (job === undefined) return undefined
      if (served.push(job) > MAX_TURNS) served.shift()
      return job
    },
  }
}
