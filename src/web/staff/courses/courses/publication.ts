import { Course, Outline, PublishedCourse } from '#src/areas/courses/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { instantOf, isLocalTime } from '#src/kit/local-time.ts'
import { type FormWithFiles, fileForm, formKeyIn, isReply, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { lineIn } from '../../forms/values.ts'
import { recentStaffOf } from '../../page-request.ts'
import type { StaffSection } from '../../section.ts'
import { type CourseView, getCourse, getOutline } from './course.ts'
import { pathOf } from './frame.ts'
import { type PublicationShown, publicationPage } from './publication-page.ts'

// What the course lacks is what a dry run of its publication warns of; a course in the archive cannot be published.
const warningsOf = async (
  { parts, person, isStaff }: StaffContext,
  course: CourseView,
): Promise<PublicationShown['warnings']> => {
  if (!isStaff || course.status === 'archived') return []
  const params = { course_id: course.id }
  const call = { operation: 'publishCourse', params, body: {}, dryRun: true, returns: PublishedCourse } as const
  return (await parts.performAs(person, call)).result?.warnings ?? []
}

const show = async (context: StaffContext, again?: PublicationShown['again']): Promise<Reply> => {
  const { call } = context
  const course = await getCourse(context)
  const [outline, warnings, school] = await Promise.all([
    getOutline(context, course.id),
    warningsOf(context, course),
    call({ operation: 'getSchool', returns: School }),
  ])
  return publicationPage(context, { course, outline, warnings, timeZone: school.time_zone, again })
}

const instantIn = async ({ call }: StaffContext, form: Pairs): Promise<string> => {
  const local = lineIn(form, 'at').slice(0, 16)
  if (!isLocalTime(local)) refuseInvalid([{ pointer: '/at', code: 'local_time', message: 'is not a time' }])
  const { time_zone } = await call({ operation: 'getSchool', returns: School })
  return instantOf({ local, time_zone }).toISOString()
}

// All lessons are published by one write, which names the outline that the page showed.
const publishLessons = async (context: StaffContext, course: CourseView, form: Pairs): Promise<void> => {
  const { sections } = await getOutline(context, course.id)
  const published = sections.map(({ id, name, lessons }) => ({
    ...{ id, name },
    lessons: lessons.map(lesson => ({ id: lesson.id, name: lesson.name, status: 'published' })),
  }))
  await context.call({
    operation: 'setOutline',
    params: { course_id: course.id },
    body: { sections: published },
    revision: revisionIn(form),
    returns: Outline,
  })
}

const copy = async ({ parts, person }: StaffContext, course: CourseView, form: Pairs): Promise<string> => {
  const name = lineIn(form, 'name')
  const body = name === '' ? {} : { name }
  const call = { operation: 'copyCourse', params: { course_id: course.id }, body, ...formKeyIn(form), returns: Course }
  const { id } = await parts.performAs(person, call)
  return `/staff/courses/${id}?done=copied`
}

const remove = async ({ parts, person }: StaffContext, course: CourseView, form: Pairs): Promise<string> => {
  if (lineIn(form, 'confirm') !== course.name)
    refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not the name of the course' }])
  const call = { operation: 'deleteCourse', params: { course_id: course.id }, revision: revisionIn(form) }
  await parts.performAs(person, call)
  return '/staff/courses?done=deleted'
}

const act = async (context: StaffContext, course: CourseView, form: Pairs): Promise<string> => {
  const path = `${pathOf(course)}/publication`
  const call = (operation: string, body?: object): Promise<undefined> =>
    context.call({
      operation,
      params: { course_id: course.id },
      ...(body === undefined ? {} : { body }),
      revision: revisionIn(form),
    })
  switch (formField(form, 'act')) {
    case 'publish':
      await call('publishCourse', {})
      return `${path}?done=published`
    case 'schedule':
      await call('publishCourse', { at: await instantIn(context, form) })
      return `${path}?done=scheduled`
    case 'unpublish':
      await call('unpublishCourse')
      return `${path}?done=unpublished`
    case 'archive':
      await call('archiveCourse')
      return `${path}?done=archived`
    case 'unarchive':
      await call('unarchiveCourse')
      return `${path}?done=unpublished`
    case 'lessons':
      await publishLessons(context, course, form)
      return `${path}?done=lessons`
    case 'copy':
      return copy(context, course, form)
    case 'delete':
      return remove(context, course, form)
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  if (formField(form, 'act') === 'delete') {
    // What cannot be undone needs a recent sign-in, which leads back to this page.
    const recent = await recentStaffOf(context.request)
    if (isReply(recent)) return recent
  }
  const course = await getCourse(context)
  return shownAgain(
    () => act(context, course, form),
    refusal => show(context, { form, refusal }),
  )
}

/** GET and POST /staff/courses/:course/publication: publish, schedule, archive, copy and delete a course. */
export const coursePublication: StaffSection = {
  // The page of the course leads to it.
  entries: [],
  pages: [
    page('GET /staff/courses/:course/publication', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course/publication', courseTeachers, submit),
  ],
}
