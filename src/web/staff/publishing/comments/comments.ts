import { CommentPage, MutePage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { commentsPage } from './comments-page.ts'
import { commentsText as text } from './text.ts'
import type { CommentsView, Filters, ListedComment, ListedReport } from './view.ts'

const PATH = '/staff/comments'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const filtersOf = ({ query, isStaff }: TeachingVisit): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  const forStaff = (name: string): string => (isStaff ? part(name) : '')
  return {
    status: forStaff('status'),
    reported: forStaff('reported'),
    unanswered: part('unanswered'),
    cursor: part('cursor'),
  }
}

const queryOf = (filters: Filters): Pairs => [
  ['sort', '-created_at'],
  ...Object.entries(filters).filter(([, value]) => value !== ''),
]

const reportsOf = async (visit: TeachingVisit, comments: readonly ListedComment[]) => {
  const reported = comments.filter(comment => comment.reported === true)
  const found = reported.map(async ({ id }): Promise<readonly [string, readonly ListedReport[]]> => {
    const call = { operation: 'listCommentReports', params: { comment_id: id }, returns: ReportPage }
    return [id, (await perform(visit, call)).data]
  })
  return new Map(await Promise.all(found))
}

const pageOf = async (visit: TeachingVisit, refused?: CommentsView['refused']): Promise<Reply> => {
  const filters = filtersOf(visit)
  const call = { operation: 'listComments', query: queryOf(filters), returns: CommentPage }
  const { data: comments, next_cursor: next } = await perform(visit, call)
  const muted = visit.isStaff
    ? (await perform(visit, { operation: 'listMutedCommenters', returns: MutePage })).data
    : []
  const reports = await reportsOf(visit, comments)
  return commentsPage({ visit, filters, comments, reports, muted, next, refused, done: doneOf(visit.request) })
}

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision'>

const aboutComment = (operation: string, form: Pairs, body?: object): Call => ({
  operation,
  params: { comment_id: formField(form, 'comment') },
  revision: revisionOf(form),
  ...(body === undefined ? {} : { body }),
})

const reasonIn = (form: Pairs) => ({ reason: cleanLine(formField(form, 'reason'), LONGEST) })

const calls: Readonly<Record<string, (form: Pairs) => Call>> = {
  publish: form => aboutComment('restoreComment', form),
  hide: form => aboutComment('hideComment', form, reasonIn(form)),
  delete: form => aboutComment('deleteComment', form),
  settle: form => aboutComment('settleReports', form),
  mute: form => ({
    operation: 'muteCommenter',
    params: { member_id: formField(form, 'member') },
    body: reasonIn(form),
  }),
  unmute: form => ({ operation: 'unmuteCommenter', params: { member_id: formField(form, 'member') } }),
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(perform(visit, call))
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  return redirect(addressWith(PATH, { ...filtersOf(visit), done: act }))
}

/** GET and POST /staff/comments: comments, which staff moderate, and lecturers answer. */
export const comments: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  endpoints: parts => [
    teachingPage(`GET ${PATH}`, parts, visit => pageOf(visit)),
    teachingForm(`POST ${PATH}`, parts, submit),
  ],
}
