import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import '#src/areas.ts'
import type { Db } from '#src/contract/db.ts'
import {
  fulfil,
  type Offer,
  offerOf,
  type Reserved,
  reserve,
  type SoldOut,
  type Unavailable,
} from '#src/contract/offer.ts'
import type { School } from '#src/contract/school.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { getSchool } from '#src/db/schools.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import { preloadArguments } from './preload.ts'

/** A course on sale, and the UUIDs of its prices. */
export type CourseOnSale = { readonly id: string; readonly uuid: string; readonly prices: readonly string[] }

const toUuid = (prefix: 'crs' | 'prc', id: string): string => {
  const uuid = fromId(prefix, id)
  if (uuid === undefined) throw new Error(`${id} is no id`)
  return uuid
}

/** Makes a published course with these prices. */
export const sellCourse = async (
  actor: Actor,
  name: string,
  prices: readonly Readonly<Record<string, unknown>>[],
): Promise<CourseOnSale> => {
  const { json: course } = await actor.write('POST', '/courses', { name })
  const ids: string[] = []
  for (const price of prices) {
    const { status, json, text } = await actor.write('POST', `/courses/${course.id}/prices`, price)
    if (status !== 201) throw new Error(text)
    ids.push(toUuid('prc', json.id))
  }
  const published = await actor.write('PUT', `/courses/${course.id}/publication`, {})
  if (published.status !== 200) throw new Error(published.text)
  return { id: course.id, uuid: toUuid('crs', course.id), prices: ids }
}

/** Adds so many members to the first school; gives their UUIDs. */
export const addMembers = async ({ database, a }: TestApp, count: number): Promise<string[]> => {
  const rows = await database.query<{ id: string }>(
    `with ids as (select gen_random_uuid() as id from generate_series(1, $2::integer))
     insert into members (school_id, id, email, email_folded, name, name_folded, role, status, created_at, updated_at)
     select $1, id, id || '@crumb.example', id || '@crumb.example', 'Buyer', 'buyer', 'member', 'active', stoa.now(),
       stoa.now() from ids
     returning id`,
    [a.id, count],
  )
  return rows.map(({ id }) => id)
}

/** A new id of a line or an order. */
export const newLine = (): string => newUuid(0)

type Place = { readonly db: Db; readonly school: School; readonly now: Date }

/** Transactions in the first school, as the areas that sell have them. */
export const openSales = (databaseUrl: string, schoolId: string) => {
  const database: OpenDatabase = openDatabase(databaseUrl, { wait: 20_000, max: 10 })
  const run = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
    database.transaction(schoolId, async (db, now) => work({ db, school: await getSchool(db, schoolId), now }))
  return { run, close: () => database.close() }
}

/** What a price offers to a member now. */
export const offerFor = async (
  { db, school, now }: Place,
  priceId: string,
  memberId?: string,
): Promise<Offer | Unavailable | undefined> =>
  (await offerOf.call({ priceId, memberId, at: now }, { db, school })).find(one => one !== undefined)

/** The offer of a price, which is available. */
export const availableOffer = async (place: Place, priceId: string, memberId?: string): Promise<Offer> => {
  const offer = await offerFor(place, priceId, memberId)
  if (offer === undefined || 'unavailable' in offer) throw new Error(`no offer: ${offer?.unavailable}`)
  return offer
}

/** One line of a purchase. */
export type Line = {
  readonly lineId: string
  readonly offer: Offer
  readonly memberId: string
  readonly until: Date
}

/** Reserves what a line needs. */
export const reserveLine = async ({ db, school }: Place, line: Line): Promise<Reserved | SoldOut | undefined> =>
  (await reserve.call({ ...line, quantity: 1 }, { db, school })).find(one => one !== undefined)

/** Gives what a line bought; returns the types of the facts. */
export const fulfilLine = async (
  { db, school, now }: Place,
  { lineId, offer, memberId }: Omit<Line, 'until'>,
): Promise<string[]> => {
  const facts = await fulfil.call({ lineId, offer, memberId, orderId: newLine(), now }, { db, school })
  return facts.flat().map(({ type }) => type)
}

/** How each line ended: what it got, or the message of an error. */
type Outcomes = readonly unknown[]

/** A process of its own that reserves or fulfils many lines at once, each in its own transaction. */
export type SalesProcess = {
  reserveAll(lines: readonly Line[]): Promise<Outcomes>
  fulfilAll(lines: readonly Line[]): Promise<Outcomes>
  stop(): Promise<void>
}

type Task = { readonly verb: 'reserve' | 'fulfil'; readonly lines: readonly Line[] }

/** Starts one; it ends with the process of the test. */
export const startSalesProcess = async (databaseUrl: string, schoolId: string): Promise<SalesProcess> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [databaseUrl, schoolId], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
    serialization: 'advanced',
  })
  const answer = async (): Promise<Outcomes> => {
    const [message] = await once(child, 'message')
    return message
  }
  await answer()
  const perform = (task: Task): Promise<Outcomes> => {
    const answered = answer()
    child.send(task)
    return answered
  }
  return {
    reserveAll: lines => perform({ verb: 'reserve', lines }),
    fulfilAll: lines => perform({ verb: 'fulfil', lines }),
    stop: async () => {
      child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const performTasks = (databaseUrl: string, schoolId: string): void => {
  const { run, close } = openSales(databaseUrl, schoolId)
  process.on('message', async (message: unknown) => {
    const { verb, lines } = message as Task
    const outcomes = lines.map(line =>
      run<unknown>(place => (verb === 'reserve' ? reserveLine(place, line) : fulfilLine(place, line))),
    )
    const settled = await Promise.allSettled(outcomes)
    process.send?.(settled.map(one => (one.status === 'fulfilled' ? one.value : String(one.reason))))
  })
  process.once('disconnect', () => void close())
  process.send?.([])
}

if (import.meta.main) performTasks(process.argv[2] ?? '', process.argv[3] ?? '')
