import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { icon } from '#src/web/icon.ts'
import { inSchool, lessonIcons, siteText } from '#src/web/site/index.ts'
import { computeState, isReadable, type LessonState } from '../lessons.rules.ts'
import type { OutlineLesson, OwnCourse } from '../own-course.ts'
import type { LearnContext } from '../parts.ts'
import { learnText } from '../text.ts'

const { marks: text } = learnText

const done = icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM8 12.5l2.7 2.7L16 9.6')
const locked = icon('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')

const lockWords = ({ lock }: LessonState, { t, time }: LearnContext): string | undefined => {
  if (lock === undefined) return undefined
  if (lock.reason === 'no_access') return t(text.noAccess)
  if (lock.reason === 'previous') return t(text.previous)
  return lock.opensAt === null ? t(text.laterUnknown) : t(text.later, { time: time(lock.opensAt) })
}

const formatFacts = (lesson: OutlineLesson, state: LessonState, context: LearnContext): string => {
  const { t, language } = context
  const { type, duration_seconds: seconds, required_for_completion: isRequired, status } = lesson
  const facts = [
    t(siteText.lessonTypes[type]),
    seconds === null ? undefined : formatDuration(seconds, language),
    isRequired ? undefined : t(text.optional),
    status === 'draft' ? t(text.draft) : undefined,
    lockWords(state, context),
  ]
  return facts.filter(fact => fact !== undefined).join(' · ')
}

const renderMark = (type: OutlineLesson['type'], { isDone, lock }: LessonState, { t }: LearnContext): Html => {
  if (isDone) return html`<span class="lesson-mark is-done">${done}<span class="unseen">${t(text.done)}: </span></span>`
  return html`<span class="lesson-mark">${lock === undefined ? lessonIcons[type] : locked}</span>`
}

// At the end of its line: how long it takes, or what it is where that says more.
const renderSize = ({ type, duration_seconds: seconds }: OutlineLesson, { t, language }: LearnContext): Html => {
  const size = seconds === null ? t(siteText.lessonTypes[type]) : formatDuration(seconds, language)
  return html` <span class="lesson-size">${size}</span>`
}

type Shown = {
  /** The lesson of the page. */
  readonly at?: string | undefined
  /** Whether each lesson says its type, its length and when it is available. */
  readonly hasFacts: boolean
}

const line = (lesson: OutlineLesson, course: OwnCourse, context: LearnContext, { at, hasFacts }: Shown): Html => {
  const state = computeState(lesson, course)
  const name = isReadable(state)
    ? html`<a class="lesson-link" href="${course.path}/${lesson.id}"${lesson.id === at && html` aria-current="page"`}${inSchool(context)}>${lesson.name}</a>`
    : html`<span class="lesson-link"${inSchool(context)}>${lesson.name}</span>`
  const facts = hasFacts ? formatFacts(lesson, state, context) : lockWords(state, context)
  return html`<li${!isReadable(state) && html` class="is-locked"`}>${renderMark(lesson.type, state, context)}<span class="lesson-words">${name}${facts !== undefined && html` <span class="lesson-facts">${facts}</span>`}</span>${!hasFacts && renderSize(lesson, context)}</li>
`
}

/** The sections and lessons of a course, with what is done and what is not available yet. */
export const renderOutline = (course: OwnCourse, context: LearnContext, shown: Shown): Html =>
  html`${course.sections.map(
    section => html`<div class="learn-section">
${shown.hasFacts ? html`<h3 class="learn-section-name"${inSchool(context)}>${section.name}</h3>` : html`<p class="learn-section-name"${inSchool(context)}>${section.name}</p>`}
<ol class="learn-lessons">
${section.lessons.map(lesson => line(lesson, course, context, shown))}</ol>
</div>
`,
  )}`
