import type { HookPlace } from '#src/contract/hook.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { dropJob, ensureJob, putJob } from '#src/db/jobs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { zonesEdition } from '#src/kit/local-time.ts'
import type { EventDates } from '../event/queries.ts'
import { addEvent } from '../event/writes.ts'
import { occurrenceRegistrations } from '../hooks.ts'
import { END_JOB, ZONES_JOB } from '../occurrences/jobs.queries.ts'
import {
  deleteOccurrences,
  insertOccurrences,
  listOccurrencesOf,
  lockOccurrenceRows,
  type NewOccurrence,
  type OccurrenceRow,
  type OccurrenceTime,
  storeTime,
} from '../occurrences/queries.ts'
import { timeOf } from '../occurrences/rules.ts'
import { expandRule, type RuleDate } from './rules.ts'

/** Where dates are written. */
export type Writing = HookPlace & { readonly now: Date }

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
    ...timeOf({ local, time_zone, duration_minutes }),
    rule_local: local,
    isMoved,
  }))
}

type Of = { readonly id: string; readonly capacity: number | null }

/** Stores new occurrences of an event, each with the job that notices its end. */
export const addOccurrences = async (
  { db, school, now }: Writing,
  event: Of,
  times: readonly (OccurrenceTime & { readonly rule_local: string })[],
): Promise<NewOccurrence[]> => {
  const { id: schoolId } = school
  const rows = times.map(time => ({ ...time, id: newUuid(now.getTime()) }))
  if (rows.length === 0) return rows
  await insertOccurrences(db, schoolId, event, rows, zonesEdition())
  for (const { id, ends_at: dueAt } of rows) await putJob(db, schoolId, { kind: END_JOB, id, dueAt })
  await ensureJob(db, schoolId, { kind: ZONES_JOB, id: schoolId, seconds: 24 * 3600 })
  return rows
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
  { db, school }: Writing,
  rows: readonly OccurrenceRow[],
): Promise<ReadonlySet<string>> => {
  const occurrenceIds = rows.map(({ id }) => id)
  await lockOccurrenceRows(db, school.id, occurrenceIds)
  const all = await occurrenceRegistrations.call({ occurrenceIds }, { db, school })
  return new Set(all.flatMap(one => [...one].flatMap(([id, { ever }]) => (ever > 0 ? [id] : []))))
}

/** Gives a locked event the dates that it shall have, and returns what changed. */
export const changeDates = async (where: Writing, event: Of, wanted: readonly Wanted[]): Promise<Change> => {
  const { db, school, now } = where
  const rows = await listOccurrencesOf(db, school.id, event.id)
  const open = rows.filter(row => isOpen(row, now))
  const registered = await everRegistered(where, open)
  const wantedOf = ({ rule_local: local }: OccurrenceRow) => wanted.find(date => date.rule_local === local)
  const free = open.filter(({ id }) => !registered.has(id))
  const removed = free.filter(row => wantedOf(row) === undefined)
  const changed = free.flatMap(row => {
    const time = wantedOf(row)
    return time !== undefined && hasOther(row, time) ? [{ ...time, id: row.id }] : []
  })
  const kept = open.filter(row => {
    const time = wantedOf(row)
    return registered.has(row.id) && (time === undefined || hasOther(row, time))
  })
  const missing = wanted.filter(date => !rows.some(row => row.rule_local === date.rule_local) && date.starts_at > now)
  await deleteOccurrences(
    db,
    school.id,
    removed.map(({ id }) => id),
  )
  for (const { id } of removed) await dropJob(db, school.id, END_JOB, id)
  for (const time of changed) {
    await storeTime(db, school.id, time.id, time, zonesEdition())
    await putJob(db, school.id, { kind: END_JOB, id: time.id, dueAt: time.ends_at })
  }
  const added = await addOccurrences(where, event, missing)
  const moved = wanted.filter(({ isMoved, rule_local, starts_local }) => isMoved || rule_local !== starts_local)
  return { added, changed, removed, kept, moved }
}

/** Creates a draft with its dates; returns its UUID. */
export const addDatedEvent = async (where: Writing, event: Parameters<typeof addEvent>[1]): Promise<string> => {
  const added = await addEvent(where, event)
  await addOccurrences(where, added, wantedDates(event.dates))
  return added.id
}
