import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { implementations } from './implementations.ts'
import { operations } from './lecturer/operations.ts'
import { profileExists } from './lecturer/rules.ts'

export { courseCounts, soleLecturerOf } from './hooks.ts'
export { lockLecturerByRef } from './lecturer/access.ts'
export { buildProfiles, buildVisibleProfile, profileSeenBy } from './lecturer/conditions.ts'
export { listLecturersById } from './lecturer/lookups.ts'
export { countVisible, findLecturerByMember, listVisibleSlugs } from './lecturer/queries.ts'
export { refuseSole, soleLecturer } from './lecturer/rules.ts'
export { Lecturer, LecturerPage } from './lecturer/schema.ts'
export { addLecturer } from './lecturer/writes.ts'

/** The public profiles of lecturers. */
export const lecturers = area({
  name: 'lecturers',
  operations,
  hooks: implementations,
  constraints: { lecturers_slug: slugTaken, lecturers_member: profileExists },
})
