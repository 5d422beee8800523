import type { Static } from 'typebox'
import { categoryViewsById } from '#src/areas/categories/index.ts'
import { faultsOfCourseTemplate } from '#src/areas/certificate-templates/index.ts'
import { listLecturersById } from '#src/areas/lecturers/index.ts'
import { fileViews, useFile } from '#src/areas/storage/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid, roleRequired, slugTaken } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { lockSlug } from '#src/db/ref.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { type CourseFigures, courseFigures } from '../hooks.ts'
import { priceView } from '../prices/actions.ts'
import { listPricesOf, type PriceRow } from '../prices/queries.ts'
import { isSoldOut, type Taken, takenSeats } from '../prices/seats.ts'
import {
  type CourseRow,
  type CourseValues,
  findCourseRow,
  insertCourse,
  listCoursesIn,
  lockCategories,
  lockCourseRow,
  type Viewer,
} from './queries.ts'
import { cleanTags, courseExternalIdTaken } from './rules.ts'
import type { Course, CourseInput } from './schema.ts'
import { freeCourseSlug, moveCourseSlug, takenOf } from './slugs.queries.ts'

/** Who looks at courses, of a caller. */
export const viewerOf = (caller: Caller): Viewer => ({ memberId: caller.member?.id, isStaff: isStaff(caller) })

/** Where somebody looks at courses, and what they want embedded. */
export type Looking = {
  readonly db: Db
  readonly school: School
  readonly caller: Caller
  expands?(relation: string): boolean
}

/** The same, where files are shown. */
export type Showing = Looking & { keyFor(purpose: string): Buffer }

/** Whether a caller runs the course: staff, and those who teach it. */
export const canManageCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): boolean =>
  isStaff(caller) || row.is_lecturer

const NONE: CourseFigures = {
  ...{ section_count: 0, lesson_count: 0, duration_seconds: 0, enrollment_count: 0 },
  ...{ rating_average: null, rating_count: 0 },
}

const figuresOf = async ({ db, school }: Looking, courseIds: readonly string[]) => {
  const figures = await courseFigures.call({ courseIds }, { school, db })
  return (id: string): CourseFigures => Object.assign({}, NONE, ...figures.map(one => one.get(id)))
}

type Related = Pick<Static<typeof Course>, 'lecturers' | 'categories' | 'prices'>

// What was asked to be embedded, of all courses of a page at once.
const relatedOf = async (
  looking: Showing,
  rows: readonly CourseRow[],
  prices: readonly PriceRow[],
  taken: Taken,
): Promise<(row: CourseRow) => Related> => {
  const wants = (relation: string): boolean => looking.expands?.(relation) ?? false
  const [lecturers, categories] = await Promise.all([
    wants('lecturers')
      ? listLecturersById(
          looking,
          rows.flatMap(row => row.lecturer_ids),
        )
      : [],
    wants('categories')
      ? categoryViewsById(
          looking,
          rows.flatMap(row => row.category_ids),
        )
      : [],
  ])
  return row => ({
    ...(wants('lecturers')
      ? { lecturers: lecturers.filter(({ id }) => row.lecturer_ids.some(one => toId('lec', one) === id)) }
      : {}),
    ...(wants('categories')
      ? { categories: categories.filter(({ id }) => row.category_ids.some(one => toId('cat', one) === id)) }
      : {}),
    ...(wants('prices')
      ? {
          prices: prices
            .filter(price => price.course_id === row.id && price.status === 'active')
            .map(price => priceView(price, row, taken)),
        }
      : {}),
  })
}

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

const templateId = ({ certificate_template_id: id }: CourseRow): string | null => id && toId('ctp', id)

const plainView = (row: CourseRow, caller: Caller) => ({
  id: toId('crs', row.id),
  name: row.name,
  slug: row.slug,
  subtitle: row.subtitle,
  description: row.description,
  visibility: row.visibility,
  category_ids: row.category_ids.map(id => toId('cat', id)),
  tags: [...row.tags],
  image_file_id: row.image_file_id === null ? null : toId('fil', row.image_file_id),
  seo: { title: row.seo_title, description: row.seo_description },
  // What another system calls it, and what is planned, is the school's own.
  ...(canManageCourse(caller, row)
    ? { external_id: row.external_id, publish_at: instant(row.publish_at), certificate_template_id: templateId(row) }
    : {}),
  status: row.status,
  published_at: instant(row.published_at),
  lecturer_ids: row.lecturer_ids.map(id => toId('lec', id)),
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Courses as a caller sees them, with what the caller asked to be embedded. */
export const courseViews = async (looking: Showing, rows: readonly CourseRow[]): Promise<Static<typeof Course>[]> => {
  const ids = rows.map(({ id }) => id)
  const imageIds = rows.flatMap(row => (row.image_file_id === null ? [] : [row.image_file_id]))
  const [figures, prices, images] = await Promise.all([
    figuresOf(looking, ids),
    listPricesOf(looking.db, looking.school.id, ids),
    fileViews(looking, imageIds),
  ])
  const taken = await takenSeats(looking, prices)
  const related = await relatedOf(looking, rows, prices, taken)
  return rows.map(row => {
    const primary = prices.find(({ id }) => id === row.primary_price_id)
    return {
      ...plainView(row, looking.caller),
      ...figures(row.id),
      image: (row.image_file_id === null ? undefined : images.get(row.image_file_id)) ?? null,
      primary_price: primary === undefined ? null : priceView(primary, row, taken),
      sold_out: isSoldOut(
        prices.filter(({ course_id }) => course_id === row.id),
        taken,
      ),
      ...related(row),
    }
  })
}

/** One course as a caller sees it. */
export const courseView = async (looking: Showing, row: CourseRow): Promise<Static<typeof Course>> => {
  const [view] = await courseViews(looking, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}

/** Some courses as a caller sees them who may know of each, be it archived, by their ids on the wire; drafts are left out. */
export const courseViewsIn = async (
  looking: Showing,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Static<typeof Course>>> => {
  const rows = await listCoursesIn(looking.db, looking.school.id, viewerOf(looking.caller), [...new Set(ids)])
  return new Map((await courseViews({ ...looking, expands: () => false }, rows)).map(view => [view.id, view]))
}

const nothing = (): Refusal => new Refusal(notFound, 'There is no such course.')

/** The course a path names, as its caller may find it; refuses with 404 what the caller may not see. */
export const getCourse = async ({ db, school, caller }: Looking, ref: string): Promise<CourseRow> => {
  const row = await findCourseRow(db, school.id, viewerOf(caller), ref)
  if (row === undefined) throw nothing()
  return row
}

/** The course a path names when it is archived, whoever asks: a later room knows who may use it all the same. */
export const findArchivedCourse = async (
  { db, school, caller }: Looking,
  ref: string,
): Promise<CourseRow | undefined> => {
  const row = await findCourseRow(db, school.id, { ...viewerOf(caller), isStaff: true }, ref)
  return row?.status === 'archived' ? row : undefined
}

/** The same, held until the transaction ends. */
export const lockCourse = async (looking: Looking, ref: string): Promise<CourseRow> => {
  const id = await lockCourseRow(looking.db, looking.school.id, ref)
  if (id === undefined) throw nothing()
  return getCourse(looking, toId('crs', id))
}

/** The lock of `lecturer_of`: 404 for who may not see the course, 403 for who sees it and does not run it. */
export const checkManagesCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): void => {
  if (!canManageCourse(caller, row))
    throw new Refusal(roleRequired, 'This is for staff and for the lecturers of the course.')
}

/** The course a path names, held, for staff and its lecturers alone. */
export const lockOwnCourse = async (looking: Looking, ref: string): Promise<CourseRow> => {
  const row = await lockCourse(looking, ref)
  checkManagesCourse(looking.caller, row)
  return row
}

/** Whether a member is a lecturer of a course, whatever their role. */
export const isLecturerOf = async (db: Db, school: School, memberId: string, courseId: string): Promise<boolean> =>
  (await findCourseRow(db, school.id, { memberId, isStaff: false }, toId('crs', courseId)))?.is_lecturer ?? false

// An id of the right form that nothing has stays one, and is refused as such.
const uuidOf = (prefix: 'cat' | 'fil' | 'ctp', id: string): string => fromId(prefix, id) ?? ''

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** A course as it is stored after what somebody said of it. */
export const mergeInput = (before: CourseValues, said: Partial<CourseInput>): CourseValues => ({
  name: said.name === undefined ? before.name : cleanLine(said.name, 200),
  slug: said.slug ?? before.slug,
  subtitle: said.subtitle === undefined ? before.subtitle : cleanLine(said.subtitle, 300),
  description: said.description ?? before.description,
  visibility: said.visibility ?? before.visibility,
  image_file_id:
    said.image_file_id === undefined ? before.image_file_id : said.image_file_id && uuidOf('fil', said.image_file_id),
  seo_title: said.seo === undefined ? before.seo_title : line(said.seo.title, 120),
  seo_description: said.seo === undefined ? before.seo_description : line(said.seo.description, 320),
  external_id: said.external_id === undefined ? before.external_id : said.external_id,
  certificate_template_id:
    said.certificate_template_id === undefined
      ? before.certificate_template_id
      : said.certificate_template_id && uuidOf('ctp', said.certificate_template_id),
  tags: said.tags === undefined ? before.tags : cleanTags(said.tags),
  category_ids: said.category_ids?.map(id => uuidOf('cat', id)).sort() ?? before.category_ids,
})

const BLANK: CourseValues = {
  ...{ name: '', slug: '', subtitle: '', description: '', visibility: 'listed' },
  ...{ image_file_id: null, seo_title: null, seo_description: null, external_id: null, tags: [], category_ids: [] },
  certificate_template_id: null,
}

/** Where a course is checked; without a caller nobody asks for a picture that was not there before. */
type Where = Pick<Looking, 'db' | 'school'> & { readonly caller?: Caller }
type Before = Pick<CourseRow, 'id' | 'slug' | 'image_file_id' | 'category_ids'>

// Staff use every file that is for courses, others their own: a published course opens its picture to everybody, and the
// id of a file stands in every lesson that shows it.
const ownerOf = (caller: Caller | undefined): { memberId?: string } =>
  caller?.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

/** Refuses a course that cannot be stored: an unknown category or file, a slug or external id that is taken. */
export const checkValues = async (looking: Where, values: CourseValues, before?: Before): Promise<void> => {
  const { db, school } = looking
  const kept = await lockCategories(db, school.id, values.category_ids)
  const unknown = values.category_ids.flatMap((id, index) =>
    kept.includes(id) ? [] : [{ pointer: `/category_ids/${index}`, code: 'unknown', message: 'is not a category' }],
  )
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'has nothing visible' }] : []),
    ...unknown,
    ...(await faultsOfCourseTemplate(looking, values.certificate_template_id)),
  ])
  if (before !== undefined && values.slug !== before.slug) await lockSlug(db, school.id, 'course', values.slug)
  const taken = await takenOf(db, school.id, values, before?.id)
  if (taken.slug) throw new Refusal(slugTaken, 'Another course has this slug.')
  if (taken.externalId) throw new Refusal(courseExternalIdTaken, 'Another course has this external_id.')
  const imageId = values.image_file_id
  if (imageId === null || imageId === before?.image_file_id) return
  const file = { id: toId('fil', imageId), pointer: '/image_file_id', purposes: ['course'] } as const
  await useFile(looking, { ...file, ...ownerOf(looking.caller) })
}

/** Makes a draft of what somebody said of it; without a slug one is made of the name. Gives the row's id. */
export const addCourse = async (
  where: Where & { readonly now: Date },
  said: Partial<CourseInput> & Pick<CourseInput, 'name'>,
): Promise<string> => {
  const { db, school, now } = where
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(said.name, 200), id)
  await lockSlug(db, school.id, 'course', said.slug ?? wanted)
  const slug = said.slug ?? (await freeCourseSlug(db, school.id, wanted, id))
  const values = mergeInput({ ...BLANK, slug }, said)
  await checkValues(where, values)
  await insertCourse(db, school.id, id, values)
  await moveCourseSlug(db, school.id, id, { to: slug })
  return id
}
