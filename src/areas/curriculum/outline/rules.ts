import type { FieldError } from '#src/contract/problem.ts'
import { cleanLine } from '#src/kit/text.ts'
import { type Drip, dripOf, faultsOfDrip, IMMEDIATE, isSameDrip } from '../drips/rules.ts'
import type { DripInput } from '../drips/schema.ts'
import { MAX_LESSONS } from './schema.ts'

/** What a lesson is beside its place. */
export type LessonValues = {
  readonly name: string
  readonly type: 'video' | 'audio' | 'text' | 'download' | 'embed' | 'quiz' | 'assignment' | 'live'
  readonly status: 'draft' | 'published'
  readonly preview: boolean
  readonly required_for_completion: boolean
  readonly duration_seconds: number | null
}

/** A section as it is stored, archived or not. */
export type StoredSection = { readonly id: string; readonly name: string; readonly isArchived: boolean }

/** A lesson as it is stored, archived or not. */
export type StoredLesson = LessonValues & {
  readonly id: string
  readonly sectionId: string
  readonly isArchived: boolean
  readonly drip: Drip
}

/** What is stored of an outline, in its order. */
export type StoredOutline = { readonly sections: readonly StoredSection[]; readonly lessons: readonly StoredLesson[] }

/** A lesson as somebody wants it, with the id of its row; one without is new. */
export type RequestedLesson = Partial<LessonValues> & {
  readonly id?: string | undefined
  readonly name: string
  readonly drip?: DripInput
}

/** A section as somebody wants it, with the id of its row; one without is new. */
export type RequestedSection = {
  readonly id?: string | undefined
  readonly name: string
  readonly lessons: readonly RequestedLesson[]
}

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const faultsOfIds = (
  found: readonly (readonly [pointer: string, id: string])[],
  known: ReadonlySet<string>,
): FieldError[] => {
  const met = new Set<string>()
  return found.flatMap(([pointer, id]) => {
    const isTwice = met.has(id)
    met.add(id)
    if (!known.has(id)) return [fault(pointer, 'unknown', 'is nothing of this course')]
    return isTwice ? [fault(pointer, 'twice', 'stands in the outline twice')] : []
  })
}

const faultsOfLesson = (at: string, lesson: RequestedLesson, before: StoredLesson | undefined): FieldError[] => {
  if (cleanLine(lesson.name, 200) === '') return [fault(`${at}/name`, 'empty', 'has nothing visible')]
  const dripFaults = lesson.drip === undefined ? [] : faultsOfDrip(`${at}/drip`, dripOf(lesson.drip))
  if (dripFaults.length > 0) return dripFaults
  if (lesson.id === undefined)
    return lesson.type === undefined ? [fault(`${at}/type`, 'missing', 'says what it is made of')] : []
  const isOther = before !== undefined && (lesson.type ?? before.type) !== before.type
  return isOther ? [fault(`${at}/type`, 'fixed', 'does not change; make another lesson')] : []
}

/** What is wrong with an outline that fits its schema; empty when it can be stored. */
export const faultsOfOutline = (stored: StoredOutline, wanted: readonly RequestedSection[]): FieldError[] => {
  const placed = wanted.flatMap(({ lessons }, s) =>
    lessons.map((lesson, l) => ({ lesson, at: `/sections/${s}/lessons/${l}` })),
  )
  if (placed.length > MAX_LESSONS) return [fault('/sections', 'too_many', `have more than ${MAX_LESSONS} lessons`)]
  const before = new Map(stored.lessons.map(lesson => [lesson.id, lesson]))
  const sectionIds = wanted.flatMap(({ id }, s) => (id === undefined ? [] : [[`/sections/${s}/id`, id] as const]))
  const lessonIds = placed.flatMap(({ lesson: { id }, at }) => (id === undefined ? [] : [[`${at}/id`, id] as const]))
  return [
    ...faultsOfIds(sectionIds, new Set(stored.sections.map(({ id }) => id))),
    ...faultsOfIds(lessonIds, new Set(before.keys())),
    ...wanted.flatMap((section, s) =>
      cleanLine(section.name, 200) === '' ? [fault(`/sections/${s}/name`, 'empty', 'has nothing visible')] : [],
    ),
    ...placed.flatMap(({ lesson, at }) => faultsOfLesson(at, lesson, before.get(lesson.id ?? ''))),
  ]
}

/** Which of some things keep their place when as few as possible move: a longest run that is in order already. */
export const unmoved = (before: readonly string[], after: readonly string[]): ReadonlySet<string> => {
  const placeOf = new Map(before.map((id, place) => [id, place]))
  const kept = after.filter(id => placeOf.has(id))
  const places = kept.map(id => placeOf.get(id) ?? 0)
  // tails[n] is where the run of length n + 1 with the smallest end stops; each knows the one before it.
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

/** A section as it is to be stored. */
export type PlannedSection = { readonly id: string; readonly name: string; readonly position: number }

/** A lesson as it is to be stored. */
export type PlannedLesson = LessonValues & {
  readonly id: string
  readonly section_id: string
  readonly position: number
  readonly drip: Drip
}

/** One thing that changes. */
export type Difference = {
  readonly change: 'created' | 'restored' | 'archived' | 'moved' | 'changed'
  readonly type: 'section' | 'lesson'
  readonly id: string
  readonly name: string
  readonly fields?: readonly string[]
}

/** What is to be stored, and how little of it changes. */
export type Plan = {
  readonly sections: readonly PlannedSection[]
  readonly lessons: readonly PlannedLesson[]
  readonly difference: readonly Difference[]
}

const VALUES = ['name', 'type', 'status', 'preview', 'required_for_completion', 'duration_seconds'] as const
const NEW = { status: 'draft', preview: false, required_for_completion: true, duration_seconds: null } as const

const lessonValues = (wanted: RequestedLesson, before: StoredLesson | undefined): LessonValues => ({
  name: cleanLine(wanted.name, 200),
  type: before?.type ?? wanted.type ?? 'text',
  status: wanted.status ?? before?.status ?? NEW.status,
  preview: wanted.preview ?? before?.preview ?? NEW.preview,
  required_for_completion:
    wanted.required_for_completion ?? before?.required_for_completion ?? NEW.required_for_completion,
  duration_seconds:
    wanted.duration_seconds === undefined
      ? (before?.duration_seconds ?? NEW.duration_seconds)
      : wanted.duration_seconds,
})

const changedValues = (before: StoredLesson, lesson: PlannedLesson): string[] => [
  ...VALUES.filter(name => before[name] !== lesson[name]),
  ...(isSameDrip(before.drip, lesson.drip) ? [] : ['drip']),
]

type Life = { readonly isArchived: boolean } | undefined

const born = (before: Life): Difference['change'] | undefined => {
  if (before === undefined) return 'created'
  return before.isArchived ? 'restored' : undefined
}

const lineOf = (
  type: Difference['type'],
  thing: { readonly id: string; readonly name: string },
  { life, isMoved, fields }: { life: Difference['change'] | undefined; isMoved: boolean; fields: readonly string[] },
): Difference[] => {
  const { id, name } = thing
  if (life === 'created') return [{ change: life, type, id, name }]
  return [
    ...(life === undefined ? [] : [{ change: life, type, id, name }]),
    ...(isMoved && life === undefined ? [{ change: 'moved', type, id, name } as const] : []),
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

/** Compares what is stored with what is wanted; `newId` names what is made. */
export const planOutline = (stored: StoredOutline, wanted: readonly RequestedSection[], newId: () => string): Plan => {
  const sectionsBefore = new Map(stored.sections.map(section => [section.id, section]))
  const lessonsBefore = new Map(stored.lessons.map(lesson => [lesson.id, lesson]))
  const sections = wanted.map(({ id, name }, position) => ({ id: id ?? newId(), name: cleanLine(name, 200), position }))
  const lessons = wanted.flatMap((section, s) =>
    section.lessons.map((lesson, position) => {
      const before = lessonsBefore.get(lesson.id ?? '')
      return {
        ...{ id: lesson.id ?? newId(), section_id: sections[s]?.id ?? '', position },
        ...lessonValues(lesson, before),
        drip: lesson.drip === undefined ? (before?.drip ?? IMMEDIATE) : dripOf(lesson.drip),
      }
    }),
  )
  const live = stored.sections.filter(({ isArchived }) => !isArchived).map(({ id }) => id)
  const still = unmoved(
    live,
    sections.map(({ id }) => id),
  )
  const stillIn = new Map(
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
      return lineOf('section', section, { life: born(before), isMoved: !still.has(section.id), fields })
    }),
    ...lessons.flatMap(lesson => {
      const before = lessonsBefore.get(lesson.id)
      const fields = before === undefined ? [] : changedValues(before, lesson)
      const isMoved = stillIn.get(lesson.section_id)?.has(lesson.id) !== true
      return lineOf('lesson', lesson, { life: born(before), isMoved, fields })
    }),
    ...archived('lesson', stored.lessons, new Set(lessons.map(({ id }) => id))),
    ...archived('section', stored.sections, new Set(sections.map(({ id }) => id))),
  ]
  return { sections, lessons, difference }
}
