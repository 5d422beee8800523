import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, formOf, framed, hidden } from '#src/web/page/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import { personName } from '../../teaching/names.ts'
import { facts } from '../../teaching/parts.ts'
import { attemptLine, workLine } from '../grading/entries.ts'
import { accessPart } from './access-part.ts'
import { certificatesPart } from './certificates-part.ts'
import { enrollmentText as text } from './enrollment-text.ts'
import type { EnrollmentView } from './enrollment-view.ts'
import { studentRefusals, studentsText } from './text.ts'

const nameOf = ({ enrollment, context }: EnrollmentView): string =>
  personName(enrollment.member ?? { name: '' }, context)

const personLine = ({ enrollment, context }: EnrollmentView): Html => {
  const { t } = context
  const all = `/staff/students?${new URLSearchParams({ member_id: enrollment.member_id })}`
  return html`<p class="quiet"><bdi>${enrollment.member?.email ?? ''}</bdi> · <a href="${all}">${t(text.allOfPerson)}</a>${context.isStaff && html` · <a href="/staff/people/${enrollment.member_id}">${t(text.person)}</a>`}</p>`
}

const factsOf = ({ enrollment, context }: EnrollmentView): Html => {
  const { t, language, viewer } = context
  const { completed_at: completed, last_activity_at: active, percent_complete: n, source, created_at } = enrollment
  const day = (instant: string) => dayOf(new Date(instant), language, viewer)
  return facts([
    [t(text.course), enrollment.course_name],
    [t(text.since), `${day(created_at)} (${t(studentsText.sources[source])})`],
    [
      t(text.progress),
      completed === null ? t(studentsText.percent, { n }) : t(text.completedOn, { day: day(completed) }),
    ],
    [t(text.lastSeen), active === null ? undefined : day(active)],
  ])
}

type Lesson = NonNullable<EnrollmentView['progress']>['lessons'][number]

const stateOf = (lesson: Lesson, { context: { language, viewer } }: EnrollmentView): string => {
  const { completed_at: at, completed_by: by, is_open: isOpen, opens_at: opens, reason } = lesson
  const day = (instant: string) => dayOf(new Date(instant), language, viewer)
  if (at !== null) return fill(text.done_by[by ?? 'self'], language, { day: day(at) })
  if (isOpen) return fill(text.open, language)
  if (opens !== null) return fill(text.opens, language, { day: day(opens) })
  return fill(reason === 'no_access' ? text.noAccess : text.locked, language)
}

const lessonForm = (lesson: Lesson, { context }: EnrollmentView): Html => {
  const { t, token, request } = context
  const act = lesson.completed_at === null ? 'complete' : 'undo'
  const label = t(text.lessonActs[act])
  const inside = html`${hidden({ act, lesson: lesson.lesson_id })}<button class="small" type="submit" aria-label="${label}: ${lesson.name}">${label}</button>`
  return formOf(request.path, token, inside)
}

const lessonItem = (lesson: Lesson, view: EnrollmentView): Html => {
  const optional = lesson.required_for_completion ? [] : [fill(text.optional, view.context.language)]
  const state = [stateOf(lesson, view), ...optional].join(' · ')
  return html`<li class="act"><span><bdi>${lesson.name}</bdi><br><span class="quiet">${state}</span></span>${lessonForm(lesson, view)}</li>
`
}

const lessonsPart = (view: EnrollmentView): Html | false => {
  const { progress, context } = view
  if (progress === undefined) return false
  const { lessons, completed_count: n, required_count: all } = progress
  return html`<h2>${context.t(text.lessons, { n, all })}</h2>
${lessons.length === 0 ? html`<p>${context.t(text.noLessons)}</p>` : html`<ul class="list">\n${lessons.map(lesson => lessonItem(lesson, view))}</ul>`}`
}

const workPart = (view: EnrollmentView): Html | false => {
  const { works, attempts, context, names } = view
  if (works.length + attempts.length === 0) return false
  const lines = { context, names, isOfOne: true }
  return html`<h2>${context.t(text.work)}</h2>
<ul class="list menu">
${works.map(work => workLine(work, lines))}${attempts.map(attempt => attemptLine(attempt, lines))}</ul>`
}

/** One enrollment: progress by lesson, work, certificates, and why the person has access. */
export const enrollmentPage = (view: EnrollmentView): Reply => {
  const { context, refused, done } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, studentRefusals)
  return framed({
    school: request.school,
    language,
    title: nameOf(view),
    ...notice,
    body: html`${personLine(view)}
${factsOf(view)}
${workPart(view)}
${lessonsPart(view)}
${certificatesPart(view)}
${accessPart(view)}
<p class="quiet"><a href="/staff/students">${t(studentsText.back)}</a></p>`,
  })
}
