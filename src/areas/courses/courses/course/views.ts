import type { Static } from 'typebox'
import { categoryViewsById } from '#src/areas/courses/categories/index.ts'
import { listLecturersById } from '#src/areas/courses/lecturers/index.ts'
import { fileViews } from '#src/areas/files/index.ts'
import { type PriceRow, priceView } from '#src/areas/school/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { picked } from '#src/kit/patch.ts'
import { type CourseFigures, courseFigures } from '../hooks.ts'
import { listCoursePrices, takenSeats } from '../prices/lookups.ts'
import { isSoldOut, seatsLeft, type TakenSeats } from '../prices/rules.ts'
import { buildViewer, canManageCourse, type Looking } from './access.ts'
import { type CourseRow, listCoursesIn } from './queries.ts'
import { type Course, shownSettings } from './schema.ts'

/** The context for the views of courses with their files and embedded relations. */
type Showing = Looking & Pick<ReadContext, 'keyFor'>

const NONE: CourseFigures = {
  section_count: 0,
  lesson_count: 0,
  duration_seconds: 0,
  enrollment_count: 0,
  rating_average: null,
  rating_count: 0,
}

const readFigures = async ({ db, school }: Looking, courseIds: readonly string[]) => {
  const figures = await courseFigures.call({ courseIds }, { school, db })
  return (id: string): CourseFigures => Object.assign({}, NONE, ...figures.map(one => one.get(id)))
}

type Related = Pick<Static<typeof Course>, 'lecturers' | 'categories' | 'prices'>

// The embedded relations of all courses of a page at once.
const readRelated = async (
  context: Showing,
  rows: readonly CourseRow[],
  prices: readonly PriceRow[],
  taken: TakenSeats,
): Promise<(row: CourseRow) => Related> => {
  const wants = (relation: string): boolean => context.expands?.(relation) ?? false
  const [lecturers, categories] = await Promise.all([
    wants('lecturers')
      ? listLecturersById(
          context,
          rows.flatMap(row => row.lecturer_ids),
        )
      : [],
    wants('categories')
      ? categoryViewsById(
          context,
          rows.flatMap(row => row.category_ids),
        )
      : [],
  ])
  return row => ({
    ...(wants('lecturers')
      ? { lecturers: lecturers.filter(({ id }) => row.lecturer_ids.some(one => one === id)) }
      : {}),
    ...(wants('categories')
      ? { categories: categories.filter(({ id }) => row.category_ids.some(one => one === id)) }
      : {}),
    ...(wants('prices')
      ? {
          prices: prices
            .filter(price => price.item_id === row.id && price.status === 'active')
            .map(price => priceView(price, row, seatsLeft(price, taken))),
        }
      : {}),
  })
}

const plainView = (row: CourseRow, caller: Caller) => ({
  id: row.id,
  ...picked(row, shownSettings),
  seo: { title: row.seo_title, description: row.seo_description },
  category_ids: [...row.category_ids],
  tags: [...row.tags],
  // The external id and the planned publication are for those who manage the course.
  ...(canManageCourse(caller, row)
    ? {
        external_id: row.external_id,
        publish_at: row.publish_at,
        certificate_template_id: row.certificate_template_id,
      }
    : {}),
  status: row.status,
  published_at: row.published_at,
  lecturer_ids: [...row.lecturer_ids],
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The views of courses for a caller, with the relations to embed. */
export const courseViews = async (context: Showing, rows: readonly CourseRow[]): Promise<Static<typeof Course>[]> => {
  const ids = rows.map(({ id }) => id)
  const imageIds = rows.flatMap(row => (row.image_file_id === null ? [] : [row.image_file_id]))
  const [figures, prices, images] = await Promise.all([
    readFigures(context, ids),
    listCoursePrices(context.db, context.school.id, ids),
    fileViews(context, imageIds),
  ])
  const taken = await takenSeats(context, prices)
  const related = await readRelated(context, rows, prices, taken)
  return rows.map(row => {
    const primary = prices.find(({ id }) => id === row.primary_price_id)
    return {
      ...plainView(row, context.caller),
      ...figures(row.id),
      image: (row.image_file_id === null ? undefined : images.get(row.image_file_id)) ?? null,
      primary_price: primary === undefined ? null : priceView(primary, row, seatsLeft(primary, taken)),
      sold_out: isSoldOut(
        prices.filter(({ item_id }) => item_id === row.id),
        taken,
      ),
      ...related(row),
    }
  })
}

/** The view of one course for a caller. */
export const courseView = async (context: Showing, row: CourseRow): Promise<Static<typeof Course>> => {
  const [view] = await courseViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}

/** The views of courses, archived ones too, for a caller who may know of them, by their ids on the wire; drafts are left out. */
export const courseViewsIn = async (
  context: Showing,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Static<typeof Course>>> => {
  const rows = await listCoursesIn(context.db, context.school.id, buildViewer(context.caller), [...new Set(ids)])
  return new Map((await courseViews({ ...context, expands: () => false }, rows)).map(view => [view.id, view]))
}
