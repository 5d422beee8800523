import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { explain, languageFor } from './access/operations.ts'
export { Explanation, OwnAccessQuery } from './access/schema.ts'
export { answerEnrolled, seatsTaken } from './answers.actions.ts'
export { type EnrollmentPlan, enroll, onGroupItem } from './enrollments/actions.ts'
export { pageOf } from './enrollments/operations.ts'
export { type EnrollmentRow, findEnrollment, findEnrollmentIn, lockEnrollmentIn } from './enrollments/queries.ts'
export { isGiven } from './enrollments/rules.ts'
export { Enrollment, EnrollmentPage, EnrollmentRef } from './enrollments/schema.ts'
export { type LearnedLesson, learnerOf, looksAfter, requireLearning } from './learning.actions.ts'
export { personalLearning } from './personal/actions.ts'
export { onStudentEnrolled, remindOfEnding } from './reminders/actions.ts'
export { ENDING_JOB } from './reminders/queries.ts'
export { accessRequired, lessonLocked } from './rules.ts'
export { accessStates } from './schema.ts'
export { enrollmentView } from './views.actions.ts'

/** Members as learners: enrollments, progress, submissions and grades. */
export const students = area({
  name: 'students',
  summary: 'Members as learners: enrollments, progress, submissions and grades',
  segments: ['students', 'enrollments', 'submissions', 'quiz-attempts'],
  paths: ['/courses/:course_id/enrollments'],
  borrows: ['courses:read'],
  scopes: {
    'students:read': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'See students, their progress and their grades',
        pt: 'Ver os alunos, o seu progresso e as suas notas',
      },
    },
    'students:write': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'Enroll students, grade their work and end their access',
        pt: 'Inscrever alunos, avaliar trabalhos e terminar acessos',
      },
    },
  },
  operations,
})
