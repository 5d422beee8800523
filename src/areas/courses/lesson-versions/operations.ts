import type { Static } from 'typebox'
import {
  addVersion,
  changedParts,
  contentView,
  countVersions,
  currentContent,
  findVersion,
  listVersions,
  type VersionLine,
} from '#src/areas/courses/contents/index.ts'
import {
  checkNotArchived,
  getOwnLesson,
  Lesson,
  LessonRef,
  type LessonRow,
  lessonArchived,
  lessonExamples,
  lessonView,
  lockOwnLesson,
  storeLesson,
} from '#src/areas/courses/curriculum/index.ts'
import { namesOf } from '#src/areas/people/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { LessonVersion, type LessonVersionLine, LessonVersionPage, VersionRef, VersionsQuery } from './schema.ts'

const first = exampleFrom('lev', 'listLessonVersions', { having: { number: 1 } })

const linesOf = async ({ db, school }: AsCaller, lesson: LessonRow, rows: readonly VersionLine[]) => {
  const names = await namesOf(
    db,
    school.id,
    rows.flatMap(row => row.author_id ?? []),
  )
  return (row: VersionLine): Static<typeof LessonVersionLine> => ({
    id: row.id,
    lesson_id: row.lesson_id,
    number: row.number,
    is_current: row.number === lesson.version,
    restores: row.restores,
    author: row.author_id === null ? null : { id: row.author_id, name: names.get(row.author_id) ?? '' },
    created_at: row.created_at,
  })
}

const getVersion = async ({ db, school }: AsCaller, lesson: LessonRow, ref: string) => {
  const version = await findVersion(db, school.id, lesson.id, ref)
  if (version === undefined) throw new Refusal(notFound, 'The lesson has no such version.')
  return version
}

const listLessonVersions = operation({
  id: 'listLessonVersions',
  route: 'GET /lessons/:lesson_id/versions',
  summary: "List a lesson's versions",
  description: 'Lists who changed the content of a lesson and when, newest first. Read one version for its content.',
  scope: 'curriculum:read',
  who: 'lecturer_of',
  mode: 'read',
  params: LessonRef,
  query: VersionsQuery,
  returns: LessonVersionPage,
  example: { params: lessonExamples.preview },
  async handle(context) {
    const { db, school, params } = context
    const { rows, after } = parsePage(context)
    const { lesson } = await getOwnLesson(context, params.lesson_id)
    const found = await listVersions(db, school.id, lesson.id, { rows, before: after?.[0] })
    const lineOf = await linesOf(context, lesson, found)
    return buildPage(context, found, {
      positionOf: row => [String(row.number)],
      viewsOf: rows => rows.map(row => lineOf(row)),
      total: () => countVersions(db, school.id, lesson.id),
    })
  },
})

const getLessonVersion = operation({
  id: 'getLessonVersion',
  route: 'GET /lessons/:lesson_id/versions/:version_id',
  summary: 'Get a lesson version',
  description: 'Returns the content that a lesson had after one of its changes.',
  scope: 'curriculum:read',
  who: 'lecturer_of',
  mode: 'read',
  params: VersionRef,
  returns: LessonVersion,
  example: { params: { ...lessonExamples.preview, version_id: first } },
  async handle(context) {
    const { params } = context
    const { lesson } = await getOwnLesson(context, params.lesson_id)
    const version = await getVersion(context, lesson, params.version_id)
    const lineOf = await linesOf(context, lesson, [version])
    return { ...lineOf(version), ...(await contentView(context, version.content, true)) }
  },
})

const restoreLessonVersion = operation({
  id: 'restoreLessonVersion',
  route: 'POST /lessons/:lesson_id/versions/:version_id/restoration',
  summary: 'Restore a lesson version',
  description: 'Restores earlier content of a lesson as a new version. Settings such as the name are not changed.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: VersionRef,
  returns: Lesson,
  fails: [lessonArchived],
  example: { params: { ...lessonExamples.preview, version_id: first } },
  async handle(context) {
    const { db, school, caller, params, now, requireMatch, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    const before = await currentContent(db, school.id, lesson)
    await requireMatch(lesson.revision, () => lessonView(context, { lesson, content: before }))
    checkNotArchived(lesson)
    const { content, number: restores } = await getVersion(context, lesson, params.version_id)
    const fields = changedParts(before, content)
    if (fields.length === 0) return lessonView(context, { lesson, content: before })
    const author = { db, school, now, authorId: caller.member.id }
    const { number } = await addVersion(author, lesson, content, restores)
    const stored = await storeLesson(db, school.id, lesson.id, { ...lesson, version: number })
    const ids = { lesson: toId('les', params.lesson_id), course: toId('crs', course.id) }
    changed({ ids: [ids.lesson], fields, revision: stored.revision })
    record({ type: 'lesson.updated', payload: { ...ids, fields, restores } })
    return lessonView(context, { lesson: stored, content })
  },
})

/** The operations of versions, in the order of the documentation. */
export const versionOperations = [listLessonVersions, getLessonVersion, restoreLessonVersion]
