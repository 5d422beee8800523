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
  createList,
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
  shownAgain,
  textArea,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith, courseFilter } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { teachingText } from '../../teaching/text.ts'

const { common: text, reviewRefusals } = texts.staff.reviews

const said = { ...staffText.refusals, ...teachingText.refusals, ...reviewRefusals }

type Review = Encoded<Static<typeof ReviewPage>>['data'][number]

const PATH = '/staff/reviews'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

// Lecturers read the reviews of one course at a time, staff also all of them.
const findCourse = ({ query, courses, isStaff }: TeacherContext): string =>
  (query.get('course_id') ?? '').trim() || (isStaff ? '' : (courses[0]?.id ?? ''))

const buildList = (context: TeacherContext) => {
  const { isStaff } = context
  return createList({
    path: PATH,
    operation: isStaff ? 'listReviews' : 'listCourseReviews',
    params: isStaff ? {} : { course_id: findCourse(context) },
    returns: ReviewPage,
    sort: '-created_at',
    filters: { course_id: courseFilter(context), status: text.statuses },
    asQuery: isStaff ? {} : { course_id: () => [] },
    texts: {
      filters: { course_id: texts.words.course, status: texts.words.status },
      all: texts.words.opinions,
      none: text.none,
      empty: text.empty,
    },
  })
}

// Where its forms lead back to.
const keepFilters = ({ query }: TeacherContext): Readonly<Record<string, string>> =>
  Object.fromEntries(['course_id', 'status', 'cursor'].map(name => [name, (query.get(name) ?? '').trim()]))

// The forms about one review, which say its revision.
const buildForms = (review: Review, context: TeacherContext, refused: Refused | undefined) => {
  const { id, revision, title, author } = review
  const isRefused = (act: string): boolean => refused?.act === act && formField(refused.typed, 'review') === id
  const action = addressWith(PATH, keepFilters(context))
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
  const facts = [t(text.stars, { n: review.rating }), ...(course === undefined ? [] : [course]), day(review.created_at)]
  return html`<article class="entry" aria-labelledby="${id}">
<header class="row apart"><h2 id="${id}"><bdi>${title ?? author}</bdi></h2>${statusPill(t(text.statuses[status]), status)}</header>
<p class="quiet">${title !== null && html`<bdi>${author}</bdi> · `}${facts.join(' · ')}</p>
<p class="lines" dir="auto">${review.body}</p>
${reason != null && html`<p class="note">${t(text.hiddenFor, { reason })}</p>`}
${reply !== null && html`<h3>${t(text.replyOf, { name: personName(reply.author, context) })}</h3>\n<p class="lines" dir="auto">${reply.body}</p>`}
<div class="acts">${isStaff && html`${status !== 'published' && forms.render('publish', t(texts.words.publish))}${status !== 'hidden' && renderHiding(review, context, forms)}`}
${renderReplying(review, context, forms)}</div>
</article>
`
}

const showReviews = async (context: TeacherContext, refused?: Refused): Promise<Reply> => {
  const { t, language, request } = context
  const list = buildList(context)
  // Somebody who teaches no course has no list of reviews.
  const shown =
    list.params.course_id === ''
      ? { page: { data: [], has_more: false }, given: [], by: '', cursor: '' }
      : await list.read(context)
  const rows = shown.page.data
  return context.frame({
    title: t(texts.words.opinions),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { said }),
    ...showList(context, list, shown, {
      columns: [],
      rows,
      content: html`${rows.map(review => renderReview(review, context, refused))}`,
    }),
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
          return addressWith(PATH, { ...keepFilters(context), done: act })
        },
        refusal => showReviews(context, { act, typed, refusal }),
      )
    }),
  ],
}
