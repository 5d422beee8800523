import { copyContents } from '#src/areas/courses/contents/index.ts'
import { lessonsCopied, type OutlineRow, storeNodes } from '#src/areas/courses/curriculum/index.ts'
import { IMMEDIATE, isSameDrip, putDrips } from '#src/areas/courses/drips/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import { newUuid } from '#src/kit/ids.ts'
import { readNodes } from './lookups.ts'
import { type Difference, type Plan, planOutline, type RequestedSection } from './rules.ts'

// Unchanged rules are not stored again; a new lesson opens with the course unless it has another rule.
const putPlannedDrips = async ({ db, school }: SchoolContext, courseId: string, plan: Plan): Promise<void> => {
  const listIds = (isMeant: (one: Difference) => boolean) =>
    new Set(plan.difference.filter(isMeant).map(({ id }) => id))
  const created = listIds(({ change }) => change === 'created')
  const changed = listIds(({ fields = [] }) => fields.includes('drip'))
  const lessons = plan.lessons.filter(
    ({ id, drip }) => changed.has(id) || (created.has(id) && !isSameDrip(drip, IMMEDIATE)),
  )
  await putDrips(
    db,
    school.id,
    courseId,
    lessons.map(({ id, drip }) => ({ lesson_id: id, ...drip })),
  )
}

/** Stores a planned outline of a course that is locked, as a member planned it, and returns its new revision. */
export const storeOutline = async (
  context: SchoolContext,
  courseId: string,
  plan: Plan,
  memberId?: string,
): Promise<OutlineRow> => {
  const listIds = (...changes: Difference['change'][]) =>
    plan.difference.filter(({ change }) => changes.includes(change)).map(({ id }) => id)
  const { sections, lessons } = plan
  const touched = listIds('restored', 'moved', 'changed')
  const archived = memberId === undefined ? undefined : { ids: listIds('archived'), memberId }
  const outline = await storeNodes(context, courseId, { sections, lessons, touched, archived })
  await putPlannedDrips(context, courseId, plan)
  return outline
}

/** Stores an outline for a course that has none. */
export const addOutline = async (
  context: TransactionContext,
  courseId: string,
  requested: readonly RequestedSection[],
): Promise<Plan> => {
  const plan = planOutline({ sections: [], lessons: [] }, requested, () => newUuid(context.now.getTime()))
  await storeOutline(context, courseId, plan)
  return plan
}

/** Copies the sections and lessons of a course with their contents to a course that has none. */
export const copyCurriculum = async (
  context: SchoolContext,
  { fromId, intoId, now }: { readonly fromId: string; readonly intoId: string; readonly now: Date },
): Promise<void> => {
  const nodes = await readNodes(context, fromId)
  const active = nodes.lessons.filter(one => one.archived_at === null)
  const sections = nodes.sections
    .filter(one => one.archived_at === null)
    .map(({ id, name }) => ({ name, lessons: active.filter(one => one.section_id === id) }))
  if (sections.length === 0) return
  const requested = sections.map(({ name, lessons }) => ({
    name,
    lessons: lessons.map(({ id: _id, section_id: _section, revision: _revision, ...lesson }) => lesson),
  }))
  const plan = await addOutline({ ...context, now }, intoId, requested)
  const originals = sections.flatMap(({ lessons }) => lessons.map(({ id }) => id))
  const pairs = plan.lessons.map(({ id }, index) => ({ from: originals[index] ?? '', into: id }))
  await copyContents(
    context.db,
    context.school.id,
    pairs.map(pair => ({ ...pair, id: newUuid(now.getTime()) })),
  )
  await lessonsCopied.call({ courseId: intoId, pairs, now }, context)
}
