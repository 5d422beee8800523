import { isStaff } from '#src/contract/caller.ts'
import { declareFor } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { ownBinned } from './hooks.ts'
import { binList } from './queries.ts'
import { type BinKind, binId, binKinds, parseBinId } from './rules.ts'
import { BinPage, BinQuery } from './schema.ts'

const listBin = declareFor('self', 'school', {
  id: 'listBin',
  route: 'GET /bin',
  summary: 'List the bin',
  description:
    'Lists what was deleted in the last 30 days and can be restored, newest first: of the kinds whose lists the token can read. Staff see everything, others the lessons of courses that they teach and the drafts of posts that they wrote. A deleted course has its lessons in it.',
  query: BinQuery,
  returns: BinPage,
  async handle(context) {
    const { db, school, caller, query, allowedActions } = context
    const readable = (Object.keys(binKinds) as BinKind[]).filter(
      kind => allowedActions([binKinds[kind].list]).length > 0,
    )
    const kinds = readable.filter(kind => query.kind === undefined || kind === query.kind)
    const id = query.id === undefined ? undefined : parseBinId(query.id)
    const among = isStaff(caller) ? undefined : await ownBinned.call({ caller }, { db, school })
    return readList(context, binList(school.id, { kinds, id, among }), rows =>
      rows.map(row => ({
        id: binId(row),
        kind: row.kind,
        name: row.name,
        course_id: row.course_id,
        deleted_at: row.deleted_at,
        until: row.until,
        deleted_by: row.deleted_by === null ? null : { id: row.deleted_by, name: row.deleter ?? '' },
        allowed_actions: allowedActions(binKinds[row.kind].acts),
      })),
    )
  },
})

/** The operations of the bin as a whole. */
export const operations = [listBin]
