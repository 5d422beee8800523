import { area } from '#src/contract/area.ts'
import { operations } from './operations.ts'

export { addOutline, copyCurriculum } from './actions.ts'
export { countNodes } from './queries.ts'
export { type LessonOpening, lessonsOpen } from './questions.ts'

/** What a course is made of: sections, lessons, quizzes, assignments. */
export const curriculum = area({
  name: 'curriculum',
  summary: 'What a course is made of: sections, lessons, quizzes, assignments',
  segments: ['sections', 'lessons', 'attachments', 'quizzes', 'assignments'],
  paths: ['/courses/:course_id/outline'],
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
