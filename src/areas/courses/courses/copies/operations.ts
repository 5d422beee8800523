import type { Static } from 'typebox'
import { copyPrices } from '#src/areas/school/index.ts'
import { declareFor } from '#src/contract/operation.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { picked } from '#src/kit/patch.ts'
import { getCourse, lockOwnCourse } from '../course/access.ts'
import type { CourseRow } from '../course/queries.ts'
import { Course, CourseCopy, CourseRef, CourseSettings } from '../course/schema.ts'
import { courseView } from '../course/views.ts'
import { addCourse } from '../course/writes.ts'
import { courseCopied } from '../hooks.ts'
import { copyTeaching } from '../lecturers/queries.ts'
import { coursePrices } from '../prices/conditions.ts'

const { name: _name, slug: _slug, external_id: _externalId, ...copied } = CourseSettings.properties
const copiedSettings = Object.keys(copied) as (keyof typeof copied)[]

const buildSettings = (row: CourseRow) => ({
  ...row,
  category_ids: [...row.category_ids],
  tags: [...row.tags],
  seo: { title: row.seo_title, description: row.seo_description },
})

// The input of the copy: everything but what names one course alone.
const buildInput = (row: CourseRow, { name, slug }: Static<typeof CourseCopy>) => ({
  name: name ?? row.name,
  ...(slug === undefined ? {} : { slug }),
  ...picked(buildSettings(row), copiedSettings),
})

const copyCourse = declareFor('lecturer_of', 'courses', {
  id: 'copyCourse',
  route: 'POST /courses/:course_id/copies',
  summary: 'Copy a course as a draft',
  description:
    'Creates a draft with the texts, lecturers, categories, tags, current prices and curriculum of a course. Students, reviews and the `external_id` are not copied. The copy gets a slug of its own.',
  params: CourseRef,
  body: CourseCopy,
  returns: Course,
  status: 201,
  fails: [slugTaken],
  example: { params: { course_id: 'slug:sourdough-from-scratch' }, body: { name: 'Sourdough in a week' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record } = context
    const row = await lockOwnCourse(context, params.course_id)
    const copyId = await addCourse({ db, school, now }, buildInput(row, body))
    await copyTeaching(db, school.id, row.id, copyId)
    await copyPrices({ db, schoolId: school.id, now }, coursePrices, row, copyId)
    await courseCopied.call({ fromId: row.id, intoId: copyId, now }, { school, db })
    const ids = { course_id: toId('crs', copyId), copied_from_id: toId('crs', row.id) }
    const stored = await getCourse(context, copyId)
    changed({ ids: [ids.course_id], fields: Object.keys(buildInput(row, body)), revision: stored.revision })
    record({ type: 'course.copied', payload: ids })
    return courseView(context, stored)
  },
})

/** Copies of courses. */
export const copyOperations = [copyCourse]
