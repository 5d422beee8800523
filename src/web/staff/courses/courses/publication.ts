import { Course, Outline } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isLocalTime, toInstant } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  actForms,
  actIn,
  fieldsFor,
  fileForm,
  hidden,
  line,
  optionalLocalTime,
  page,
  type Refused,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { buildBinned } from '../../pages/binned.ts'
import { type CourseView, getCourse, getOutline } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'
import { countDrafts, listMissing, readWarnings, type Shown } from './missing.ts'

const { publication: text } = texts.staff.courses

type Item = CourseView & { readonly isStaff: boolean }

const fields = {
  schedule: fieldsFor<{ at: string | null }>()(text.acts.schedule.fields, { at: optionalLocalTime() }),
  copy: fieldsFor<{ name: string }>()(text.acts.copy.fields, { name: line({ most: 200 }) }),
}

// Each of the first four has a card of its own, and the lessons their place among what is missing.
const publicationActs = {
  publish: { operation: 'publishCourse', body: {}, offered: () => false },
  unpublish: { operation: 'unpublishCourse', offered: () => false },
  archive: { operation: 'archiveCourse', offered: () => false },
  unarchive: { operation: 'unarchiveCourse', offered: () => false },
  lessons: { operation: 'setOutline', offered: () => false },
  schedule: {
    operation: 'publishCourse',
    fields: fields.schedule,
    offered: ({ isStaff, status }) => isStaff && (status === 'draft' || status === 'scheduled'),
  },
  copy: { operation: 'copyCourse', fields: fields.copy, isOnce: true, offered: () => true },
  delete: { operation: 'deleteCourse', offered: ({ isStaff }) => isStaff },
} as const satisfies Readonly<Record<string, Act<Item>>>

const CARDS = {
  draft: ['publish'],
  scheduled: ['publish', 'unpublish'],
  published: ['unpublish', 'archive'],
  archived: ['unarchive'],
} as const

const renderDrafts = ({ t, form }: StaffContext, shown: Shown): Html | undefined => {
  const n = countDrafts(shown)
  if (n === 0) return undefined
  const inside = html`${hidden({ act: 'lessons', revision: shown.outline.revision })}<button class="plain" type="submit">${t(text.publishLessons)}</button>`
  return html`<li class="act"><span>${t(text.drafts, { n })}</span>${form(inside)}</li>\n`
}

const renderMissing = (context: StaffContext, shown: Shown): Html => {
  const { t } = context
  const drafts = renderDrafts(context, shown)
  const items = [...(drafts === undefined ? [] : [drafts]), ...listMissing(context, shown)]
  if (items.length === 0) return html`<p class="done">${t(text.ready)}</p>`
  return html`<h2>${t(text.missing)}</h2>
<ul class="list">\n${items}</ul>
<p class="quiet">${t(text.missingAbout)}</p>`
}

const renderCard = (act: (typeof CARDS)[keyof typeof CARDS][number], { t, form }: StaffContext, revision: number) => {
  const { about, button } = text.acts[act]
  const inside = html`${hidden({ act, revision })}<p class="quiet">${t(about)}</p>
<button type="submit"${act === 'publish' && html` class="main"`}>${t(button)}</button>`
  return html`<div class="card">${form(inside)}</div>\n`
}

const showPublication = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, time, school, isStaff } = context
  const course = await getCourse(context)
  const [outline, warnings] = await Promise.all([getOutline(context, course.id), readWarnings(context, course)])
  const reader = { ...context, values: { zone: school.timeZone } }
  const item = { ...course, isStaff }
  const at = course.publish_at ?? null
  return renderCoursePart(context, course, {
    title: text.title,
    refusal: refused?.refusal,
    sets: Object.values(fields),
    body: html`${course.status !== 'archived' && renderMissing(context, { course, outline, warnings })}
${isStaff ? CARDS[course.status].map(act => renderCard(act, context, course.revision)) : html`<p class="note">${t(text.forStaff)}</p>`}
${isStaff && at !== null && html`<p>${t(text.scheduledAt, { at: time(at) })}</p>\n`}${actForms(reader, { acts: publicationActs, item, texts: text.acts, refused })}`,
  })
}

// Times are typed in the time zone of the school.
const instantIn = (typed: Pairs, { school }: StaffContext): string => {
  const local = formField(typed, 'at').trim().slice(0, 16)
  if (!isLocalTime(local)) refuseInvalid([{ pointer: '/at', code: 'local_time', message: 'is not a time' }])
  return toInstant({ local, time_zone: school.timeZone }).toISOString()
}

// All lessons are published by one write, which names the outline that the page showed.
const publishLessons = async (context: StaffContext, course: CourseView, revision: number): Promise<void> => {
  const { sections } = await getOutline(context, course.id)
  const published = sections.map(({ id, name, lessons }) => ({
    id,
    name,
    lessons: lessons.map(lesson => ({ id: lesson.id, name: lesson.name, status: 'published' })),
  }))
  const params = { course_id: course.id }
  const body = { sections: published }
  await context.call({ operation: 'setOutline', params, body, revision, returns: Outline })
}

const doneWith: Readonly<Record<string, string>> = {
  publish: 'published',
  schedule: 'scheduled',
  unpublish: 'unpublished',
  archive: 'archived',
  unarchive: 'unpublished',
  lessons: 'lessons',
}

const perform = async (context: StaffContext, course: CourseView, typed: Pairs): Promise<string> => {
  const params = { course_id: course.id }
  const { name: act, call } = actIn(publicationActs, typed, { params, reader: context })
  if (act === 'copy') {
    const body = formField(typed, 'name').trim() === '' ? {} : call.body
    return `/staff/courses/${(await context.call({ ...call, body, returns: Course })).id}?done=copied`
  }
  if (act === 'delete') {
    await context.call({ operation: 'deleteCourse', params, revision: revisionIn(typed) })
    return buildBinned('/staff/courses', course.id)
  }
  // The bar of the editor publishes the lessons with the course.
  const outline = formField(typed, 'outline_revision')
  if (act === 'publish' && formField(typed, 'lessons') === 'yes')
    await publishLessons(context, course, /^\d{1,9}$/.test(outline) ? Number(outline) : 0)
  if (act === 'lessons') await publishLessons(context, course, revisionIn(typed))
  else await context.call(act === 'schedule' ? { ...call, body: { at: instantIn(typed, context) } } : call)
  const page = formField(typed, 'from') === 'editor' ? '' : '/publication'
  return `${buildPath(course)}${page}?done=${doneWith[act]}`
}

/** GET and POST /staff/courses/:course/publication: publish, schedule, archive, copy and delete a course. */
export const coursePublication = [
  page('GET /staff/courses/:course/publication', courseTeachers, context => showPublication(context)),
  fileForm('POST /staff/courses/:course/publication', courseTeachers, async (context, { form: typed }) => {
    const act = formField(typed, 'act')
    const course = await getCourse(context)
    return shownAgain(
      () => perform(context, course, typed),
      refusal => showPublication(context, { act, typed, refusal }),
    )
  }),
]
