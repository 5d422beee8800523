/** Who requests a slot; privileged requests may use the reserve. */
export type Claimant = { readonly school: string; readonly person: string; readonly isPrivileged: boolean }

/** How slots are shared. */
export type SlotLimits = {
  readonly all: number
  /** How many of them are reserved for privileged requests. */
  readonly reserved: number
  /** How many one person may hold at most. */
  readonly perPerson: number
  /** How many one person may hold for each slot that their school may still take. */
  readonly personShare: number
}

/** A number of slots that schools and people share. */
export type Slots = {
  /** Takes a slot and returns the function that releases it; undefined when none is available to the claimant. */
  take(claimant: Claimant): (() => void) | undefined
}

// A school may hold this many slots for each free one. The more slots are held, the fewer anyone may hold, so that
// some are free for whoever comes next.
const SCHOOL_SHARE = 4

const createTally = () => {
  const counts = new Map<string, number>()
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add: (key: string, by: 1 | -1): void => {
      const count = (counts.get(key) ?? 0) + by
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}

const once = (work: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** Creates slots. A person may always hold one while their school may hold more. */
export const createSlots = ({ all, reserved, perPerson, personShare }: SlotLimits): Slots => {
  const [people, schools] = [createTally(), createTally()]
  let held = 0
  const mayTake = ({ school, isPrivileged }: Claimant, person: string): boolean => {
    const free = all - held - (isPrivileged ? 0 : reserved)
    // Each slot that the school takes also reduces the free slots.
    const left = Math.floor((free * SCHOOL_SHARE - schools.of(school)) / (SCHOOL_SHARE + 1))
    if (left < 1) return false
    return people.of(person) < Math.max(1, Math.min(perPerson, Math.floor(left * personShare)))
  }
  return {
    take: claimant => {
      const person = `${claimant.school} ${claimant.person}`
      if (!mayTake(claimant, person)) return undefined
      const count = (by: 1 | -1): void => {
        held += by
        people.add(person, by)
        schools.add(claimant.school, by)
      }
      count(1)
      return once(() => count(-1))
    },
  }
}
