import { findCourseName, shareCourses } from '#src/areas/courses/index.ts'
import { useFile } from '#src/areas/files/index.ts'
import { anonymous, type Caller, isStaff } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { itemExists } from '#src/contract/items.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { checkNames, chooseSlug, moveSlug } from '#src/db/slugs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { eventSlugs } from './conditions.ts'
import { type EventDates, type EventRow, type EventValues, listGroups, listProfiles } from './queries.ts'
import { BLANK, errorsOfEvent, eventExternalIdTaken, joinWords, mergedEvent } from './rules.ts'
import type { EventInput } from './schema.ts'
import { insertEvent } from './stored.queries.ts'

/** Where an event is written; without a caller any file may be used. */
type Writing = SchoolContext & { readonly now: Date; readonly caller?: Caller | undefined }

// Staff can use every file for events, others only their own: a published event makes its image public.
const buildOwner = (caller: Caller | undefined): { memberId?: string } =>
  caller?.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

const useImage = async (context: Writing, id: string | null, before: string | null): Promise<void> => {
  if (id === null || id === before) return
  const file = { id, pointer: '/image_file_id', purposes: ['event'], isShown: true } as const
  await useFile(context, { ...file, ...buildOwner(context.caller) })
}

// Plans belong to a later area, which locks those that exist.
const errorsOfPlans = async ({ db, school }: SchoolContext, ids: readonly string[]): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries()) {
    const found = await itemExists.call({ type: 'membership_plan', id }, { db, school })
    if (!found.some(one => typeof one === 'object'))
      errors.push({ pointer: `/plan_ids/${index}`, code: 'unknown', message: 'is not a membership plan' })
  }
  return errors
}

const errorsOfCourse = async ({ db, school }: SchoolContext, id: string): Promise<FieldError[]> => {
  await shareCourses(db, school.id, [id])
  const name = await findCourseName(db, school.id, id)
  return name === undefined ? [{ pointer: '/course_id', code: 'unknown', message: 'is not a course' }] : []
}

const unknownIn = (name: string, ids: readonly string[], known: readonly string[], what: string): FieldError[] =>
  ids.flatMap((id, index) =>
    known.includes(id) ? [] : [{ pointer: `/${name}/${index}`, code: 'unknown', message: `is not ${what}` }],
  )

const isSame = (one: readonly string[] = [], other: readonly string[]): boolean => one.join() === other.join()

const errorsOfReferences = async (
  context: Writing,
  { group_ids: groups, plan_ids: plans, lecturer_ids: lecturers, course_id: course }: EventValues,
  before: Before | undefined,
): Promise<FieldError[]> => {
  const { db, school } = context
  return [
    ...(isSame(before?.group_ids, groups)
      ? []
      : unknownIn('group_ids', groups, await listGroups(db, school.id, groups), 'a group')),
    ...(isSame(before?.plan_ids, plans) ? [] : await errorsOfPlans(context, plans)),
    ...(isSame(before?.lecturer_ids, lecturers)
      ? []
      : unknownIn('lecturer_ids', lecturers, await listProfiles(db, school.id, lecturers), 'a lecturer')),
    ...(course === null || course === before?.course_id ? [] : await errorsOfCourse(context, course)),
  ]
}

type Before = Pick<EventRow, 'id' | 'slug' | 'image_file_id' | 'group_ids' | 'plan_ids' | 'lecturer_ids' | 'course_id'>

// Who hosts an event may change it, so staff alone decide.
const checkHosts = ({ caller = anonymous }: Writing, values: EventValues, before: Before | undefined): void => {
  if (caller.member === undefined || isStaff(caller) || isSame(before?.lecturer_ids, values.lecturer_ids)) return
  throw new Refusal(roleRequired, 'Only staff decide who hosts an event.')
}

/** Refuses an event that names something unknown, or has a slug or external id that another event has. */
export const checkValues = async (context: Writing, values: EventValues, before?: Before): Promise<void> => {
  const { db, school } = context
  refuseInvalid([...errorsOfEvent(values), ...(await errorsOfReferences(context, values, before))])
  if (before !== undefined) checkHosts(context, values, before)
  await checkNames(db, school.id, eventSlugs, values, { before, externalIdTaken: eventExternalIdTaken })
  await useImage(context, values.image_file_id, before?.image_file_id ?? null)
}

/** An event to create, with its dates and who creates it. */
export type NewEvent = {
  readonly input: EventInput & { readonly name: string }
  readonly dates: EventDates
  readonly authorId: string | undefined
}

/** Creates a draft without occurrences; without a slug one is derived from the name. Returns its UUID and values. */
export const addEvent = async (
  context: Writing,
  { input, dates, authorId }: NewEvent,
): Promise<{ readonly id: string; readonly capacity: number | null }> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(input.name, 200), id)
  const slug = await chooseSlug(db, school.id, eventSlugs, id, { slug: input.slug, wanted })
  const values = mergedEvent({ ...BLANK, slug }, input)
  await checkValues(context, values)
  await insertEvent(db, school.id, { ...values, words: joinWords(values), dates, id, authorId })
  await moveSlug(db, school.id, eventSlugs, id, { to: slug })
  return { id, capacity: values.capacity }
}
