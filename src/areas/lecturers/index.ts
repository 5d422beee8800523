import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { operations } from './operations.ts'
import { profileExists } from './rules.ts'

export { addLecturer, holdLecturer, listLecturersById } from './actions.ts'
export { courseCounts, soleLecturerOf } from './hooks.ts'
export { findLecturerOf, profileSeenBy, profilesOf } from './queries.ts'
export { refuseSole, soleLecturer } from './rules.ts'
export { Lecturer } from './schema.ts'

/** The public profiles of those who teach. */
export const lecturers = area({
  name: 'lecturers',
  operations,
  hooks: implementations,
  constraints: { lecturers_slug: slugTaken, lecturers_member: profileExists },
})
