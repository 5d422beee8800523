import { commentStatuses } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { checkbox } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { turning } from '../../teaching/lists.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'
import { commentCard } from './comment-card.ts'
import { commentRefusals, commentsText as text } from './text.ts'
import type { CommentsView } from './view.ts'

const PATH = '/staff/comments'

const search = ({ context, filters }: CommentsView): Html => {
  const { language, isStaff } = context
  const statuses = commentStatuses.map(value => ({ value, label: fill(text.statuses[value], language) }))
  const any = { value: '', label: fill(text.any, language) }
  const box = (name: 'reported' | 'unanswered') =>
    checkbox(name, fill(text[name], language), { isChecked: filters[name] === 'true', value: 'true' })
  return html`<form method="get" action="${PATH}">
${isStaff && html`${select('status', fill(text.status, language), filters.status, [any, ...statuses])}\n${box('reported')}`}
${box('unanswered')}
<div class="buttons row"><button type="submit">${fill(teachingText.show, language)}</button></div>
</form>`
}

const mutedPart = ({ context, muted }: CommentsView): Html | false => {
  const { language, token } = context
  const label = fill(text.unmute, language)
  const line = ({ member, reason }: (typeof muted)[number]): Html =>
    html`<li><bdi>${member.name}</bdi> <span class="quiet"><bdi>${reason}</bdi></span>${formOf(PATH, token, html`${hidden({ act: 'unmute', member: member.id })}<div class="buttons"><button type="submit" aria-label="${label}: ${member.name}">${label}</button></div>`)}</li>
`
  return (
    muted.length > 0 &&
    html`<h2>${fill(text.muted, language)}</h2>
<ul class="list">
${muted.map(line)}</ul>`
  )
}

/** The comments that the person reads without naming a subject, each with what they may do about it. */
export const commentsPage = (view: CommentsView): Reply => {
  const { context, comments, filters, next, done, refused } = view
  const { language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, commentRefusals)
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...notice,
    body: html`${search(view)}
${comments.length === 0 ? html`<p>${fill(text.none, language)}</p>` : comments.map(comment => commentCard(comment, view))}
${turning(context, PATH, { parameters: { ...filters }, next })}
${context.isStaff && comments.length > 0 && downloadLinks('listComments', schoolOf(context), [['sort', '-created_at'], ...Object.entries(filters)])}
${mutedPart(view)}
${teachingLink(language)}`,
  })
}
