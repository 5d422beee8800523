import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { addOutline, copyCurriculum } from './actions.ts'
export { addAssignment, needsAcceptedWork } from './assignments/actions.ts'
export { assignmentExample } from './assignments/operations.ts'
export { type AssignmentRow, findAssignment, resolveDueAgain } from './assignments/queries.ts'
export { dueFor } from './assignments/questions.ts'
export { faultsOfLocal, notAnAssignment } from './assignments/rules.ts'
export { addContent } from './contents/actions.ts'
export { moveAuthor } from './contents/queries.ts'
export { type DripPeriod, listDripPeriods, listDripPeriodsOf } from './drips/queries.ts'
export type { Drip } from './drips/rules.ts'
export { previewedFiles, usesOfFiles } from './files.actions.ts'
export { accessRequired, lessonLocked, whyLocked } from './opening.rules.ts'
export { countNodes, findLesson, type LessonRow, listLessons } from './queries.ts'
export { type LessonOpening, lessonsOpen } from './questions.ts'
export {
  type AnswerContent,
  isAnswered,
  isHundredths,
  isPassed,
  percentageOf,
  pointsOf,
  sumOfPoints,
} from './quiz-marks/rules.ts'
export { findAsked, findKeys, listAsked, listVersionsAsked, type VersionRef } from './quiz-questions/queries.ts'
export type { AnswerKey, AskedQuestion, QuestionKind } from './quiz-questions/rules.ts'
export { Choice, Decimal, gradings, questionKinds } from './quiz-questions/schema.ts'
export { addQuiz } from './quizzes/actions.ts'
export { quizExample } from './quizzes/operations.ts'
export { findQuiz, findQuizOfLesson, lessonNeedsPass, listQuizzesOf, type QuizRow } from './quizzes/queries.ts'
export { Percentage } from './quizzes/schema.ts'
export { lessonTypes } from './schema.ts'
export { warningsOfCourse } from './warnings/actions.ts'
export { listWork, type WorkRow } from './work/queries.ts'

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
