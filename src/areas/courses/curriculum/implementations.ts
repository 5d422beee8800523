import { buildViewer, courseFigures } from '#src/areas/courses/courses/index.ts'
import { ownBinned } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { ownSubjects, subjectNames, subjectOf } from '#src/contract/subject.ts'
import { lessonsCommentedFor, lessonsTaughtBy } from './lessons/subjects.conditions.ts'
import { lessonSubject, lessonSubjectNames } from './lessons/subjects.lookups.ts'
import { countNodes } from './nodes/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(courseFigures, ({ courseIds }, { db, school }) => countNodes(db, school.id, courseIds)),
  implement(ownBinned, async ({ caller }, { school }) => lessonsTaughtBy(school.id, caller.member.id)),
  implement(subjectOf, (input, context) => lessonSubject(context, input)),
  implement(subjectNames, (input, context) => lessonSubjectNames(context, input)),
  implement(ownSubjects, async ({ caller }, { school }) => ({
    type: 'lesson',
    ids: lessonsCommentedFor(school.id, buildViewer(caller)),
  })),
]
