import { errorsOfCategories } from '#src/areas/courses/categories/index.ts'
import { errorsOfCourseTemplate } from '#src/areas/courses/certificate-templates/index.ts'
import { useFile } from '#src/areas/files/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { checkNames, chooseSlug, moveSlug } from '#src/db/slugs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import { courseSlugs } from './conditions.ts'
import { type CourseRow, type CourseValues, insertCourse } from './queries.ts'
import { BLANK, courseExternalIdTaken, mergeInput } from './rules.ts'
import type { CourseInput } from './schema.ts'

/** The context for checking a course; without a caller any file may become its picture. */
type Where = SchoolContext & { readonly caller?: Caller }

type Before = Pick<CourseRow, 'id' | 'slug' | 'image_file_id' | 'category_ids'>

// Staff can use every file for courses, others only their own: a published course makes its picture public, and lessons
// contain the ids of their files.
const buildOwner = (caller: Caller | undefined): { memberId?: string } =>
  caller?.member === undefined || isStaff(caller) ? {} : { memberId: caller.member.id }

/** Refuses a course with an unknown category or file, or with a slug or external id that another course has. */
export const checkValues = async (context: Where, values: CourseValues, before?: Before): Promise<void> => {
  const { db, school } = context
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'must contain a visible character' }] : []),
    ...(await errorsOfCategories(db, school.id, values.category_ids)),
    ...(await errorsOfCourseTemplate(context, values.certificate_template_id)),
  ])
  await checkNames(db, school.id, courseSlugs, values, { before, externalIdTaken: courseExternalIdTaken })
  const imageId = values.image_file_id
  if (imageId === null || imageId === before?.image_file_id) return
  const file = { id: imageId, pointer: '/image_file_id', purposes: ['course'], isShown: true } as const
  await useFile(context, { ...file, ...buildOwner(context.caller) })
}

/** A course to create; what is not given is as in a blank one. */
export type NewCourseInput = Partial<CourseInput> & Pick<CourseInput, 'name'>

/** Creates a draft; without a slug one is derived from the name. Returns its UUID. */
export const addCourse = async (context: Where & { readonly now: Date }, input: NewCourseInput): Promise<string> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const wanted = slugFor(cleanLine(input.name, 200), id)
  const slug = await chooseSlug(db, school.id, courseSlugs, id, { slug: input.slug, wanted })
  const values = mergeInput({ ...BLANK, slug }, input)
  await checkValues(context, values)
  await insertCourse(db, school.id, id, values)
  await moveSlug(db, school.id, courseSlugs, id, { to: slug })
  return id
}
