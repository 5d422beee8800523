import { commentStatuses } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
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
  const { t, isStaff } = context
  const statuses = commentStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  const any = { value: '', label: t(text.any) }
  const box = (name: 'reported' | 'unanswered') =>
    checkbox(name, t(text[name]), { isChecked: filters[name] === 'true', value: 'true' })
  return html`<form method="get" action="${PATH}">
${isStaff && html`${select('status', t(text.status), filters.status, [any, ...statuses])}\n${box('reported')}`}
${box('unanswered')}
<div class="buttons row"><button type="submit">${t(teachingText.show)}</button></div>
</form>`
}

const mutedPart = ({ context, muted }: CommentsView): Html | false => {
  const { t, token } = context
  const label = t(text.unmute)
  const line = ({ member, reason }: (typeof muted)[number]): Html =>
    html`<li><bdi>${member.name}</bdi> <span class="quiet"><bdi>${reason}</bdi></span>${formOf(PATH, token, html`${hidden({ act: 'unmute', member: member.id })}<div class="buttons"><button type="submit" aria-label="${label}: ${member.name}">${label}</button></div>`)}</li>
`
  return (
    muted.length > 0 &&
    html`<h2>${t(text.muted)}</h2>
<ul class="list">
${muted.map(line)}</ul>`
  )
}

/** The comments that the person reads without naming a subject, each with what they may do about it. */
export const commentsPage = (view: CommentsView): Reply => {
  const { context, comments, filters, next, done, refused } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, commentRefusals)
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    ...notice,
    body: html`${search(view)}
${comments.length === 0 ? html`<p>${t(text.none)}</p>` : comments.map(comment => commentCard(comment, view))}
${turning(context, PATH, { parameters: { ...filters }, next })}
${context.isStaff && comments.length > 0 && downloadLinks('listComments', schoolOf(context), [['sort', '-created_at'], ...Object.entries(filters)])}
${mutedPart(view)}
${teachingLink(language)}`,
  })
}
