import type { Static } from 'typebox'
import { ReviewPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  doneIn,
  field,
  folded,
  form,
  hidden,
  noticeFor,
  page,
  type Refused,
  readDone,
  revisionIn,
  select,
  shownAgain,
  textArea,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith, courseSelect, turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'

const { common: text, reviewRefusals } = texts.staff.reviews

const said = { ...staffText.refusals, ...teachingText.refusals, ...reviewRefusals }

type Review = Encoded<Static<typeof ReviewPage>>['data'][number]

/** The filters of the list; empty ones do not filter. */
type Filters = { readonly course_id: string; readonly status: string; readonly cursor: string }

const PATH = '/staff/reviews'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const readFilters = ({ query, courses, isStaff }: TeacherContext): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  // Lecturers read the reviews of one course at a time, staff also all of them.
  const first = isStaff ? '' : (courses[0]?.id ?? '')
  return { course_id: part('course_id') || first, status: part('status'), cursor: part('cursor') }
}

const buildQuery = (filters: Partial<Filters>): Pairs => [
  ['sort', '-created_at'],
  ...Object.entries(filters).filter(([, value]) => value !== ''),
]

const readReviews = ({ call, isStaff }: TeacherContext, { course_id, ...filters }: Filters) =>
  call(
    isStaff
      ? { operation: 'listReviews', query: buildQuery({ ...filters, course_id }), returns: ReviewPage }
      : { operation: 'listCourseReviews', params: { course_id }, query: buildQuery(filters), returns: ReviewPage },
  )

const renderSearch = (context: TeacherContext, { course_id, status }: Filters): Html => {
  const { t } = context
  const statuses = Object.entries(text.statuses).map(([value, name]) => ({ value, label: t(name) }))
  return html`<form method="get" action="${PATH}">
${courseSelect(context, course_id)}
${select('status', t(texts.words.status), status, [{ value: '', label: t(text.any) }, ...statuses])}
<div class="buttons row"><button type="submit">${t(texts.words.show)}</button></div>
</form>`
}

// The forms about one review, which say its revision.
const buildForms = (review: Review, context: TeacherContext, refused: Refused | undefined) => {
  const { id, revision, title, author } = review
  const isRefused = (act: string): boolean => refused?.act === act && formField(refused.typed, 'review') === id
  const action = addressWith(PATH, { ...readFilters(context) })
  return {
    isRefused,
    typed: (act: string, name: string, stored = ''): string =>
      isRefused(act) ? formField(refused?.typed ?? [], name) : stored,
    render: (act: string, label: string, inside: Html = html``): Html =>
      context.form(
        html`${hidden({ act, review: id, revision })}${inside}<div class="buttons"><button type="submit" aria-label="${label}: ${title ?? author.name}">${label}</button></div>`,
        action,
      ),
  }
}

type Forms = ReturnType<typeof buildForms>

const renderHiding = ({ id }: Review, { t }: TeacherContext, forms: Forms): Html => {
  const reason = field({
    name: 'reason',
    id: `reason-${id}`,
    label: t(texts.words.reason),
    value: forms.typed('hide', 'reason'),
    attributes: html`type="text" maxlength="300" autocomplete="off"`,
  })
  const inside = html`<p class="quiet">${t(text.hideAbout)}</p>\n${reason}`
  return folded(t(texts.words.hide), forms.render('hide', t(texts.words.hide), inside), forms.isRefused('hide'))
}

const renderReplying = ({ id, reply }: Review, { t }: TeacherContext, forms: Forms): Html => {
  const area = textArea({
    name: 'reply',
    id: `reply-${id}`,
    label: t(text.replyText),
    value: forms.typed('reply', 'reply', reply?.body),
    attributes: html`maxlength="5000"`,
  })
  const inside = html`${forms.render('reply', t(text.saveReply), area)}${reply !== null && forms.render('delete_reply', t(text.deleteReply))}`
  return folded(t(reply === null ? texts.words.reply : text.changeReply), inside, forms.isRefused('reply'))
}

const renderReview = (review: Review, context: TeacherContext, refused: Refused | undefined): Html => {
  const { t, day, courses, isStaff } = context
  const { id, title, status, hidden_reason: reason, reply } = review
  const forms = buildForms(review, context, refused)
  const course = courses.find(one => one.id === review.course_id)?.name
  const author = personName(review.author, context)
  const facts = [
    t(text.stars, { n: review.rating }),
    ...(course === undefined ? [] : [course]),
    t(text.statuses[status]),
    day(review.created_at),
  ]
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}"><bdi>${title ?? author}</bdi></h2>
<p class="quiet">${title !== null && html`<bdi>${author}</bdi> · `}${facts.join(' · ')}</p>
<p class="lines" dir="auto">${review.body}</p>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
${reply !== null && html`<h3>${t(text.replyOf, { name: personName(reply.author, context) })}</h3>\n<p class="lines" dir="auto">${reply.body}</p>`}
${isStaff && html`${status !== 'published' && forms.render('publish', t(texts.words.publish))}${status !== 'hidden' && renderHiding(review, context, forms)}`}
${renderReplying(review, context, forms)}
</section>
`
}

const showReviews = async (context: TeacherContext, refused?: Refused): Promise<Reply> => {
  const { t, language, request, isStaff } = context
  const filters = readFilters(context)
  const { data, next_cursor: next } = await readReviews(context, filters)
  return context.frame({
    title: t(texts.words.opinions),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { said }),
    body: html`${renderSearch(context, filters)}
${data.length === 0 ? html`<p>${t(text.none)}</p>` : data.map(review => renderReview(review, context, refused))}
${turning(context, PATH, { parameters: { ...filters }, next })}
${data.length > 0 && isStaff && csvLinks(addressWith(`${PATH}/csv`, { ...filters, cursor: '' }), context)}
${teachingLink(language)}`,
  })
}

const calls: Readonly<Record<string, (typed: Pairs) => Pick<PageCall<undefined>, 'operation' | 'body' | 'query'>>> = {
  publish: () => ({ operation: 'publishReview' }),
  hide: typed => ({ operation: 'hideReview', query: [['reason', cleanLine(formField(typed, 'reason'), LONGEST)]] }),
  reply: typed => ({
    operation: 'replyToReview',
    body: { body: formField(typed, 'reply').replaceAll('\r\n', '\n').trim() },
  }),
  delete_reply: () => ({ operation: 'deleteReviewReply' }),
}

/** GET and POST /staff/reviews: reviews of courses, which staff publish and hide, and lecturers answer. */
export const reviews: StaffSection = {
  pages: [
    page(`GET ${PATH}`, teachers, context => showReviews(context)),
    form(`POST ${PATH}`, teachers, async (context, typed) => {
      const act = formField(typed, 'act')
      const call = Object.hasOwn(calls, act) ? calls[act]?.(typed) : undefined
      if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
      return shownAgain(
        async () => {
          const about = { params: { review_id: formField(typed, 'review') }, revision: revisionIn(typed) }
          await context.call({ ...call, ...about })
          return addressWith(PATH, { ...readFilters(context), done: act })
        },
        refusal => showReviews(context, { act, typed, refusal }),
      )
    }),
    page(`GET ${PATH}/csv`, teachers, context =>
      exportList(context, { operation: 'listReviews', query: buildQuery({ ...readFilters(context), cursor: '' }) }),
    ),
  ],
}
