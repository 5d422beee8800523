import {
  changeableColumns,
  type LessonValues,
  MAX_LESSONS,
  NEW_LESSON,
  type PlannedLesson as PlannedNode,
  type PlannedSection,
  settingNames,
} from '#src/areas/courses/curriculum/index.ts'
import {
  buildDrip,
  type Drip,
  type DripInput,
  errorsOfDrip,
  IMMEDIATE,
  isSameDrip,
} from '#src/areas/courses/drips/index.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { changedFields, merged, picked } from '#src/kit/patch.ts'
import { cleanLine } from '#src/kit/text.ts'

/** A stored section, archived or not. */
type StoredSection = { readonly id: string; readonly name: string; readonly isArchived: boolean }

/** A stored lesson, archived or not. */
type StoredLesson = LessonValues & {
  readonly id: string
  readonly sectionId: string
  readonly isArchived: boolean
  readonly drip: Drip
}

/** A stored outline, in its order. */
export type StoredOutline = { readonly sections: readonly StoredSection[]; readonly lessons: readonly StoredLesson[] }

/** A requested lesson with the id of its row; one without an id is new. */
type RequestedLesson = Partial<LessonValues> & {
  readonly id?: string | undefined
  readonly name: string
  readonly drip?: DripInput
}

/** A requested section with the id of its row; one without an id is new. */
export type RequestedSection = {
  readonly id?: string | undefined
  readonly name: string
  readonly lessons: readonly RequestedLesson[]
}

const errorAt = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const errorsOfIds = (
  found: readonly (readonly [pointer: string, id: string])[],
  existing: ReadonlySet<string>,
): FieldError[] => {
  const seen = new Set<string>()
  return found.flatMap(([pointer, id]) => {
    const isTwice = seen.has(id)
    seen.add(id)
    if (!existing.has(id)) return [errorAt(pointer, 'unknown', 'is not part of this course')]
    return isTwice ? [errorAt(pointer, 'twice', 'is in the outline twice')] : []
  })
}

const errorsOfLesson = (at: string, lesson: RequestedLesson, before: StoredLesson | undefined): FieldError[] => {
  if (cleanLine(lesson.name, 200) === '') return [errorAt(`${at}/name`, 'empty', 'must contain a visible character')]
  const dripErrors = lesson.drip === undefined ? [] : errorsOfDrip(`${at}/drip`, buildDrip(lesson.drip))
  if (dripErrors.length > 0) return dripErrors
  if (lesson.id === undefined)
    return lesson.type === undefined ? [errorAt(`${at}/type`, 'missing', 'is required for a new lesson')] : []
  const isOther = before !== undefined && (lesson.type ?? before.type) !== before.type
  return isOther ? [errorAt(`${at}/type`, 'fixed', 'cannot be changed; create another lesson')] : []
}

/** The errors of an outline that fits its schema; empty when it can be stored. */
export const errorsOfOutline = (stored: StoredOutline, wanted: readonly RequestedSection[]): FieldError[] => {
  const placed = wanted.flatMap(({ lessons }, s) =>
    lessons.map((lesson, l) => ({ lesson, at: `/sections/${s}/lessons/${l}` })),
  )
  if (placed.length > MAX_LESSONS) return [errorAt('/sections', 'too_many', `have more than ${MAX_LESSONS} lessons`)]
  const before = new Map(stored.lessons.map(lesson => [lesson.id, lesson]))
  const sectionIds = wanted.flatMap(({ id }, s) => (id === undefined ? [] : [[`/sections/${s}/id`, id] as const]))
  const lessonIds = placed.flatMap(({ lesson: { id }, at }) => (id === undefined ? [] : [[`${at}/id`, id] as const]))
  return [
    ...errorsOfIds(sectionIds, new Set(stored.sections.map(({ id }) => id))),
    ...errorsOfIds(lessonIds, new Set(before.keys())),
    ...wanted.flatMap((section, s) =>
      cleanLine(section.name, 200) === ''
        ? [errorAt(`/sections/${s}/name`, 'empty', 'must contain a visible character')]
        : [],
    ),
    ...placed.flatMap(({ lesson, at }) => errorsOfLesson(at, lesson, before.get(lesson.id ?? ''))),
  ]
}

/** Which ids keep their position when as few as possible move: a longest increasing subsequence. */
export const unmoved = (before: readonly string[], after: readonly string[]): ReadonlySet<string> => {
  const placeOf = new Map(before.map((id, place) => [id, place]))
  const kept = after.filter(id => placeOf.has(id))
  const places = kept.map(id => placeOf.get(id) ?? 0)
  // tails[n] is the index of the smallest end of a run of length n + 1; previous links each index to the one before it.
  const tails: number[] = []
  const previous: number[] = []
  places.forEach((place, index) => {
    const at = tails.findIndex(tail => (places[tail] ?? 0) >= place)
    const length = at < 0 ? tails.length : at
    previous[index] = tails[length - 1] ?? -1
    tails[length] = index
  })
  const run = new Set<string>()
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) run.add(kept[at] ?? '')
  return run
}

/** A lesson to be stored, with its release schedule. */
type PlannedLesson = PlannedNode & { readonly drip: Drip }

/** One change of an outline. */
export type Difference = {
  readonly change: 'created' | 'restored' | 'archived' | 'moved' | 'changed'
  readonly type: 'section' | 'lesson'
  readonly id: string
  readonly name: string
  readonly fields?: readonly string[]
}

/** What is to be stored, and what of it changes. */
export type Plan = {
  readonly sections: readonly PlannedSection[]
  readonly lessons: readonly PlannedLesson[]
  readonly difference: readonly Difference[]
}

const lessonValues = (wanted: RequestedLesson, before: StoredLesson | undefined): LessonValues => ({
  ...merged(picked(before ?? NEW_LESSON, settingNames), picked(wanted, settingNames)),
  name: cleanLine(wanted.name, 200),
  type: before?.type ?? wanted.type ?? 'text',
})

const changedValues = (before: StoredLesson, lesson: PlannedLesson): string[] => [
  ...changedFields<LessonValues>(before, picked(lesson, changeableColumns)),
  ...(isSameDrip(before.drip, lesson.drip) ? [] : ['drip']),
]

const appearance = (before: { readonly isArchived: boolean } | undefined): Difference['change'] | undefined => {
  if (before === undefined) return 'created'
  return before.isArchived ? 'restored' : undefined
}

const buildLine = (
  type: Difference['type'],
  node: { readonly id: string; readonly name: string },
  {
    appears,
    isMoved,
    fields,
  }: { appears: Difference['change'] | undefined; isMoved: boolean; fields: readonly string[] },
): Difference[] => {
  const { id, name } = node
  if (appears === 'created') return [{ change: appears, type, id, name }]
  return [
    ...(appears === undefined ? [] : [{ change: appears, type, id, name }]),
    ...(isMoved && appears === undefined ? [{ change: 'moved', type, id, name } as const] : []),
    ...(fields.length === 0 ? [] : [{ change: 'changed', type, id, name, fields } as const]),
  ]
}

const archived = (
  type: Difference['type'],
  stored: readonly (StoredSection | StoredLesson)[],
  kept: ReadonlySet<string>,
) =>
  stored
    .filter(({ id, isArchived }) => !isArchived && !kept.has(id))
    .map(({ id, name }): Difference => ({ change: 'archived', type, id, name }))

/** Compares a stored outline with a requested one; `newId` gives the ids of new rows. */
export const planOutline = (stored: StoredOutline, wanted: readonly RequestedSection[], newId: () => string): Plan => {
  const sectionsBefore = new Map(stored.sections.map(section => [section.id, section]))
  const lessonsBefore = new Map(stored.lessons.map(lesson => [lesson.id, lesson]))
  const sections = wanted.map(({ id, name }, position) => ({ id: id ?? newId(), name: cleanLine(name, 200), position }))
  const lessons = wanted.flatMap((section, s) =>
    section.lessons.map((lesson, position) => {
      const before = lessonsBefore.get(lesson.id ?? '')
      return {
        id: lesson.id ?? newId(),
        section_id: sections[s]?.id ?? '',
        position,
        ...lessonValues(lesson, before),
        drip: lesson.drip === undefined ? (before?.drip ?? IMMEDIATE) : buildDrip(lesson.drip),
      }
    }),
  )
  const live = stored.sections.filter(({ isArchived }) => !isArchived).map(({ id }) => id)
  const unmovedSections = unmoved(
    live,
    sections.map(({ id }) => id),
  )
  const unmovedLessons = new Map(
    sections.map(({ id }) => {
      const was = stored.lessons.filter(one => one.sectionId === id && !one.isArchived).map(one => one.id)
      return [
        id,
        unmoved(
          was,
          lessons.filter(one => one.section_id === id).map(one => one.id),
        ),
      ] as const
    }),
  )
  const difference = [
    ...sections.flatMap(section => {
      const before = sectionsBefore.get(section.id)
      const fields = before !== undefined && before.name !== section.name ? ['name'] : []
      return buildLine('section', section, {
        appears: appearance(before),
        isMoved: !unmovedSections.has(section.id),
        fields,
      })
    }),
    ...lessons.flatMap(lesson => {
      const before = lessonsBefore.get(lesson.id)
      const fields = before === undefined ? [] : changedValues(before, lesson)
      const isMoved = unmovedLessons.get(lesson.section_id)?.has(lesson.id) !== true
      return buildLine('lesson', lesson, { appears: appearance(before), isMoved, fields })
    }),
    ...archived('lesson', stored.lessons, new Set(lessons.map(({ id }) => id))),
    ...archived('section', stored.sections, new Set(sections.map(({ id }) => id))),
  ]
  return { sections, lessons, difference }
}
