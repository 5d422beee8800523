import type { Database } from '#src/contract/db.ts'
import { CommitUnknown, DatabaseBusy } from './errors.ts'

/** How long a request waits at most in a queue that moves, in milliseconds. */
const MAX_WAIT = 10_000
// How many requests may wait for each connection: of one school, and of those without a school yet.
const MAX_WAITING = 20
const MAX_SHARED_WAITING = 200
// Another school that was served within this time may need a connection again, in milliseconds.
const RECENT = 60_000

/** The key of statements that belong to no school, such as the lookup of a school by its host. */
export const SHARED = ''

type QueueOptions = {
  readonly connections: number
  /** How long a request waits while no request of its school is started, in milliseconds. */
  readonly wait: number
  readonly now?: () => number
}

/** A queue in front of a number of connections that schools share. */
export type Queue = {
  /**
   * Runs a function when there is a connection for its school; rejects with `DatabaseBusy` when that takes too long.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

type Waiter = { readonly since: number; readonly start: () => void }

/** The requests of one school: how many run, which wait, and when one was started last. */
type Line = { running: number; readonly waiting: Set<Waiter>; turn: number; startedAt: number }

// The last two schools are enough to know whether there is another one.
const createRecent = () => {
  let last = { key: SHARED, at: Number.NEGATIVE_INFINITY }
  let before = last
  return {
    see: (key: string, at: number): void => {
      if (key === SHARED) return
      if (last.key === key) last.at = at
      else [before, last] = [last, { key, at }]
    },
    hasOther: (key: string, at: number): boolean => (last.key === key ? before : last).at > at - RECENT,
  }
}

const isBefore = (one: Line, other: Line): boolean =>
  one.running < other.running || (one.running === other.running && one.turn < other.turn)

const createLines = () => {
  const lines = new Map<string, Line>()
  return {
    all: lines,
    of: (key: string): Line => {
      const line = lines.get(key) ?? { running: 0, waiting: new Set(), turn: 0, startedAt: Number.NEGATIVE_INFINITY }
      lines.set(key, line)
      return line
    },
    forgetIdle: (key: string, { running, waiting }: Line): void => {
      if (running === 0 && waiting.size === 0) lines.delete(key)
    },
  }
}

/**
 * Creates a queue. A single active school may use every connection; while others are active, one of four connections is
 * reserved for them. A free connection goes to the school with the fewest running requests, and of
 * several to the one that was served least recently.
 */
export const createQueue = ({ connections, wait, now = () => performance.now() }: QueueOptions): Queue => {
  const lines = createLines()
  const recent = createRecent()
  const spare = Math.floor(connections / 4)
  let running = 0
  let turns = 0

  const mayStart = (key: string, line: Line): boolean => {
    if (running >= connections) return false
    return key === SHARED || line.running < connections - (recent.hasOther(key, now()) ? spare : 0)
  }
  const begin = (line: Line): void => {
    running++
    line.running++
    line.turn = ++turns
    line.startedAt = now()
  }
  const nextLine = (): Line | undefined => {
    let next: Line | undefined
    for (const [key, line] of lines.all) {
      if (line.waiting.size > 0 && mayStart(key, line) && (next === undefined || isBefore(line, next))) next = line
    }
    return next
  }
  const startNext = (): void => {
    for (;;) {
      const next = nextLine()
      const [waiter] = next?.waiting ?? []
      if (next === undefined || waiter === undefined) return
      next.waiting.delete(waiter)
      begin(next)
      waiter.start()
    }
  }
  const leave = (key: string, line: Line): void => {
    running--
    line.running--
    startNext()
    lines.forgetIdle(key, line)
  }
  // A request times out when its school's queue did not move for too long, or moves too slowly.
  const endOf = (line: Line, { since }: Waiter): number =>
    Math.min(Math.max(line.startedAt, since) + wait, since + Math.max(wait, MAX_WAIT))

  const stand = (key: string, line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const left = endOf(line, waiter) - now()
        if (left > 0) {
          timer = setTimeout(look, Math.ceil(left))
          return
        }
        line.waiting.delete(waiter)
        lines.forgetIdle(key, line)
        reject(new DatabaseBusy('Every connection to the database is in use.'))
      }
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const waiter = { since: now(), start }
      let timer = setTimeout(look, wait)
      line.waiting.add(waiter)
    })

  const standOrRefuse = async (key: string, line: Line): Promise<void> => {
    if (line.waiting.size >= connections * (key === SHARED ? MAX_SHARED_WAITING : MAX_WAITING))
      throw new DatabaseBusy('Too many requests of this school wait for the database.')
    await stand(key, line)
  }

  return {
    run: async (key, work) => {
      recent.see(key, now())
      const line = lines.of(key)
      if (line.waiting.size === 0 && mayStart(key, line)) begin(line)
      else await standOrRefuse(key, line)
      try {
        return await work()
      } finally {
        leave(key, line)
      }
    },
  }
}

// A read has no effect, so its COMMIT does not matter.
const causeOf = (error: unknown): never => {
  throw error instanceof CommitUnknown ? error.cause : error
}

/** A database whose connections schools share through a queue. */
export const queued = <D extends Database>(database: D, queue: Queue): D => {
  const { statements, transaction, shared } = database
  return {
    ...database,
    statements: (schoolId, work) => queue.run(schoolId, () => statements(schoolId, work)).catch(causeOf),
    transaction: (schoolId, work) => queue.run(schoolId, () => transaction(schoolId, work)),
    shared: {
      all: statement => queue.run(SHARED, () => shared.all(statement)).catch(causeOf),
      first: statement => queue.run(SHARED, () => shared.first(statement)).catch(causeOf),
      one: statement => queue.run(SHARED, () => shared.one(statement)).catch(causeOf),
      run: statement => queue.run(SHARED, () => shared.run(statement)).catch(causeOf),
    },
  }
}
