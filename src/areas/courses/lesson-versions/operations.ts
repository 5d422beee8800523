import Type from 'typebox'
import {
  addVersion,
  buildContent,
  type Content,
  changedParts,
  contentFields,
  contentView,
  currentContent,
  storedVersions,
} from '#src/areas/courses/contents/index.ts'
import type { CourseRow } from '#src/areas/courses/courses/index.ts'
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
import { exampleFrom } from '#src/contract/example.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { versioned } from '#src/contract/versioned.ts'
import { toId } from '#src/kit/ids.ts'
import { Id, Instant, Nullable, Person } from '#src/kit/shapes.ts'

const { preview } = lessonExamples

const first = exampleFrom('lev', 'listLessonVersions', { having: { number: 1 } })

type LessonWithContent = LessonRow & { readonly course: Pick<CourseRow, 'id'>; readonly content: Content }

const lockWithContent = async (context: AsCaller, ref: string): Promise<LessonWithContent> => {
  const { lesson, course } = await lockOwnLesson(context, ref)
  return { ...lesson, course, content: await currentContent(context.db, context.school.id, lesson) }
}

/** The operations of the versions of a lesson, and the shape of a page of them. */
export const { operations: versionOperations, page: LessonVersionPage } = versioned(storedVersions, {
  id: 'Lesson',
  path: '/lessons/:lesson_id',
  params: LessonRef,
  named: { version_id: Id('lev') },
  who: 'lecturer_of',
  scope: 'curriculum:read',
  line: {
    id: Id('lev'),
    lesson_id: Id('les'),
    number: Type.Integer({ minimum: 1, description: 'The number of the change, from 1' }),
    is_current: Type.Boolean({ description: 'Whether this is the current content of the lesson' }),
    restores: Nullable(Type.Integer({ minimum: 1, description: 'The number of the version that it restored' })),
    author: Nullable(Person),
    created_at: Instant,
  },
  content: contentFields,
  page: 'LessonVersionPage',
  unknown: 'The lesson has no such version.',
  get: async (context, ref) => (await getOwnLesson(context, ref)).lesson,
  renderShown: (context, version) => contentView(context, buildContent(version), true),
  list: {
    summary: "List a lesson's versions",
    description: 'Lists who changed the content of a lesson and when, newest first. Read one version for its content.',
    example: { params: preview },
  },
  read: {
    summary: 'Get a lesson version',
    description: 'Returns the content that a lesson had after one of its changes.',
    example: { params: { ...preview, version_id: first } },
  },
  restore: {
    method: 'POST',
    lock: lockWithContent,
    summary: 'Restore a lesson version',
    description: 'Restores earlier content of a lesson as a new version. Settings such as the name are not changed.',
    scope: 'curriculum:write',
    returns: Lesson,
    example: { params: { ...preview, version_id: first } },
    fact: 'lesson.updated',
    ids: (row: LessonWithContent) => ({ lesson_id: toId('les', row.id), course_id: toId('crs', row.course.id) }),
    check: row => checkNotArchived(row),
    fails: [lessonArchived],
    view: (context, row) => lessonView(context, { lesson: row, content: row.content }),
    async compare({ db, school, caller, now }, row, version) {
      const content = buildContent(version)
      return {
        fields: changedParts(row.content, content),
        async store() {
          const author = { db, school, now, authorId: caller.member.id }
          const { number } = await addVersion(author, row, content, version.number)
          const stored = await storeLesson(db, school.id, row.id, { ...row, version: number })
          return { ...stored, course: row.course, content }
        },
      }
    },
  },
})
