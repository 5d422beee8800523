import {
  addEvent,
  addOccurrences,
  computeTime,
  deleteJobs,
  deleteOccurrences,
  type EventDates,
  listEventOccurrences,
  lockOccurrenceRows,
  type NewEvent,
  type NewOccurrence,
  type OccurrenceRow,
  type OccurrenceTime,
  occurrenceRegistrations,
  scheduleEnd,
  storeTime,
} from '#src/areas/events/events/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { zonesEdition } from '#src/kit/local-time.ts'
import { expandRule, type RuleDate } from './rules.ts'

type Wanted = OccurrenceTime & { readonly rule_local: string; readonly isMoved: boolean }

/** The dates that an event shall have; refuses a rule that gives none or too many. */
export const wantedDates = (dates: EventDates): Wanted[] => {
  const { starts_local: start, time_zone, duration_minutes, recurrence } = dates
  const expanded = recurrence === null ? { dates: [{ local: start, isMoved: false }] } : expandRule(recurrence, start)
  if ('errors' in expanded) {
    refuseInvalid(expanded.errors)
    return []
  }
  return expanded.dates.map(({ local, isMoved }: RuleDate) => ({
    ...computeTime({ local, time_zone, duration_minutes }),
    rule_local: local,
    isMoved,
  }))
}

/** What becomes of the dates of an event. */
type Change = {
  readonly added: readonly NewOccurrence[]
  readonly changed: readonly OccurrenceTime[]
  readonly removed: readonly OccurrenceRow[]
  readonly kept: readonly OccurrenceRow[]
  readonly moved: readonly Wanted[]
}

const hasOther = (row: OccurrenceRow, wanted: OccurrenceTime): boolean =>
  row.time_zone !== wanted.time_zone || row.duration_minutes !== wanted.duration_minutes

/** Dates that are over or cancelled stay as they are, and so do those for which somebody ever registered. */
const isOpen = (row: OccurrenceRow, now: Date): boolean => row.status === 'scheduled' && row.starts_at > now

const everRegistered = async (
  { db, school }: TransactionContext,
  rows: readonly OccurrenceRow[],
): Promise<ReadonlySet<string>> => {
  const occurrenceIds = rows.map(({ id }) => id)
  await lockOccurrenceRows(db, school.id, occurrenceIds)
  const all = await occurrenceRegistrations.call({ occurrenceIds }, { db, school })
  return new Set(all.flatMap(one => [...one].flatMap(([id, { ever }]) => (ever > 0 ? [id] : []))))
}

/** Gives a locked event the dates that it shall have, and returns what changed. */
export const changeDates = async (
  context: TransactionContext,
  event: { readonly id: string; readonly capacity: number | null },
  wanted: readonly Wanted[],
): Promise<Change> => {
  const { db, school, now } = context
  const rows = await listEventOccurrences(db, school.id, event.id)
  const open = rows.filter(row => isOpen(row, now))
  const registered = await everRegistered(context, open)
  const findWanted = ({ rule_local: local }: OccurrenceRow) => wanted.find(date => date.rule_local === local)
  const free = open.filter(({ id }) => !registered.has(id))
  const removed = free.filter(row => findWanted(row) === undefined)
  const changed = free.flatMap(row => {
    const time = findWanted(row)
    return time !== undefined && hasOther(row, time) ? [{ ...time, id: row.id }] : []
  })
  const kept = open.filter(row => {
    const time = findWanted(row)
    return registered.has(row.id) && (time === undefined || hasOther(row, time))
  })
  const missing = wanted.filter(date => !rows.some(row => row.rule_local === date.rule_local) && date.starts_at > now)
  await deleteOccurrences(
    db,
    school.id,
    removed.map(({ id }) => id),
  )
  await deleteJobs(
    db,
    school.id,
    removed.map(({ id }) => id),
  )
  for (const time of changed) {
    await storeTime(db, school.id, time.id, time, zonesEdition())
    await scheduleEnd(db, school.id, time.id, time.ends_at)
  }
  const added = await addOccurrences(context, event, missing)
  const moved = wanted.filter(({ isMoved, rule_local, starts_local }) => isMoved || rule_local !== starts_local)
  return { added, changed, removed, kept, moved }
}

/** Creates a draft with its dates; returns its UUID. */
export const addDatedEvent = async (context: TransactionContext, event: NewEvent): Promise<string> => {
  const added = await addEvent(context, event)
  await addOccurrences(context, added, wantedDates(event.dates))
  return added.id
}
