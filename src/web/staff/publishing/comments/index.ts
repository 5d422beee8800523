import type { Static } from 'typebox'
import { CommentPage, commentStatuses, MutePage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  checkbox,
  doneIn,
  form,
  hidden,
  noticeFor,
  page,
  readDone,
  revisionIn,
  select,
  submitAct,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith, turning } from '../../teaching/lists.ts'
import { teachingLink } from '../../teaching/parts.ts'
import { teachingText } from '../../teaching/text.ts'
import { commentCard, type ListedComment } from './comment-card.ts'

const { commentRefusals, common: text } = texts.staff.comments

const PATH = '/staff/comments'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

// Empty ones do not filter.
const filtersIn = ({ query, isStaff }: TeacherContext) => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const forStaff = (name: string): string => (isStaff ? part(name) : '')
  return {
    status: forStaff('status'),
    reported: forStaff('reported'),
    unanswered: part('unanswered'),
    cursor: part('cursor'),
  }
}

const filterForm = ({ t, isStaff }: TeacherContext, filters: ReturnType<typeof filtersIn>): Html => {
  const statuses = commentStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  const any = { value: '', label: t(texts.words.any) }
  const box = (name: 'reported' | 'unanswered') =>
    checkbox(name, t(text[name]), { isChecked: filters[name] === 'true', value: 'true' })
  return html`<form method="get" action="${PATH}">
${isStaff && html`${select('status', t(texts.words.status), filters.status, [any, ...statuses])}\n${box('reported')}`}
${box('unanswered')}
<div class="buttons row"><button type="submit">${t(texts.words.show)}</button></div>
</form>`
}

const readReports = async ({ call }: TeacherContext, comments: readonly ListedComment[]) => {
  const found = comments
    .filter(comment => comment.reported === true)
    .map(async ({ id }) => {
      const listed = { operation: 'listCommentReports', params: { comment_id: id }, returns: ReportPage }
      return [id, (await call(listed)).data] as const
    })
  return new Map(await Promise.all(found))
}

// The members who may not comment, for staff.
const mutedPart = ({ t, form }: TeacherContext, muted: Encoded<Static<typeof MutePage>>['data']): Html | false => {
  const label = t(text.unmute)
  const line = ({ member, reason }: (typeof muted)[number]): Html =>
    html`<li><a href="/staff/people/${member.id}"><bdi>${member.name}</bdi></a> <span class="quiet"><bdi>${reason}</bdi></span>${form(html`${hidden({ act: 'unmute', member: member.id })}<div class="buttons"><button type="submit" aria-label="${label}: ${member.name}">${label}</button></div>`, PATH)}</li>
`
  return muted.length > 0 && html`<h2>${t(text.muted)}</h2>\n<ul class="list">\n${muted.map(line)}</ul>`
}

const show = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, call, language, request, isStaff } = context
  const filters = filtersIn(context)
  const query: Pairs = [['sort', '-created_at'], ...Object.entries(filters).filter(([, value]) => value !== '')]
  const { data, next_cursor: next } = await call({ operation: 'listComments', query, returns: CommentPage })
  const muted = isStaff ? (await call({ operation: 'listMutedCommenters', returns: MutePage })).data : []
  const reports = await readReports(context, data)
  const action = addressWith(PATH, filters)
  const cards = data.map(comment =>
    commentCard(comment, { context, reports: reports.get(comment.id) ?? [], again, action }),
  )
  return context.frame({
    title: t(texts.words.comments),
    ...(again?.refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(again.refusal, language, {
          said: { ...staffText.refusals, ...teachingText.refusals, ...commentRefusals },
        })),
    body: html`${filterForm(context, filters)}
${data.length === 0 ? html`<p>${t(text.none)}</p>` : cards}
${turning(context, PATH, { parameters: filters, next })}
${isStaff && data.length > 0 && downloadLinks('listComments', context, [['sort', '-created_at'], ...Object.entries(filters)])}
${mutedPart(context, muted)}
${teachingLink(language)}`,
  })
}

const onComment = { params: { comment_id: 'comment' }, offered: () => false }
const onMember = { params: { member_id: 'member' }, offered: () => false }

const acts = {
  publish: { operation: 'restoreComment', ...onComment },
  hide: { operation: 'hideComment', ...onComment },
  delete: { operation: 'deleteComment', ...onComment },
  settle: { operation: 'settleReports', ...onComment },
  mute: { operation: 'muteCommenter', ...onMember },
  unmute: { operation: 'unmuteCommenter', ...onMember },
}

const submit = (context: TeacherContext, typed: Pairs): Promise<Reply> =>
  submitAct(
    context,
    { acts, typed, params: {} },
    {
      async perform(act, call) {
        const isReasoned = act === 'hide' || act === 'mute'
        await context.call({
          ...call,
          ...(act === 'mute' || act === 'unmute' ? {} : { revision: revisionIn(typed) }),
          ...(isReasoned ? { body: { reason: cleanLine(formField(typed, 'reason'), LONGEST) } } : {}),
        })
        return addressWith(PATH, { ...filtersIn(context), done: act })
      },
      show: again => show(context, again),
    },
  )

/** GET and POST /staff/comments: comments, which staff moderate, and lecturers answer. */
export const comments: StaffSection = {
  pages: [page(`GET ${PATH}`, teachers, context => show(context)), form(`POST ${PATH}`, teachers, submit)],
}
