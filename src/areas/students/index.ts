import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { type EnrollmentPlan, enroll, keepEnrolled } from './enrollments/actions.ts'
export { type EnrollmentRow, findEnrollment } from './enrollments/queries.ts'
export { type LearnedLesson, learnerOf, looksAfter, requireLearning } from './learning.actions.ts'
export { personalLearning } from './personal/actions.ts'
export { accessRequired, lessonLocked } from './rules.ts'

/** Members as learners: enrollments, progress, submissions and grades. */
export const students = area({
  name: 'students',
  summary: 'Members as learners: enrollments, progress, submissions and grades',
  segments: ['students', 'enrollments', 'submissions', 'quiz-attempts'],
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
