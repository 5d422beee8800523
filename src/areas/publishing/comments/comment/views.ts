import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { subjectId, subjectNames } from '#src/contract/subject.ts'
import { currentHtml } from '#src/kit/body/render.ts'
import { buildReader, subjectIn } from './access.ts'
import type { CommentRow } from './queries.ts'
import { type CommentReader, hasWords } from './rules.ts'
import type { CommentView } from './schema.ts'

type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

type Files = Awaited<ReturnType<typeof fileViews>>

const renderAuthor = (row: CommentRow, files: Files): CommentView['author'] => {
  const { member_id: id, member_name: name, author_role: role, avatar_file_id: fileId } = row
  if (id === null) return null
  return { id, name: name ?? '', role, avatar: (fileId === null ? undefined : files.get(fileId)) ?? null }
}

const renderWords = (row: CommentRow, files: Files): Pick<CommentView, 'author' | 'body' | 'body_html'> => ({
  author: renderAuthor(row, files),
  body: row.body,
  body_html: currentHtml('comment', { ...row, body_format: 'markdown' }),
})

const NO_WORDS = { author: null, body: '', body_html: '' }

type Known = { readonly names: ReadonlyMap<string, string>; readonly files: Files; readonly reader: CommentReader }

const renderView = (row: CommentRow, { names, files, reader }: Known): CommentView => {
  const isAuthor = row.member_id !== null && row.member_id === reader.memberId
  return {
    id: row.id,
    subject: { type: row.subject_type, id: subjectId(subjectIn(row)), name: names.get(row.subject_id) ?? null },
    parent_id: row.parent_id,
    root_id: row.root_id,
    depth: row.depth,
    ...(hasWords(row, reader) ? renderWords(row, files) : NO_WORDS),
    status: row.status,
    ...(reader.isStaff || isAuthor ? { hidden_reason: row.hidden_reason } : {}),
    reply_count: row.reply_count,
    ...(reader.isStaff ? { reported: row.open_reports > 0 } : {}),
    edited_at: row.edited_at,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

const namesFor = async ({ db, school, caller }: Showing, rows: readonly CommentRow[]) => {
  const subjects = [...new Map(rows.map(row => [row.subject_id, subjectIn(row)])).values()]
  const found = subjects.length === 0 ? [] : await subjectNames.call({ subjects, caller }, { db, school })
  return new Map(found.flatMap(names => [...names]))
}

/** The views of comments for the caller, with the names of their subjects and the pictures of their authors. */
export const commentViews = async (context: Showing, rows: readonly CommentRow[]): Promise<CommentView[]> => {
  const reader = buildReader(context.caller)
  const shown = rows.filter(row => hasWords(row, reader)).flatMap(({ avatar_file_id: id }) => id ?? [])
  const [names, files] = await Promise.all([namesFor(context, rows), fileViews(context, [...new Set(shown)])])
  return rows.map(row => renderView(row, { names, files, reader }))
}

/** The view of one comment for the caller. */
export const commentView = async (context: Showing, row: CommentRow): Promise<CommentView> => {
  const [view] = await commentViews(context, [row])
  if (view === undefined) throw new Error('a comment has a view')
  return view
}
