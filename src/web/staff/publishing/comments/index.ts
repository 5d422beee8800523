import type { Static } from 'typebox'
import { CommentPage, MutePage, ReportPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  type Column,
  createList,
  doneIn,
  form,
  hidden,
  noticeFor,
  page,
  readDone,
  renderName,
  revisionIn,
  submitAct,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { renderPart, showList } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { teachingText } from '../../teaching/text.ts'
import { commentCard, type ListedComment } from './comment-card.ts'

const { commentRefusals, common: text } = texts.staff.comments
// What is refused of an answer, as on the page of a member.
const { refusals: writing } = texts.account.comments.common

const { heads } = texts.staff.lists

const PATH = '/staff/comments'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const buildList = ({ isStaff }: TeacherContext) =>
  createList({
    path: PATH,
    operation: 'listComments',
    returns: CommentPage,
    sort: '-created_at',
    filters: {
      status: isStaff ? text.statuses : undefined,
      reported: isStaff ? { true: text.reported } : undefined,
      unanswered: { true: text.unanswered },
    },
    // Only staff see others than published ones.
    asQuery: isStaff ? {} : { status: () => [], reported: () => [] },
    texts: {
      filters: { status: texts.words.status, reported: text.reports, unanswered: texts.words.answers },
      all: texts.words.comments,
      none: text.none,
      empty: text.empty,
    },
  })

// Where its forms lead back to.
const keepFilters = ({ query }: TeacherContext): Readonly<Record<string, string>> =>
  Object.fromEntries(['status', 'reported', 'unanswered', 'cursor'].map(name => [name, (query.get(name) ?? '').trim()]))

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
const renderMuted = (context: TeacherContext, muted: Encoded<Static<typeof MutePage>>['data']): Html | false => {
  const { t, form } = context
  const label = t(text.unmute)
  const columns: Column<(typeof muted)[number]>[] = [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ member, reason }) => renderName(`/staff/people/${member.id}`, member.name, reason),
    },
    {
      name: heads.change,
      kind: 'lead',
      cell: ({ member }) =>
        form(
          html`${hidden({ act: 'unmute', member: member.id })}<button class="small" type="submit" aria-label="${label}: ${member.name}">${label}</button>`,
          PATH,
        ),
    },
  ]
  return muted.length > 0 && renderPart(context, { id: 'muted', title: t(text.muted), columns, rows: muted })
}

const show = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, call, language, request, isStaff } = context
  const list = buildList(context)
  const shown = await list.read(context)
  const rows = shown.page.data
  const muted = isStaff ? (await call({ operation: 'listMutedCommenters', returns: MutePage })).data : []
  const reports = await readReports(context, rows)
  const action = addressWith(PATH, keepFilters(context))
  const cards = rows.map(comment =>
    commentCard(comment, { context, reports: reports.get(comment.id) ?? [], again, action }),
  )
  const listed = showList(context, list, shown, { columns: [], rows, content: html`${cards}` })
  return context.frame({
    title: t(texts.words.comments),
    ...(again?.refusal === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(again.refusal, language, {
          said: {
            ...staffText.refusals,
            ...teachingText.refusals,
            ...(again.act === 'reply' ? writing : commentRefusals),
          },
        })),
    ...listed,
    body: html`${listed.body}${renderMuted(context, muted)}`,
  })
}

const onComment = { params: { comment_id: 'comment' }, offered: () => false }
const onMember = { params: { member_id: 'member' }, offered: () => false }

const acts = {
  reply: { operation: 'createAccountComment', isOnce: true, offered: () => false },
  publish: { operation: 'restoreComment', ...onComment },
  hide: { operation: 'hideComment', ...onComment },
  delete: { operation: 'deleteComment', ...onComment },
  settle: { operation: 'settleReports', ...onComment },
  mute: { operation: 'muteCommenter', ...onMember },
  unmute: { operation: 'unmuteCommenter', ...onMember },
}

// What an act needs besides the comment that it is about.
const completeCall = (act: string, typed: Pairs): Partial<PageCall<undefined>> => {
  const comment = formField(typed, 'comment')
  if (act === 'reply') {
    const body = formField(typed, 'body').replaceAll('\r\n', '\n').trim()
    return { body: { subject: formField(typed, 'subject'), parent_id: comment, body } }
  }
  return {
    ...(act === 'mute' || act === 'unmute' ? {} : { revision: revisionIn(typed) }),
    ...(act === 'hide' || act === 'mute' ? { body: { reason: cleanLine(formField(typed, 'reason'), LONGEST) } } : {}),
  }
}

const submit = (context: TeacherContext, typed: Pairs): Promise<Reply> =>
  submitAct(
    context,
    { acts, typed, params: {} },
    {
      async perform(act, call) {
        await context.call({ ...call, ...completeCall(act, typed) })
        return addressWith(PATH, { ...keepFilters(context), done: act })
      },
      show: again => show(context, again),
    },
  )

/** GET and POST /staff/comments: comments, which staff moderate, and lecturers answer. */
export const comments: StaffSection = {
  pages: [page(`GET ${PATH}`, teachers, context => show(context)), form(`POST ${PATH}`, teachers, submit)],
}
