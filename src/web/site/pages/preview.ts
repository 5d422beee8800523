import { fill } from '#src/contract/language.ts'
import { formatDuration, formatTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import type { CourseView, LessonView, OutlineView, SchoolView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { lessonIcons } from './icons.ts'
import { renderEmbed, renderRecording } from './lesson-content.ts'
import { headingsFrom } from './markdown.ts'

type PreviewView = {
  readonly page: PageRequest
  readonly profile: SchoolView
  readonly course: CourseView
  readonly lesson: LessonView
  /** The other previews of the course. */
  readonly others: readonly OutlineView['sections'][number]['lessons'][number][]
}

const { preview: text, lessonTypes } = siteText

const renderFile = (lesson: LessonView, { language }: PageRequest): Html | false => {
  const { file } = lesson
  if (file === null) return false
  return (
    renderRecording(lesson) ||
    html`<p><a class="button" href="${file.url}">${fill(text.download, language, { name: file.name })}</a></p>`
  )
}

const renderHint = ({ lesson, profile, page }: PreviewView): Html | false => {
  const { language } = page
  if (lesson.type === 'quiz') return html`<p class="quiet">${fill(text.quiz, language)}</p>`
  if (lesson.type === 'assignment') return html`<p class="quiet">${fill(text.assignment, language)}</p>`
  if (lesson.starts_at === null) return false
  const time = formatTime(lesson.starts_at, lesson.time_zone ?? profile.time_zone, language)
  return html`<p class="quiet">${fill(text.starts, language, { time })}</p>`
}

const renderOthers = ({ page, course, others }: PreviewView): Html | false =>
  others.length > 0 &&
  html`<section aria-labelledby="others">
<h2 class="lesson-title" id="others">${fill(text.previous, page.language)}</h2>
<ul class="lessons">
${others.map(
  ({ id, name, type }) =>
    html`<li><a class="row-line" href="/courses/${course.slug}/preview/${id}">${lessonIcons[type]}<span class="lesson-name"${inSchool(page)}>${name}</span></a></li>\n`,
)}</ul>
</section>`

const renderContent = ({ page, lesson }: PreviewView): Html => {
  const { file, embed, body_html: body, type } = lesson
  const isEmpty = body === '' && file === null && embed === null && type !== 'quiz' && type !== 'assignment'
  if (isEmpty) return html`<p class="quiet">${fill(text.empty, page.language)}</p>`
  return html`${renderEmbed(lesson)}
${renderFile(lesson, page)}
${body !== '' && html`<div class="prose"${inSchool(page)}>${headingsFrom(2, body)}</div>`}`
}

/** The content of the page of a preview. */
export const previewMain = (view: PreviewView): Html => {
  const { page, course, lesson } = view
  const { language } = page
  const attributes = inSchool(page)
  return html`<div class="band"><div class="wrap narrow">
<p class="crumbs"><a href="/courses">${fill(siteText.courses, language)}</a> <span aria-hidden="true">›</span> <a href="/courses/${course.slug}"${attributes}>${course.name}</a></p>
<h1${attributes}>${lesson.name}</h1>
<p class="facts"><span class="badge">${fill(text.badge, language)}</span><span>${fill(lessonTypes[lesson.type], language)}</span>${lesson.duration_seconds !== null && html`<span>${formatDuration(lesson.duration_seconds, language)}</span>`}</p>
</div></div>
<div class="wrap narrow section lesson">
${renderContent(view)}
${renderHint(view)}
${renderOthers(view)}
<div class="panel join">
<div><h2 class="lesson-title">${fill(text.more, language)}</h2>
<p class="join-text">${fill(text.moreText, language, { course: course.name })}</p></div>
<p class="actions"><a class="button main" href="/courses/${course.slug}">${fill(text.toCourse, language)}</a></p>
</div>
</div>`
}
