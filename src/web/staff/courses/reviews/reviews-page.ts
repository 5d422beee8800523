import type { Static } from 'typebox'
import type { ReviewPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { csvLinks, schoolOf } from '../../csv.ts'
import { field, folded, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'
import { reviewRefusals, reviewsText as text } from './text.ts'

/** The filters of the list; empty ones do not filter. */
export type Filters = { readonly course_id: string; readonly status: string; readonly cursor: string }

type Review = Encoded<Static<typeof ReviewPage>>['data'][number]

/** What the page shows. */
export type ReviewsView = {
  readonly context: TeacherContext
  readonly filters: Filters
  readonly reviews: readonly Review[]
  readonly next: string | undefined
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const PATH = '/staff/reviews'

const search = ({ context, filters }: ReviewsView): Html => {
  const { t } = context
  const statuses = Object.entries(text.statuses).map(([value, name]) => ({ value, label: t(name) }))
  const any = { value: '', label: t(text.any) }
  return html`<form method="get" action="${PATH}">
${courseSelect(context, filters.course_id)}
${select('status', t(text.status), filters.status, [any, ...statuses])}
<div class="buttons row"><button type="submit">${t(teachingText.show)}</button></div>
</form>`
}

const actForm = (review: Review, act: string, view: ReviewsView, inside: Html): Html => {
  const { context, filters } = view
  const about = hidden({ act, review: review.id, revision: review.revision })
  return formOf(addressWith(PATH, { ...filters }), context.token, html`${about}${inside}`)
}

const button = (label: string, review: Review): Html =>
  html`<div class="buttons"><button type="submit" aria-label="${label}: ${review.title ?? review.author.name}">${label}</button></div>`

const typed = ({ refused }: ReviewsView, review: Review, act: string, name: string): string | undefined =>
  isRefused(refused, review, act) ? formField(refused?.form ?? [], name) : undefined

const isRefused = (refused: ReviewsView['refused'], review: Review, act: string): boolean =>
  refused?.act === act && formField(refused.form, 'review') === review.id

const hiding = (review: Review, view: ReviewsView): Html => {
  const { t } = view.context
  const reason = field({
    name: 'reason',
    id: `reason-${review.id}`,
    label: t(text.reason),
    value: typed(view, review, 'hide', 'reason') ?? '',
    attributes: html`type="text" maxlength="300" autocomplete="off"`,
  })
  const inside = html`<p class="quiet">${t(text.hideAbout)}</p>
${reason}${button(t(text.hide), review)}`
  return folded(t(text.hide), actForm(review, 'hide', view, inside), isRefused(view.refused, review, 'hide'))
}

const replying = (review: Review, view: ReviewsView): Html => {
  const { t } = view.context
  const area = textArea({
    name: 'reply',
    id: `reply-${review.id}`,
    label: t(text.replyText),
    value: typed(view, review, 'reply', 'reply') ?? review.reply?.body ?? '',
    attributes: html`maxlength="5000"`,
  })
  const form = actForm(review, 'reply', view, html`${area}${button(t(text.saveReply), review)}`)
  const removal = actForm(review, 'delete_reply', view, button(t(text.deleteReply), review))
  const title = t(review.reply === null ? text.reply : text.changeReply)
  return folded(title, html`${form}${review.reply !== null && removal}`, isRefused(view.refused, review, 'reply'))
}

const moderation = (review: Review, view: ReviewsView): Html | false => {
  const { context } = view
  const label = context.t(text.publish)
  return (
    context.isStaff &&
    html`${review.status !== 'published' && actForm(review, 'publish', view, button(label, review))}${review.status !== 'hidden' && hiding(review, view)}`
  )
}

const item = (review: Review, view: ReviewsView): Html => {
  const { context } = view
  const { t, language, viewer, courses } = context
  const course = courses.find(({ id }) => id === review.course_id)?.name
  const facts = [
    t(text.stars, { n: review.rating }),
    ...(course === undefined ? [] : [course]),
    t(text.statuses[review.status]),
    dayOf(new Date(review.created_at), language, viewer),
  ]
  const { hidden_reason: reason, reply } = review
  return html`<section class="card" aria-labelledby="${review.id}">
<h2 id="${review.id}"><bdi>${review.title ?? personName(review.author, context)}</bdi></h2>
<p class="quiet">${review.title !== null && html`<bdi>${personName(review.author, context)}</bdi> · `}${facts.join(' · ')}</p>
<p class="lines" dir="auto">${review.body}</p>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
${reply !== null && html`<h3>${t(text.replyOf, { name: personName(reply.author, context) })}</h3>\n<p class="lines" dir="auto">${reply.body}</p>`}
${moderation(review, view)}
${replying(review, view)}
</section>
`
}

/** The reviews of courses, each with what the person may do about it. */
export const reviewsPage = (view: ReviewsView): Reply => {
  const { context, reviews, filters, next, done, refused } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, reviewRefusals)
  const csv = addressWith(`${PATH}/csv`, { ...filters, cursor: '' })
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    ...notice,
    body: html`${search(view)}
${reviews.length === 0 ? html`<p>${t(text.none)}</p>` : reviews.map(review => item(review, view))}
${turning(context, PATH, { parameters: { ...filters }, next })}
${reviews.length > 0 && context.isStaff && csvLinks(csv, schoolOf(context))}
${teachingLink(language)}`,
  })
}
