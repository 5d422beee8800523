import { type Caller, isAtLeast, isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, operation, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { ownSubjects, parseSubject, type Subject, subjectId } from '#src/contract/subject.ts'
import { readList } from '#src/db/list.ts'
import { findSubject, getReadable, mayReadComments, noComment } from './access.ts'
import { type CommentFilter, commentList, countPublished } from './queries.ts'
import {
  Comment,
  CommentableSubject,
  CommentCounts,
  CommentPage,
  CommentRef,
  CommentsQuery,
  CountsQuery,
  type ListCommentsParams,
  SubjectPath,
  ThreadQuery,
} from './schema.ts'
import { commentView, commentViews } from './views.ts'

const NOTHING = { data: [], has_more: false }

// The course of the demo that has comments.
const sourdough = exampleFrom('crs', 'listCourses', { having: { slug: 'sourdough-from-scratch' } })

const one = { comment_id: exampleFrom('cmt', 'listComments') }

const subjectFor = (text: string): Subject => {
  const subject = parseSubject(text)
  if (subject === undefined) throw noComment()
  return subject
}

const readFilter = (query: ListCommentsParams): CommentFilter => ({
  parentId: query.parent_id,
  rootId: query.root_id,
  authorId: query.author_id,
  status: query.status,
  isUnanswered: query.unanswered,
  isReported: query.reported,
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
})

type Listing = ReadContext<Caller> & { readonly query: ListCommentsParams }

/** Which comments a list is of; undefined when the caller gets none of them. */
const listedIn = async (context: Listing): Promise<CommentFilter | undefined> => {
  const { db, school, caller, query } = context
  if (query.subject !== undefined) {
    const subject = subjectFor(query.subject)
    return mayReadComments(caller, await findSubject(context, subject)) ? { subject } : undefined
  }
  if (!isStaff(caller) && !(caller.member && isAtLeast(caller.member.role, 'lecturer')))
    throw new Refusal(roleRequired, 'Name a subject; only staff and lecturers list comments without one.')
  return { among: await ownSubjects.call({ caller }, { db, school }) }
}

const isForStaff = ({ status = 'published', reported }: ListCommentsParams): boolean =>
  status !== 'published' || reported !== undefined

const listComments = declareFor('anyone', 'comments', {
  id: 'listComments',
  route: 'GET /comments',
  summary: 'List comments',
  description:
    'Lists the comments on a subject that you may read, the oldest first: published ones, and the places of hidden or deleted ones that have replies. Without `subject`, staff list all comments and lecturers those on what they teach. Staff also see pending and hidden comments.',
  query: CommentsQuery,
  returns: CommentPage,
  fails: [roleRequired],
  example: { query: { subject: sourdough } },
  async handle(context) {
    const { school, caller, query } = context
    const place = await listedIn(context)
    const staff = isStaff(caller)
    if (place === undefined || (isForStaff(query) && !staff)) return NOTHING
    // The author of a comment of which only the place is left is not to be found by their id.
    const status = staff || query.author_id === undefined ? query.status : 'published'
    const filter = { ...readFilter(query), ...place, status, isListed: !staff }
    return readList(context, commentList(school.id, filter), rows => commentViews(context, rows))
  },
})

const getComment = declareFor('anyone', 'comments', {
  id: 'getComment',
  route: 'GET /comments/:comment_id',
  summary: 'Get a comment',
  description:
    'Returns a comment on a subject that you may read. A pending or hidden comment is returned to staff and to its author; a hidden or deleted one with replies has no author and no words for others.',
  params: CommentRef,
  returns: Comment,
  example: { params: one },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const { row } = await getReadable(context, params.comment_id)
    const view = await commentView(context, row)
    if (caller.member === undefined) return view
    const isReportable = row.status === 'published' && row.member_id !== caller.member.id
    const actions = ['getComment', 'getCommentThread', ...(isReportable ? ['reportComment'] : [])]
    return { ...view, allowed_actions: allowedActions(actions) }
  },
})

const getThread = declareFor('anyone', 'comments', {
  id: 'getCommentThread',
  route: 'GET /comments/:comment_id/thread',
  summary: 'Get the thread of a comment',
  description:
    'Lists the thread that a comment is in: its root and all comments below it, in the order in which they were written. `parent_id` says what each replies to.',
  params: CommentRef,
  query: ThreadQuery,
  returns: CommentPage,
  example: { params: one },
  async handle(context) {
    const { school, caller, params } = context
    const { row } = await getReadable(context, params.comment_id)
    const filter = { rootId: row.root_id, isListed: !isStaff(caller) }
    return readList(context, commentList(school.id, filter), rows => commentViews(context, rows))
  },
})

const countComments = declareFor('anyone', 'comments', {
  id: 'countComments',
  route: 'GET /comments/counts',
  summary: 'Count comments',
  description:
    'Returns the number of published comments on each of some subjects. Subjects that you may not read are left out.',
  query: CountsQuery,
  returns: CommentCounts,
  example: { query: { 'subject[in]': [sourdough] } },
  async handle(context) {
    const { db, school, caller, query } = context
    const subjects = new Map(query['subject[in]'].map(text => [text.slice(text.indexOf(':') + 1), subjectFor(text)]))
    const counts = [...subjects.values()].map(async subject => {
      if (!mayReadComments(caller, await findSubject(context, subject))) return []
      const { type } = subject
      return [{ subject: { type, id: subjectId(subject) }, count: await countPublished(db, school.id, subject) }]
    })
    return { data: (await Promise.all(counts)).flat() }
  },
})

const getCommentSubject = operation({
  id: 'getCommentSubject',
  summary: 'Get what a comment is on',
  description:
    'Returns the name, the page and the mode of something that you can read, for the pages on which people comment.',
  who: 'anyone',
  mode: 'read',
  params: SubjectPath,
  returns: CommentableSubject,
  example: { params: { subject: sourdough } },
  async handle(context) {
    const subject = subjectFor(context.params.subject)
    const found = await findSubject(context, subject)
    if (found === undefined) throw noComment()
    const { name, path, mode } = found
    return { type: subject.type, id: subjectId(subject), name, path, mode }
  },
})

/** The operations that read comments, in the order of the documentation. */
export const commentOperations = [listComments, getComment, getThread, countComments, getCommentSubject]
