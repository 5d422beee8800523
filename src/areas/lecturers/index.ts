import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { operations } from './operations.ts'
import { profileExists } from './rules.ts'

export { addLecturer, answerForAvatars, holdLecturer, listLecturersById } from './actions.ts'
export { findLecturerOf, forgetLecturer, moveProfile, profileSeenBy, profilesOf } from './queries.ts'
export { courseCounts, type NamedCourse, soleLecturerOf } from './hooks.ts'
export { refuseSole, soleLecturer } from './rules.ts'
export { Lecturer } from './schema.ts'

/** The public profiles of those who teach. */
export const lecturers = area({
  name: 'lecturers',
  summary: 'The public profiles of those who teach',
  segments: ['lecturers'],
  scopes: {
    'lecturers:read': {
      offeredTo: 'member',
      sentence: { en: 'See the profiles of lecturers', pt: 'Ver os perfis dos docentes' },
    },
    'lecturers:write': {
      offeredTo: 'lecturer',
      sentence: { en: 'Change the profiles of lecturers', pt: 'Alterar os perfis dos docentes' },
    },
  },
  operations,
  constraints: { lecturers_slug: slugTaken, lecturers_member: profileExists },
})
