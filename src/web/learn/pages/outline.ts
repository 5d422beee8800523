import { fill } from '#src/contract/language.ts'
import { formatDuration, formatTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { icon, inSchool, siteText } from '#src/web/site/index.ts'
import { isReadable, type LessonState, stateOf } from '../lessons.rules.ts'
import type { OutlineLesson, OwnCourse } from '../own-course.ts'
import { learnText } from '../text.ts'
import type { Visit } from '../visit.ts'

const { marks: text } = learnText

const done = icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM8 12.5l2.7 2.7L16 9.6')
const open = icon('M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z')
const locked = icon('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')

const lockWords = ({ lock }: LessonState, { language, timeZone }: Visit): string | undefined => {
  if (lock === undefined) return undefined
  if (lock.reason === 'no_access') return fill(text.noAccess, language)
  if (lock.reason === 'previous') return fill(text.previous, language)
  return lock.opensAt === null
    ? fill(text.laterUnknown, language)
    : fill(text.later, language, { time: formatTime(lock.opensAt, timeZone, language) })
}

const factsOf = (lesson: OutlineLesson, state: LessonState, visit: Visit): string => {
  const { language } = visit
  const { type, duration_seconds: seconds, required_for_completion: isRequired, status } = lesson
  const facts = [
    fill(siteText.lessonTypes[type], language),
    seconds === null ? undefined : formatDuration(seconds, language),
    isRequired ? undefined : fill(text.optional, language),
    status === 'draft' ? fill(text.draft, language) : undefined,
    lockWords(state, visit),
  ]
  return facts.filter(fact => fact !== undefined).join(' · ')
}

const markOf = ({ isDone, lock }: LessonState, { language }: Visit): Html => {
  if (isDone)
    return html`<span class="lesson-mark is-done">${done}<span class="unseen">${fill(text.done, language)}: </span></span>`
  return html`<span class="lesson-mark">${lock === undefined ? open : locked}</span>`
}

type Shown = {
  /** The lesson of the page. */
  readonly at?: string | undefined
  /** Whether each lesson says its type, its length and when it is available. */
  readonly hasFacts: boolean
}

const line = (lesson: OutlineLesson, course: OwnCourse, visit: Visit, { at, hasFacts }: Shown): Html => {
  const state = stateOf(lesson, course)
  const name = isReadable(state)
    ? html`<a class="lesson-link" href="${course.path}/${lesson.id}"${lesson.id === at && html` aria-current="page"`}${inSchool(visit)}>${lesson.name}</a>`
    : html`<span class="lesson-link"${inSchool(visit)}>${lesson.name}</span>`
  const facts = hasFacts ? factsOf(lesson, state, visit) : lockWords(state, visit)
  return html`<li${!isReadable(state) && html` class="is-locked"`}>${markOf(state, visit)}<span class="lesson-words">${name}${facts !== undefined && html` <span class="lesson-facts">${facts}</span>`}</span></li>
`
}

/** The sections and lessons of a course, with what is done and what is not available yet. */
export const outlineOf = (course: OwnCourse, visit: Visit, shown: Shown): Html =>
  html`${course.sections.map(
    section => html`<div class="learn-section">
${shown.hasFacts ? html`<h3 class="learn-section-name"${inSchool(visit)}>${section.name}</h3>` : html`<p class="learn-section-name"${inSchool(visit)}>${section.name}</p>`}
<ol class="learn-lessons">
${section.lessons.map(lesson => line(lesson, course, visit, shown))}</ol>
</div>
`,
  )}`
