import type { Socket } from 'node:net'
import { Refusal } from '#src/contract/problem.ts'
import { rateLimited } from '#src/contract/problems.ts'
import { createChangeTimes } from '#src/db/change-times.ts'
import { DECISION_MS, type Invalidation } from '#src/db/invalidation.ts'
import { limits } from './limits.ts'

/** Why a request goes on: to read again, to check its token again, or to answer with what it has. */
type Wake = 'read' | 'check' | 'answer'

/** The place of a request that waits. */
type WaitingPlace = {
  /** Waits for so many milliseconds at most. */
  next(most: number): Promise<Wake>
  leave(): void
}

/** Who waits: the school, the grant, the connection, and when what is already known was read, by the process's own clock. */
type Waiting = {
  readonly schoolId: string
  readonly grantId: string
  readonly socket: Socket
  readonly readAt: number
}

/** The requests of this process that wait for facts. */
export type WaitingRoom = {
  /** Takes a place, or none where the grant has one or the server closes; refuses with 429 when there are too many. */
  enter(waiting: Waiting): WaitingPlace | undefined
  /** Has all of them answered, and nobody wait any more. */
  close(): void
}

type RoomParts = {
  readonly changes: Pick<Invalidation, 'heardUntil' | 'onNotice'>
  /** The number of the last fact of a school. */
  readLast(schoolId: string): Promise<number>
}

const { places, schoolPlaces, look, pace, retryAfter } = limits.waiting
const RANK: Readonly<Record<Wake, number>> = { check: 0, read: 1, answer: 2 }

type Waiter = { readonly grantId: string; call(wake: Wake): void }

/** The waiting requests of a school. */
type Group = {
  readonly waiters: Set<Waiter>
  /** The last fact when the database was looked at. */
  last: number | undefined
  pending: Wake | undefined
  timer: NodeJS.Timeout | undefined
}

const refuse = (): Refusal =>
  new Refusal(rateLimited, `Too many requests wait for changes; ask again in ${retryAfter} seconds.`, {
    headers: { 'retry-after': String(retryAfter) },
  })

// What happened while nobody waited for it is kept until it is waited for; the most urgent of several.
const createWaiter = ({ grantId, socket }: Waiting) => {
  let pending: Wake | undefined
  let resolve: ((wake: Wake) => void) | undefined
  const settle = (): void => {
    if (resolve === undefined || pending === undefined) return
    const wake = pending
    pending = undefined
    resolve(wake)
    resolve = undefined
  }
  const call = (wake: Wake): void => {
    if (pending === undefined || RANK[wake] > RANK[pending]) pending = wake
    settle()
  }
  const next = (most: number): Promise<Wake> =>
    new Promise(done => {
      const timer = setTimeout(call, Math.max(0, most), 'read')
      // It has been idle since the request came, and may have waited for its turn before.
      socket.setTimeout(limits.stalledSocket)
      resolve = wake => {
        clearTimeout(timer)
        done(wake)
      }
      settle()
    })
  return { grantId, call, next }
}

// Notices that come close together wake the waiters once: each reads, or looks its token up.
const callGroup = (group: Group, wake: Wake): void => {
  if (group.pending === undefined || RANK[wake] > RANK[group.pending]) group.pending = wake
  if (group.timer !== undefined) return
  const deliver = (): void => {
    const { pending } = group
    group.pending = undefined
    group.timer = pending && setTimeout(deliver, pace)
    if (pending !== undefined) for (const waiter of group.waiters) waiter.call(pending)
  }
  deliver()
}

const createGroups = () => {
  const groups = new Map<string, Group>()
  let count = 0
  return {
    all: (): Iterable<readonly [schoolId: string, group: Group]> => groups,
    find: (schoolId: string): Group | undefined => groups.get(schoolId),
    count: (): number => count,
    add: (schoolId: string, waiter: Waiter): void => {
      const group = groups.get(schoolId) ?? {
        waiters: new Set(),
        last: undefined,
        pending: undefined,
        timer: undefined,
      }
      groups.set(schoolId, group)
      group.waiters.add(waiter)
      count++
    },
    remove: (schoolId: string, waiter: Waiter): void => {
      const group = groups.get(schoolId)
      if (group === undefined || !group.waiters.delete(waiter)) return
      count--
      if (group.waiters.size > 0) return
      clearTimeout(group.timer)
      groups.delete(schoolId)
    },
  }
}

/**
 * Creates the room of the requests that wait for facts: none holds a connection of the database. Notifications wake them; while no
 * heartbeat proves that these arrive, the last fact of each school is looked up every second, and every waiter checks its token.
 */
export const createWaitingRoom = ({ changes, readLast }: RoomParts): WaitingRoom => {
  const groups = createGroups()
  const facts = createChangeTimes()
  let isClosed = false
  let looking: NodeJS.Timeout | undefined

  const lookAt = async (schoolId: string, group: Group): Promise<void> => {
    // A database that does not answer is noticed by those who read.
    const last = await readLast(schoolId).catch(() => undefined)
    const isNew = last !== group.last
    group.last = last
    callGroup(group, isNew ? 'read' : 'check')
  }
  // Asking for the heartbeat also keeps it going.
  const isHeard = (): boolean => performance.now() - changes.heardUntil().at < DECISION_MS
  const lookAtAll = async (): Promise<void> => {
    if (!isHeard()) await Promise.all([...groups.all()].map(([schoolId, group]) => lookAt(schoolId, group)))
    looking = groups.count() > 0 && !isClosed ? setTimeout(lookAtAll, look) : undefined
  }

  changes.onNotice(({ schoolId, of }) => {
    if (of === 'facts' && schoolId !== undefined) facts.mark(schoolId)
    if (schoolId === undefined) facts.markAll()
    const concerned = schoolId === undefined ? [...groups.all()].map(([, group]) => group) : [groups.find(schoolId)]
    for (const group of concerned) if (group !== undefined) callGroup(group, of === 'facts' ? 'read' : 'check')
  })

  return {
    enter: waiting => {
      const { schoolId, grantId, socket, readAt } = waiting
      const others = groups.find(schoolId)?.waiters ?? new Set()
      if (isClosed || socket.destroyed || [...others].some(other => other.grantId === grantId)) return undefined
      if (groups.count() >= places || others.size >= schoolPlaces) throw refuse()
      const waiter = createWaiter(waiting)
      groups.add(schoolId, waiter)
      const end = (): void => waiter.call('answer')
      socket.once('close', end)
      if (facts.at(schoolId) >= readAt) waiter.call('read')
      isHeard()
      looking ??= setTimeout(lookAtAll, look)
      return {
        next: waiter.next,
        leave: () => {
          socket.off('close', end)
          groups.remove(schoolId, waiter)
        },
      }
    },
    close: () => {
      isClosed = true
      clearTimeout(looking)
      for (const [, { waiters }] of groups.all()) for (const waiter of waiters) waiter.call('answer')
    },
  }
}
