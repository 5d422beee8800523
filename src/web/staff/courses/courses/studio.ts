import { CoursePage } from '#src/areas/courses/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type CourseView, getOutline } from './course.ts'
import { readWarnings, type Shown } from './missing.ts'
import { doIn } from './outline-acts.ts'
import type { OutlineShown } from './outline-view.ts'

const MANAGED = [
  ['managed', 'true'],
  ['sort', 'name'],
  ['limit', '100'],
] as const

// The section or lesson whose form is open: what was asked for, or was refused.
const findEdited = ({ query }: StaffContext, refused: OutlineShown['refused']): string | undefined => {
  if (refused === undefined) return query.get('edit') ?? undefined
  const { name, target } = doIn(refused.form)
  return /^(?:rename|put|give|copy|remove)_/.test(name) ? target.id : undefined
}

/** What the editor of a course shows whatever is open in it; a course that is on sale is not asked what it lacks. */
export const readStudio = async (
  context: StaffContext,
  course: CourseView,
  given: Pick<OutlineShown, 'open' | 'refused'>,
): Promise<{ readonly shown: Shown; readonly view: OutlineShown }> => {
  const edited = findEdited(context, given.refused)
  const [outline, warnings, managed] = await Promise.all([
    getOutline(context, course.id),
    course.status === 'published' ? [] : readWarnings(context, course),
    edited === undefined ? undefined : context.call({ operation: 'listCourses', query: MANAGED, returns: CoursePage }),
  ])
  const others = managed?.data.filter(({ id }) => id !== course.id) ?? []
  return { shown: { course, outline, warnings }, view: { ...given, course, outline, edited, others } }
}
