import Type, { type Static } from 'typebox'
import { Category } from '#src/areas/courses/categories/index.ts'
import { Lecturer } from '#src/areas/courses/lecturers/index.ts'
import { FileView } from '#src/areas/files/index.ts'
import { listingSettings, Tag, visibilities } from '#src/contract/listing.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Price } from '#src/contract/price.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, CommentMode, ExternalId, Id, Instant, Nullable, OneOf, Recorded, Ref, Slug } from '#src/kit/shapes.ts'

/** The status of a course. */
const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

const { seo, ...listing } = listingSettings('course')

/** The writable fields of a course. */
export const CourseSettings = Type.Object({
  ...listing,
  image_file_id: Nullable(Id('fil')),
  seo,
  certificate_template_id: Nullable(Id('ctp')),
  comments: { ...CommentMode, default: 'open' },
  external_id: Nullable(ExternalId),
})

const { external_id, certificate_template_id: templateId, ...open } = CourseSettings.properties
const { seo: _seo, tags: _tags, category_ids: _categories, ...columns } = CourseSettings.properties
const { seo: _object, ...shown } = open

/** The settings of a course that are columns of its row, and the two of `seo`. */
export const storedColumns = [
  ...(Object.keys(columns) as (keyof typeof columns)[]),
  'seo_title',
  'seo_description',
] as const

/** The settings that everybody reads as they are stored. */
export const shownSettings = Object.keys(shown) as (keyof typeof shown)[]
const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** A course of a school. */
export const Course = Closed('Course', {
  id: Id('crs'),
  ...open,
  external_id: Type.Optional(external_id),
  certificate_template_id: Type.Optional(templateId),
  status: OneOf(statuses, 'How far it has got; only a published course is public'),
  image: Nullable(FileView),
  publish_at: Type.Optional(Nullable(Instant)),
  published_at: Nullable(Instant),
  lecturer_ids: Type.Array(Id('lec'), { description: 'The lecturers of the course' }),
  primary_price: Nullable(Price),
  section_count: Count('How many sections it has'),
  lesson_count: Count('How many lessons it has'),
  duration_seconds: Count('How long its lessons are together'),
  enrollment_count: Count('How many members are or were enrolled'),
  rating_average: Nullable(
    Type.Number({ minimum: 1, maximum: 5, description: 'The average of the published reviews, to two decimals' }),
  ),
  rating_count: Count('How many published reviews it has'),
  sold_out: Type.Boolean({ description: 'Whether it has prices but none with a seat left' }),
  lecturers: Type.Optional(Type.Array(Lecturer, { description: 'With expand=lecturers' })),
  categories: Type.Optional(Type.Array(Category, { description: 'With expand=categories' })),
  prices: Type.Optional(Type.Array(Price, { description: 'With expand=prices: the active prices' })),
  ...Recorded,
})

/** A new course; only the name is required. */
export const NewCourse = Closed('NewCourse', { ...Type.Partial(CourseSettings).properties, name: open.name })

/** A change of a course. */
export const CourseChanges = MergePatch(CourseSettings, 'CourseChanges')

/** A copy of a course. */
export const CourseCopy = Closed('CourseCopy', { name: Type.Optional(open.name), slug: Type.Optional(Slug) })

/** How a deleted course comes back. */
export const CourseRestoration = Closed('CourseRestoration', { slug: Type.Optional(Slug) })

/** The course in a path. */
export const CourseRef = Type.Object({ course_id: Ref('crs', ['external', 'slug']) })

/** The keys a list of courses can be sorted by. */
const sortKeys = ['created_at', 'name'] as const

/** The query parameters of the list of courses. */
export const CoursesQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(sortKeys),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of name, subtitle and tags' }),
  ),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  visibility: Type.Optional(OneOf(visibilities, 'Only this visibility')),
  category_id: Type.Optional(Id('cat')),
  tag: Type.Optional(Tag),
  lecturer_id: Type.Optional(Id('lec')),
  managed: Type.Optional(
    Type.Boolean({ description: 'true: only courses that the caller manages: staff all, lecturers those they teach' }),
  ),
  'id[in]': Type.Optional(
    Type.Array(Id('crs'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
  'updated_at[gte]': Type.Optional(Instant),
})

/** One page of the courses. */
export const CoursePage = PageOf(Course, 'CoursePage')

/** The query parameters of the list of courses, as values. */
export type ListCoursesParams = Static<typeof CoursesQuery>

/** The input of a course, as values. */
export type CourseInput = Static<typeof CourseSettings>
