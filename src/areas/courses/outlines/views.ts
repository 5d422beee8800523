import type { Static } from 'typebox'
import { type CourseRow, canManageCourse } from '#src/areas/courses/courses/index.ts'
import { type OutlineRow, settingNames } from '#src/areas/courses/curriculum/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { picked } from '#src/kit/patch.ts'
import type { Nodes } from './lookups.ts'
import type { Outline, OutlineLesson } from './schema.ts'

const lessonView = (row: Nodes['lessons'][number]): Static<typeof OutlineLesson> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  ...picked(row, settingNames),
  drip: row.drip,
  revision: row.revision,
})

/** The outline of a course without archived nodes; those who do not manage the course see published lessons. */
export const outlineView = (
  { course, caller }: { readonly course: CourseRow; readonly caller: Caller },
  outline: OutlineRow | undefined,
  { sections, lessons }: Nodes,
): Static<typeof Outline> => {
  const canManage = canManageCourse(caller, course)
  const visible = lessons.filter(one => one.archived_at === null && (canManage || one.status === 'published'))
  const views = sections
    .filter(one => one.archived_at === null)
    .map(({ id, name, revision }) => ({
      id,
      name,
      lessons: visible.filter(one => one.section_id === id).map(lessonView),
      revision,
    }))
  return {
    course_id: course.id,
    sections: canManage ? views : views.filter(one => one.lessons.length > 0),
    revision: outline?.revision ?? 1,
    updated_at: outline === undefined ? null : outline.updated_at,
  }
}
