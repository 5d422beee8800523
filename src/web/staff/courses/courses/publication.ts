import { Course, Outline, PublishedCourse } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { Warning } from '#src/contract/warning.ts'
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
import { type CourseView, getCourse, getOutline, type OutlineView } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'

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

type Shown = {
  readonly course: CourseView
  readonly outline: OutlineView
  readonly warnings: readonly Warning[]
}

// What the course lacks is what a dry run of its publication warns of; a course in the archive cannot be published.
const readWarnings = async ({ call, isStaff }: StaffContext, course: CourseView): Promise<Shown['warnings']> => {
  if (!isStaff || course.status === 'archived') return []
  const params = { course_id: course.id }
  const dryRun = { operation: 'publishCourse', params, body: {}, dryRun: true, returns: PublishedCourse } as const
  return (await call(dryRun)).result?.warnings ?? []
}

const listLessons = ({ outline }: Shown) => outline.sections.flatMap(({ lessons }) => lessons)

const findRemedy = (code: string, path: string): readonly [href: string, label: Phrase] => {
  if (code === 'no_price') return [`${path}/prices`, texts.words.addPrice]
  return code === 'cannot_be_paid' ? ['/staff/payments', texts.staff.unpaid.link] : [path, text.toOutline]
}

const renderWarning = ({ code, message, ids }: Warning, { t }: StaffContext, shown: Shown): Html => {
  const phrases: Readonly<Record<string, Phrase>> = text.warnings
  const phrase = phrases[code]
  const path = buildPath(shown.course)
  const named = listLessons(shown).filter(({ id }) => ids.includes(id))
  const links = named.map(({ id, name }) => html` <a href="${path}/lessons/${id}"><bdi>${name}</bdi></a>`)
  const [href, label] = findRemedy(code, path)
  return html`<li>${phrase === undefined ? message : t(phrase)} ${links.length > 0 ? links : html`<a href="${href}">${t(label)}</a>`}</li>\n`
}

const renderDrafts = ({ t, form }: StaffContext, shown: Shown): Html | undefined => {
  const n = listLessons(shown).filter(({ status }) => status === 'draft').length
  if (n === 0) return undefined
  const inside = html`${hidden({ act: 'lessons', revision: shown.outline.revision })}<button class="plain" type="submit">${t(text.publishLessons)}</button>`
  return html`<li class="act"><span>${t(text.drafts, { n })}</span>${form(inside)}</li>\n`
}

const renderMissing = (context: StaffContext, shown: Shown): Html => {
  const { t } = context
  const { course, warnings } = shown
  const details = html`<a href="${buildPath(course)}/details">${t(text.toDetails)}</a>`
  const drafts = renderDrafts(context, shown)
  // Lessons that are all drafts are named once, with the button that publishes them.
  const others = drafts === undefined ? warnings : warnings.filter(({ code }) => code !== 'no_lessons')
  const items = [
    drafts,
    ...others.map(warning => renderWarning(warning, context, shown)),
    course.image === null ? html`<li>${t(texts.words.noPicture)} ${details}</li>\n` : undefined,
    course.description.trim() === '' ? html`<li>${t(text.noDescription)} ${details}</li>\n` : undefined,
  ].filter(item => item !== undefined)
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
    tab: 'publication',
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
const publishLessons = async (context: StaffContext, course: CourseView, typed: Pairs): Promise<void> => {
  const { sections } = await getOutline(context, course.id)
  const published = sections.map(({ id, name, lessons }) => ({
    id,
    name,
    lessons: lessons.map(lesson => ({ id: lesson.id, name: lesson.name, status: 'published' })),
  }))
  const params = { course_id: course.id }
  const [body, revision] = [{ sections: published }, revisionIn(typed)]
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
  if (act === 'lessons') await publishLessons(context, course, typed)
  else await context.call(act === 'schedule' ? { ...call, body: { at: instantIn(typed, context) } } : call)
  return `${buildPath(course)}/publication?done=${doneWith[act]}`
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
