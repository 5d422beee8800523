import { readScope } from '#src/areas/learning/index.ts'
import { dimensionId, type Metric } from '#src/contract/metric.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { courseOfLesson, listTaughtCourses } from './series/queries.ts'

/** The courses whose figures a caller may see: all of them where it is undefined. */
export type Viewer = { readonly courseIds: readonly string[] | undefined }

/** Whose figures a caller may see; refuses callers who teach no course with 403. */
export const readViewer = async (context: AsCaller): Promise<Viewer> => {
  const { taughtBy } = await readScope(context)
  if (taughtBy === undefined) return { courseIds: undefined }
  return { courseIds: await listTaughtCourses(context.db, context.school.id, taughtBy) }
}

/** Whether a caller may see a metric at all. */
export const maySee = ({ courseIds }: Viewer, { who }: Pick<Metric, 'who'>): boolean =>
  courseIds === undefined || who === 'lecturer_of'

/** The values of the dimension `course` that a caller may see; undefined for all rows. */
export const coursesSeen = ({ courseIds }: Viewer): readonly string[] | undefined =>
  courseIds?.map(id => dimensionId('crs', id))

const noItem = (): Refusal => new Refusal(notFound, 'There is no such item.')

/** Refuses a lecturer what is not about their courses: 403 for the whole school, 404 for what others teach. */
export const checkSeries = async (
  { db, school }: AsCaller,
  viewer: Viewer,
  {
    metric,
    item,
    breakdown,
  }: {
    readonly metric: Metric
    readonly item: { readonly prefix: string; readonly uuid: string } | undefined
    readonly breakdown: string | undefined
  },
): Promise<void> => {
  const { courseIds } = viewer
  if (courseIds === undefined) return
  if (!maySee(viewer, metric)) throw new Refusal(roleRequired, 'This metric is for staff.')
  if (item === undefined) {
    if (breakdown === 'course') return
    throw new Refusal(roleRequired, 'Lecturers name one of their courses in `item_id`, or set `breakdown=course`.')
  }
  const courseId = item.prefix === 'crs' ? item.uuid : await courseOfLesson(db, school.id, item.uuid)
  if (courseId === undefined || !courseIds.includes(courseId)) throw noItem()
}
