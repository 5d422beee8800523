import type { Database } from '#src/contract/db.ts'
import { Busy, CommitUnknown } from './errors.ts'

/** How long a request waits at most in a queue that moves, in milliseconds. */
const MAX_WAIT = 10_000
// How many requests may wait for each place: of one school, and of those without a school yet.
const MAX_WAITING = 20
const MAX_SHARED_WAITING = 200
/** From when on a request is slow, in milliseconds. */
const SLOW = 500

/** The key of statements that belong to no school, such as the lookup of a school by its host. */
export const SHARED = ''

/** What other schools do: one of them waits, one was served recently, or none of both. */
export type Others = 'waiting' | 'recent' | 'none'

type QueueOptions = {
  readonly places: number
  /** How many further places there are for schools of which nothing runs; none by default. */
  readonly spare?: number
  /** How many of the places may be in use while others do this, unless nothing of the school runs; all of them by default. */
  readonly width?: (others: Others) => number
  /** How many of the places one school may use while others do this; all of them by default. */
  readonly share?: (others: Others) => number
  /** As how many requests of its school a slow one counts: 0 when it waits for something else and leaves its place to others. */
  readonly slowCounts: 0 | 2
  /** For how long a school that was served may need a place again, in milliseconds. */
  readonly recent: number
  /** How long a request waits while no request of its school is started, in milliseconds. */
  readonly wait: number
  readonly now?: (() => number) | undefined
}

/** The place of a request that runs. */
export type Place = {
  /** Gives the place up, so that another request may start. */
  leave(): void
  /** Waits for a place again; rejects with `Busy` when that takes too long. */
  enter(): Promise<void>
}

/** A queue in front of a number of places, such as connections, that schools share. */
export type Queue = {
  /** Runs a function when there is a place for its school; rejects with `Busy` when that takes too long. */
  run<T>(key: string, work: (context: Place) => Promise<T>): Promise<T>
}

type Waiter = { readonly since: number; readonly start: () => void }

/** The requests of one school: how many run, quickly or slowly, which wait, and when one was started last. */
type Line = {
  readonly key: string
  quick: number
  slow: number
  readonly waiting: Set<Waiter>
  turn: number
  startedAt: number
}

type Running = { readonly line: Line; readonly since: number }

// The last two schools are enough to know whether there is another one.
const createRecent = (during: number) => {
  let last = { key: SHARED, at: Number.NEGATIVE_INFINITY }
  let before = last
  return {
    see: (key: string, at: number): void => {
      if (key === SHARED) return
      if (last.key === key) last.at = at
      else [before, last] = [last, { key, at }]
    },
    hasOther: (key: string, at: number): boolean => (last.key === key ? before : last).at > at - during,
  }
}

const createLines = () => {
  const lines = new Map<string, Line>()
  // Of the schools; whoever waits for a statement without a school is not one.
  const waiting = new Set<Line>()
  return {
    of: (key: string): Line => {
      const line = lines.get(key) ?? { key, quick: 0, slow: 0, waiting: new Set(), turn: 0, startedAt: -Infinity }
      lines.set(key, line)
      return line
    },
    all: (): Iterable<Line> => lines.values(),
    forgetIdle: ({ key, quick, slow, waiting: own }: Line): void => {
      if (quick + slow + own.size === 0) lines.delete(key)
    },
    join: (line: Line, waiter: Waiter): void => {
      line.waiting.add(waiter)
      if (line.key !== SHARED) waiting.add(line)
    },
    quit: (line: Line, waiter: Waiter): void => {
      line.waiting.delete(waiter)
      if (line.waiting.size === 0) waiting.delete(line)
    },
    /** Whether a school waits that is not this one. */
    othersWait: (line: Line): boolean => waiting.size > (waiting.has(line) ? 1 : 0),
  }
}

// What runs, in the order in which it started; what is slow is counted only.
const createRunning = (slowCounts: QueueOptions['slowCounts'], now: () => number) => {
  const quick = new Set<Running>()
  let slow = 0
  return {
    /** How many places are in use. */
    inUse: (): number => quick.size + (slowCounts === 0 ? 0 : slow),
    /** As how many requests those of a school count. */
    computeLoad: (line: Line): number => line.quick + line.slow * slowCounts,
    begin: (line: Line): Running => {
      const running = { line, since: now() }
      quick.add(running)
      line.quick++
      return running
    },
    end: (running: Running): void => {
      if (quick.delete(running)) running.line.quick--
      else {
        running.line.slow--
        slow--
      }
    },
    findSlow: (): void => {
      for (const running of quick) {
        if (running.since > now() - SLOW) return
        quick.delete(running)
        running.line.quick--
        running.line.slow++
        slow++
      }
    },
    /** In how many milliseconds another one is slow, and leaves its place. */
    nextLeaves: (): number | undefined => {
      const [oldest] = slowCounts === 0 ? quick : []
      return oldest && Math.max(1, Math.ceil(oldest.since + SLOW - now()))
    },
  }
}

/**
 * Creates a queue. A single active school may use every place; what it may use while others are active is an option. A free
 * place goes to the school with the fewest running requests, and of several to the one that was served least recently.
 */
export const createQueue = (options: QueueOptions): Queue => {
  const { places, slowCounts, wait, now = () => performance.now() } = options
  const { spare = 0, width = () => places, share = () => places } = options
  const lines = createLines()
  const recent = createRecent(options.recent)
  const running = createRunning(slowCounts, now)
  const { computeLoad } = running
  let turns = 0
  let wake: NodeJS.Timeout | undefined

  const isBefore = (one: Line, other: Line): boolean =>
    computeLoad(one) < computeLoad(other) || (computeLoad(one) === computeLoad(other) && one.turn < other.turn)
  const chooseOthers = (line: Line): Others => {
    if (lines.othersWait(line)) return 'waiting'
    return recent.hasOther(line.key, now()) ? 'recent' : 'none'
  }
  const mayStart = (line: Line): boolean => {
    if (computeLoad(line) === 0) return running.inUse() < places + spare
    if (running.inUse() >= places) return false
    if (line.key === SHARED) return true
    const others = chooseOthers(line)
    return running.inUse() < width(others) && computeLoad(line) < share(others)
  }
  const begin = (line: Line): Running => {
    const begun = running.begin(line)
    line.turn = ++turns
    line.startedAt = begun.since
    return begun
  }
  const nextLine = (): Line | undefined => {
    let next: Line | undefined
    for (const line of lines.all()) {
      if (line.waiting.size > 0 && mayStart(line) && (next === undefined || isBefore(line, next))) next = line
    }
    return next
  }
  const startNext = (): void => {
    running.findSlow()
    for (let next = nextLine(); next !== undefined; next = nextLine()) {
      const [waiter] = next.waiting
      if (waiter === undefined) return
      lines.quit(next, waiter)
      waiter.start()
    }
  }
  // Whatever runs may take so long that nothing ends meanwhile.
  const startWhenSlow = (): void => {
    const after = running.nextLeaves()
    if (wake !== undefined || after === undefined) return
    wake = setTimeout(() => {
      wake = undefined
      startNext()
      for (const { waiting } of lines.all()) if (waiting.size > 0) startWhenSlow()
    }, after)
  }
  const end = (one: Running): void => {
    running.end(one)
    startNext()
    lines.forgetIdle(one.line)
  }
  // A request times out when its school's queue did not move for too long, or moves too slowly.
  const computeEnd = (line: Line, { since }: Waiter): number =>
    Math.min(Math.max(line.startedAt, since) + wait, since + Math.max(wait, MAX_WAIT))

  const stand = (line: Line): Promise<Running> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const left = computeEnd(line, waiter) - now()
        if (left > 0) {
          timer = setTimeout(look, Math.ceil(left))
          return
        }
        lines.quit(line, waiter)
        lines.forgetIdle(line)
        reject(new Busy('Too many requests are being handled.'))
      }
      const start = (): void => {
        clearTimeout(timer)
        resolve(begin(line))
      }
      const waiter = { since: now(), start }
      let timer = setTimeout(look, wait)
      lines.join(line, waiter)
      startWhenSlow()
    })

  const standOrRefuse = async (line: Line): Promise<Running> => {
    if (line.waiting.size >= places * (line.key === SHARED ? MAX_SHARED_WAITING : MAX_WAITING))
      throw new Busy('Too many requests of this school are waiting.')
    return stand(line)
  }
  const start = (key: string): Running | Promise<Running> => {
    recent.see(key, now())
    const line = lines.of(key)
    running.findSlow()
    return line.waiting.size === 0 && mayStart(line) ? begin(line) : standOrRefuse(line)
  }

  return {
    run: async (key, work) => {
      const started = start(key)
      let current: Running | undefined = started instanceof Promise ? await started : started
      const place: Place = {
        leave: () => {
          if (current !== undefined) end(current)
          current = undefined
        },
        enter: async () => {
          current ??= await start(key)
        },
      }
      try {
        return await work(place)
      } finally {
        place.leave()
      }
    },
  }
}

/**
 * Creates the queue in front of the connections to the database. A school may use half of them while another one waits, and three
 * of four for a minute after another one was served: requests that wait for a row hold their connections for seconds, and
 * nothing can take those back.
 */
export const createConnectionQueue = (connections: number, wait: number, now?: () => number): Queue => {
  const shares = { waiting: Math.ceil(connections / 2), recent: connections - Math.floor(connections / 4) }
  const share = (others: Others) => (others === 'none' ? connections : shares[others])
  return createQueue({ places: connections, wait, recent: 60_000, slowCounts: 2, share, now })
}

// A read has no effect, so its COMMIT does not matter.
const throwCause = (error: unknown): never => {
  throw error instanceof CommitUnknown ? error.cause : error
}

/** A database whose connections schools share through a queue. */
export const queued = <D extends Database>(database: D, queue: Queue): D => {
  const { statements, transaction, shared } = database
  return {
    ...database,
    statements: (schoolId, work) => queue.run(schoolId, () => statements(schoolId, work)).catch(throwCause),
    transaction: (schoolId, work) => queue.run(schoolId, () => transaction(schoolId, work)),
    shared: {
      all: statement => queue.run(SHARED, () => shared.all(statement)).catch(throwCause),
      first: statement => queue.run(SHARED, () => shared.first(statement)).catch(throwCause),
      one: statement => queue.run(SHARED, () => shared.one(statement)).catch(throwCause),
      run: statement => queue.run(SHARED, () => shared.run(statement)).catch(throwCause),
    },
  }
}
