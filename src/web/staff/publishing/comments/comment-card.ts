import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { CommentPage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, field, folded, hidden } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { pill, statusPill } from '../../console/frame.ts'

const { common: text } = texts.staff.comments

/** A comment of the list. */
export type ListedComment = Encoded<Static<typeof CommentPage>>['data'][number]

/** What is shown with a comment: its reports, what was refused just now, and where its forms are sent. */
type Shown = {
  readonly context: TeacherContext
  readonly reports: Encoded<Static<typeof ReportPage>>['data']
  readonly again: Again | undefined
  readonly action: string
}

const actForm = (
  comment: ListedComment,
  act: string,
  { context, action }: Shown,
  inside: Html,
  terms: { readonly draft?: string } = {},
): Html => {
  const about = hidden({ act, comment: comment.id, revision: comment.revision, member: comment.author?.id ?? '' })
  return context.form(html`${about}${inside}`, action, terms)
}

const button = (label: string, { author }: ListedComment): Html =>
  html`<div class="buttons"><button type="submit" aria-label="${label}: ${author?.name ?? ''}">${label}</button></div>`

type Reasoned = { readonly act: string; readonly title: string; readonly label: string; readonly about?: string }

const withReason = (comment: ListedComment, shown: Shown, { act, title, label, about }: Reasoned): Html => {
  const { again } = shown
  const isAgain = again?.act === act && formField(again.typed, 'comment') === comment.id
  const reason = field({
    name: 'reason',
    id: `${act}-${comment.id}`,
    label,
    value: isAgain ? formField(again.typed, 'reason') : '',
    attributes: html`type="text" maxlength="300" autocomplete="off"`,
  })
  const inside = html`${about !== undefined && html`<p class="quiet">${about}</p>`}
${reason}${button(title, comment)}`
  return folded(title, actForm(comment, act, shown, inside), isAgain)
}

// Where a thread has levels left.
const MAX_DEPTH = 3

const renderReply = (comment: ListedComment, shown: Shown): Html | false => {
  const { context, again } = shown
  const { id, status, depth, subject, author } = comment
  if (status !== 'published' || depth >= MAX_DEPTH) return false
  const { t } = context
  const isAgain = again?.act === 'reply' && formField(again.typed, 'comment') === id
  const key = isAgain ? formField(again.typed, 'form_key') : randomUUID()
  const inside = html`${hidden({ subject: subject.id, form_key: key })}<label class="unseen" for="reply-${id}">${t(text.replyTo, { name: author?.name ?? '' })}</label>
<textarea id="reply-${id}" name="body" rows="4" maxlength="5000" dir="auto" required>
${isAgain ? formField(again.typed, 'body') : ''}</textarea>
<div class="buttons"><button class="main" type="submit">${t(text.sendReply)}</button></div>`
  return folded(t(text.reply), actForm(comment, 'reply', shown, inside, { draft: `reply:${id}` }), isAgain)
}

const moderation = (comment: ListedComment, shown: Shown): Html | false => {
  const { t, isStaff } = shown.context
  const { status, author } = comment
  if (!isStaff || status === 'deleted') return false
  const hide = { act: 'hide', title: t(texts.words.hide), label: t(texts.words.reason), about: t(text.hideAbout) }
  const mute = { act: 'mute', title: t(text.mute, { name: author?.name ?? '' }), label: t(text.muteReason) }
  const isMutable = author !== null && author.role !== 'staff'
  const remove = html`<p class="quiet">${t(text.deleteAbout)}</p>${button(t(text.delete), comment)}`
  return html`${status !== 'published' && actForm(comment, 'publish', shown, button(t(texts.words.publish), comment))}${status !== 'hidden' && withReason(comment, shown, hide)}${folded(t(text.delete), actForm(comment, 'delete', shown, remove))}${isMutable && withReason(comment, shown, mute)}`
}

const reportsPart = (comment: ListedComment, shown: Shown): Html | false => {
  const { context, reports } = shown
  const { t, time } = context
  const line = (report: (typeof reports)[number]): Html =>
    html`<li><strong>${t(text.reasons[report.reason])}</strong> <span class="quiet"><bdi>${report.reporter.name}</bdi> · ${time(report.created_at)}${report.outcome !== null && html` · ${t(text.outcomes[report.outcome])}`}</span>${report.note !== '' && html`<p class="lines" dir="auto">${report.note}</p>`}</li>
`
  const isOpen = reports.some(({ outcome }) => outcome === null)
  return (
    reports.length > 0 &&
    html`<h3>${t(text.reports)}</h3>
<ul class="list">
${reports.map(line)}</ul>
${isOpen && actForm(comment, 'settle', shown, button(t(text.settle), comment))}`
  )
}

// Those who teach have a page of their students alone.
const renderAuthor = ({ author }: ListedComment, { context: { t, isStaff } }: Shown): Html => {
  if (author === null) return html`${t(text.noWords)}`
  if (!isStaff && author.role !== 'student') return html`<bdi>${author.name}</bdi>`
  return html`<a href="/staff/people/${author.id}"><bdi>${author.name}</bdi></a>`
}

/** A comment with what the person may do about it. */
export const commentCard = (comment: ListedComment, shown: Shown): Html => {
  const { t, time } = shown.context
  const { id, subject, status, hidden_reason: reason } = comment
  return html`<article class="entry" aria-labelledby="${id}">
<header class="row apart"><h2 id="${id}">${renderAuthor(comment, shown)}</h2><span class="row">${comment.reported === true && pill(t(text.isReported), 'bad')}${statusPill(t(text.statuses[status]), status)}</span></header>
<p class="quiet"><bdi>${subject.name ?? ''}</bdi> · ${time(comment.created_at)}</p>
<div class="comment-words" dir="auto">${{ html: comment.body_html }}</div>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
${reportsPart(comment, shown)}
<div class="acts">${renderReply(comment, shown)}${moderation(comment, shown)}</div>
</article>
`
}
