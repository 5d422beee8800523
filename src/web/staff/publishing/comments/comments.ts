import { CommentPage, MutePage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, form, page, redirect, refusalFor, revisionIn } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { commentsPage } from './comments-page.ts'
import { commentsText as text } from './text.ts'
import type { CommentsView, Filters, ListedComment, ListedReport } from './view.ts'

const PATH = '/staff/comments'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const filtersOf = ({ query, isStaff }: TeacherContext): Filters => {
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

const reportsOf = async (context: TeacherContext, comments: readonly ListedComment[]) => {
  const reported = comments.filter(comment => comment.reported === true)
  const found = reported.map(async ({ id }): Promise<readonly [string, readonly ListedReport[]]> => {
    const call = { operation: 'listCommentReports', params: { comment_id: id }, returns: ReportPage }
    return [id, (await context.call(call)).data]
  })
  return new Map(await Promise.all(found))
}

const pageOf = async (context: TeacherContext, refused?: CommentsView['refused']): Promise<Reply> => {
  const filters = filtersOf(context)
  const call = { operation: 'listComments', query: queryOf(filters), returns: CommentPage }
  const { data: comments, next_cursor: next } = await context.call(call)
  const muted = context.isStaff
    ? (await context.call({ operation: 'listMutedCommenters', returns: MutePage })).data
    : []
  const reports = await reportsOf(context, comments)
  return commentsPage({ context, filters, comments, reports, muted, next, refused, done: doneOf(context.request) })
}

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'params' | 'revision'>

const aboutComment = (operation: string, form: Pairs, body?: object): Call => ({
  operation,
  params: { comment_id: formField(form, 'comment') },
  revision: revisionIn(form),
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

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(context.call(call))
  if (refusal !== undefined) return pageOf(context, { act, form, refusal })
  return redirect(addressWith(PATH, { ...filtersOf(context), done: act }))
}

/** GET and POST /staff/comments: comments, which staff moderate, and lecturers answer. */
export const comments: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page(`GET ${PATH}`, teachers, context => pageOf(context)), form(`POST ${PATH}`, teachers, submit)],
}
