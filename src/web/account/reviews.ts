import type { Static } from 'typebox'
import { ReviewPage } from '#src/areas/courses/index.ts'
import { EnrollmentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import {
  areaControl,
  type ControlState,
  doneIn,
  folded,
  form,
  formKeyIn,
  hidden,
  hiddenFor,
  lineControl,
  mainButton,
  noticeFor,
  page,
  readDone,
  redirect,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { reviews: text } = texts.account

const PATH = '/account/reviews'
const COURSE = new RegExp(idPattern('crs'))
const RATINGS = ['5', '4', '3', '2', '1'] as const

type OwnReview = Encoded<Static<typeof ReviewPage>>['data'][number]

type Enrolled = Encoded<Static<typeof EnrollmentPage>>['data'][number]

const all = [['limit', '100']] as const

/** The reviews that a person wrote. */
export const readReviews = async ({ call }: Pick<AccountContext, 'call'>): Promise<readonly OwnReview[]> =>
  (await call({ operation: 'listAccountReviews', query: all, returns: ReviewPage })).data

/** The courses that a person learns or learned in, with their review where they wrote one. */
export const addReviews = (enrollments: readonly Enrolled[], reviews: readonly OwnReview[]) =>
  enrollments.map(({ course_id: id, course_name: name, completed_at: completedAt }) => ({
    id,
    name,
    isCompleted: completedAt !== null,
    review: reviews.find(one => one.course_id === id),
  }))

const readCourses = async (context: AccountContext): Promise<readonly Reviewed[]> => {
  const [enrollments, reviews] = await Promise.all([
    context.call({ operation: 'listAccountEnrollments', query: all, returns: EnrollmentPage }),
    readReviews(context),
  ])
  return addReviews(enrollments.data, reviews)
}

/** A course of a person, with their review. */
type Reviewed = ReturnType<typeof addReviews>[number]

const stars = (rating: number): string => '★'.repeat(rating) + '☆'.repeat(5 - rating)

const item = ({ id, name, review }: Reviewed, { t }: AccountContext): Html =>
  html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi></a>${
    review === undefined
      ? html`<span class="quiet">${t(text.write)}</span>`
      : html`<span class="quiet"><span aria-hidden="true">${stars(review.rating)}</span><span class="unseen">${t(text.rated, { rating: review.rating })}</span> · ${t(text.statuses[review.status])}</span>`
  }</li>
`

const showList = async (context: AccountContext): Promise<Reply> => {
  const { t, frame, request, language } = context
  const courses = await readCourses(context)
  return frame({
    title: t(text.title),
    notice: doneIn(text.done, readDone(request), language),
    body: html`${courses.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list menu">\n${courses.map(one => item(one, context))}</ul>`}
${backLink(language)}`,
  })
}

// A course in which the person never learned is as one that does not exist.
const readReviewed = async (context: AccountContext): Promise<Reviewed> => {
  const { course = '' } = context.params
  const found = COURSE.test(course) ? (await readCourses(context)).find(({ id }) => id === course) : undefined
  if (found === undefined) throw new Refusal(notFound, 'There is no such course.')
  return found
}

const storedIn = (review: OwnReview | undefined): Pairs =>
  review === undefined
    ? []
    : [
        ['rating', String(review.rating)],
        ['title', review.title ?? ''],
        ['body', review.body],
      ]

type FormContext = Pick<AccountContext, 't' | 'form'>

const ratingField = (
  { typed }: ControlState,
  { t }: FormContext,
): Html => html`<fieldset><legend>${t(text.rating)}</legend>
${RATINGS.map(
  rating =>
    html`<div class="scope"><input type="radio" id="rating-${rating}" name="rating" value="${rating}" required${formField(typed, 'rating') === rating && html` checked`}><label for="rating-${rating}"><span aria-hidden="true">${stars(Number(rating))}</span> ${t(text.ratings[rating])}</label></div>\n`,
)}</fieldset>`

const removal = (review: OwnReview, { t, form }: AccountContext): Html =>
  folded(
    t(text.delete),
    html`<p class="quiet">${t(text.deleteAbout)}</p>
${form(html`${hidden({ act: 'delete', revision: review.revision })}<div class="buttons"><button type="submit">${t(text.delete)}</button></div>`)}`,
  )

type Sent = { readonly typed: Pairs; readonly refusal: Refusal }

/** The form in which a person says what they think of a course; it is sent to the page of that review. */
export const reviewForm = (
  context: FormContext,
  { id, review }: Pick<Reviewed, 'id' | 'review'>,
  sent?: Sent,
): Html => {
  const { t, form } = context
  const typed = sent?.typed ?? storedIn(review)
  const state: ControlState = { typed, errors: new Map() }
  const inside = html`${hidden({ act: 'save' })}${hiddenFor({ typed, refusal: sent?.refusal }, review?.revision)}${ratingField(state, context)}
${lineControl(state, { name: 'title', label: t(text.heading), attributes: html`type="text" maxlength="120"` })}${areaControl(state, { name: 'body', label: t(text.body), hint: t(text.bodyHint), rows: 6, attributes: html`maxlength="5000" required` })}${mainButton(t(review === undefined ? text.send : texts.words.save))}`
  return form(inside, `${PATH}/${id}`)
}

const show = (context: AccountContext, reviewed: Reviewed, sent?: Sent): Reply => {
  const { t, frame, language } = context
  const { name, review } = reviewed
  return frame({
    title: t(text.of, { course: name }),
    ...noticeFor(sent?.refusal, language, { said: { ...text.refusals, other: text.refusals.invalid_body } }),
    body: html`${review?.hidden_reason != null && html`<p class="note">${t(text.hiddenFor, { reason: review.hidden_reason })}</p>`}${reviewForm(context, reviewed, sent)}
${review !== undefined && removal(review, context)}
<p class="quiet"><a href="${PATH}">${t(text.title)}</a></p>`,
  })
}

const bodyIn = (typed: Pairs) => ({
  rating: Number(formField(typed, 'rating')),
  title: formField(typed, 'title').trim() || null,
  body: formField(typed, 'body').replaceAll('\r\n', '\n'),
})

const save = async ({ call }: AccountContext, { id, review }: Reviewed, typed: Pairs): Promise<string> => {
  if (review === undefined)
    await call({ operation: 'createAccountReview', body: { course_id: id, ...bodyIn(typed) }, ...formKeyIn(typed) })
  else {
    const params = { review_id: review.id }
    await call({ operation: 'updateAccountReview', params, body: bodyIn(typed), revision: revisionIn(typed) })
  }
  return `${PATH}?done=saved`
}

const remove = async ({ call }: AccountContext, { id }: OwnReview, typed: Pairs): Promise<string> => {
  await call({ operation: 'deleteAccountReview', params: { review_id: id }, revision: revisionIn(typed) })
  return `${PATH}?done=deleted`
}

/** GET /account/reviews: the courses of a person; GET and POST /account/reviews/:course: what they say about one, to write, change or delete. */
export const reviewsPages = [
  page(`GET ${PATH}`, owner, showList),
  page(`GET ${PATH}/:course`, owner, async context => show(context, await readReviewed(context))),
  form(`POST ${PATH}/:course`, owner, async (context, typed) => {
    const reviewed = await readReviewed(context)
    const { review } = reviewed
    const act = formField(typed, 'act')
    // It was deleted in another tab meanwhile.
    if (act === 'delete' && review === undefined) return redirect(PATH)
    return shownAgain(
      () =>
        act === 'delete' && review !== undefined ? remove(context, review, typed) : save(context, reviewed, typed),
      async refusal => show(context, await readReviewed(context), { typed, refusal }),
    )
  }),
]
