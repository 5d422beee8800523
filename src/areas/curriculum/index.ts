import { area } from '#src/contract/area.ts'
import { operations } from './outline/operations.ts'

export { addOutline, copyCurriculum } from './outline/actions.ts'
export { addAssignment, needsAcceptedWork } from '#src/areas/assignments/actions.ts'
export { assignmentExample } from '#src/areas/assignments/operations.ts'
export { type AssignmentRow, findAssignment, resolveDueAgain } from '#src/areas/assignments/queries.ts'
export { dueFor } from '#src/areas/assignments/questions.ts'
export { faultsOfLocal, notAnAssignment } from '#src/areas/assignments/rules.ts'
export { addContent } from '#src/areas/contents/actions.ts'
export { moveAuthor } from '#src/areas/contents/queries.ts'
export { type DripPeriod, listDripPeriods, listDripPeriodsOf } from './drips/queries.ts'
export type { Drip } from './drips/rules.ts'
export { previewedFiles, usesOfFiles } from '#src/areas/contents/files.ts'
export { accessRequired, lessonLocked, whyLocked } from './access.rules.ts'
export { countNodes, findLesson, type LessonRow, listLessons } from './outline/queries.ts'
export { type LessonOpening, lessonsOpen } from './hooks.ts'
export {
  type AnswerContent,
  isAnswered,
  isHundredths,
  isPassed,
  percentageOf,
  pointsOf,
  sumOfPoints,
} from '#src/areas/quizzes/grading/rules.ts'
export { findAsked, findKeys, listAsked, listVersionsAsked, type VersionRef } from '#src/areas/quizzes/questions/queries.ts'
export type { AnswerKey, AskedQuestion, QuestionKind } from '#src/areas/quizzes/questions/rules.ts'
export { Choice, Decimal, gradings, questionKinds } from '#src/areas/quizzes/questions/schema.ts'
export { addQuiz } from '#src/areas/quizzes/quizzes/actions.ts'
export { quizExample } from '#src/areas/quizzes/quizzes/operations.ts'
export { findQuiz, findQuizOfLesson, lessonNeedsPass, listQuizzesOf, type QuizRow } from '#src/areas/quizzes/quizzes/queries.ts'
export { Percentage } from '#src/areas/quizzes/quizzes/schema.ts'
export { lessonTypes } from './outline/schema.ts'
export { warningsOfCourse } from './warnings/actions.ts'
export { listWork, type WorkRow } from '#src/areas/due-work/lessons/queries.ts'

/** What a course is made of: sections, lessons, quizzes, assignments. */
export const curriculum = area({
  name: 'curriculum',
  summary: 'What a course is made of: sections, lessons, quizzes, assignments',
  segments: ['sections', 'lessons', 'attachments', 'quizzes', 'assignments'],
  paths: ['/courses/:course_id/outline', '/courses/:course_id/sections', '/courses/:course_id/lessons'],
  scopes: {
    'curriculum:read': {
      offeredTo: 'member',
      sentence: { en: 'Read the lessons that are open to you', pt: 'Ler as aulas a que tem acesso' },
    },
    'curriculum:write': {
      offeredTo: 'lecturer',
      sentence: { en: 'Create, change and rearrange lessons', pt: 'Criar, alterar e reorganizar aulas' },
    },
  },
  operations,
})
