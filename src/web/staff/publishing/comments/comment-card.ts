import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, timeOf } from '#src/web/page/index.ts'
import { field, folded } from '../../pages/fields.ts'
import { addressWith } from '../../teaching/lists.ts'
import { commentsText as text } from './text.ts'
import { type CommentsView, isRefused, type ListedComment } from './view.ts'

const actForm = (comment: ListedComment, act: string, { context, filters }: CommentsView, inside: Html): Html => {
  const about = hidden({ act, comment: comment.id, revision: comment.revision, member: comment.author?.id ?? '' })
  return formOf(addressWith('/staff/comments', { ...filters }), context.token, html`${about}${inside}`)
}

const button = (label: string, { author }: ListedComment): Html =>
  html`<div class="buttons"><button type="submit" aria-label="${label}: ${author?.name ?? ''}">${label}</button></div>`

type Reasoned = { readonly act: string; readonly title: string; readonly label: string; readonly about?: string }

const withReason = (comment: ListedComment, view: CommentsView, { act, title, label, about }: Reasoned): Html => {
  const isAgain = isRefused(view, comment.id, act)
  const reason = field({
    name: 'reason',
    id: `${act}-${comment.id}`,
    label,
    value: isAgain ? formField(view.refused?.form ?? [], 'reason') : '',
    attributes: html`type="text" maxlength="300" autocomplete="off"`,
  })
  const inside = html`${about !== undefined && html`<p class="quiet">${about}</p>`}
${reason}${button(title, comment)}`
  return folded(title, actForm(comment, act, view, inside), isAgain)
}

const deleting = (comment: ListedComment, view: CommentsView): Html => {
  const { t } = view.context
  const inside = html`<p class="quiet">${t(text.deleteAbout)}</p>${button(t(text.delete), comment)}`
  return folded(t(text.delete), actForm(comment, 'delete', view, inside))
}

const moderation = (comment: ListedComment, view: CommentsView): Html | false => {
  const { t, isStaff } = view.context
  const { status, author } = comment
  if (!isStaff || status === 'deleted') return false
  const say = (phrase: { en: string; pt: string }, values = {}): string => t(phrase, values)
  const hide = { act: 'hide', title: say(text.hide), label: say(text.reason), about: say(text.hideAbout) }
  const name = author?.name ?? ''
  const mute = { act: 'mute', title: say(text.mute, { name }), label: say(text.muteReason) }
  const isMutable = author !== null && author.role !== 'staff'
  return html`${status !== 'published' && actForm(comment, 'publish', view, button(say(text.publish), comment))}${status !== 'hidden' && withReason(comment, view, hide)}${deleting(comment, view)}${isMutable && withReason(comment, view, mute)}`
}

const reportsOf = (comment: ListedComment, view: CommentsView): Html | false => {
  const reports = view.reports.get(comment.id) ?? []
  const { t, language, viewer } = view.context
  const line = (report: (typeof reports)[number]): Html =>
    html`<li><strong>${t(text.reasons[report.reason])}</strong> <span class="quiet"><bdi>${report.reporter.name}</bdi> · ${timeOf(new Date(report.created_at), language, viewer)}${report.outcome !== null && html` · ${t(text.outcomes[report.outcome])}`}</span>${report.note !== '' && html`<p class="lines" dir="auto">${report.note}</p>`}</li>
`
  const isOpen = reports.some(({ outcome }) => outcome === null)
  return (
    reports.length > 0 &&
    html`<h3>${t(text.reports)}</h3>
<ul class="list">
${reports.map(line)}</ul>
${isOpen && actForm(comment, 'settle', view, button(t(text.settle), comment))}`
  )
}

const answering = ({ id, status, subject, depth }: ListedComment, { context }: CommentsView): Html | false => {
  const parameters = { subject: subject.id, parent: id }
  return (
    status === 'published' &&
    depth < 3 &&
    html`<p><a href="${addressWith('/account/comments/new', parameters)}">${context.t(text.reply)}</a></p>`
  )
}

/** A comment with what the person may do about it. */
export const commentCard = (comment: ListedComment, view: CommentsView): Html => {
  const { t, language, viewer } = view.context
  const { id, author, subject, status, hidden_reason: reason } = comment
  const facts = [
    t(text.statuses[status]),
    ...(comment.reported === true ? [t(text.isReported)] : []),
    timeOf(new Date(comment.created_at), language, viewer),
  ]
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}"><bdi>${author?.name ?? t(text.noWords)}</bdi></h2>
<p class="quiet"><bdi>${subject.name ?? ''}</bdi> · ${facts.join(' · ')}</p>
<div class="comment-words" dir="auto">${{ html: comment.body_html }}</div>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
${answering(comment, view)}
${reportsOf(comment, view)}
${moderation(comment, view)}
</section>
`
}
