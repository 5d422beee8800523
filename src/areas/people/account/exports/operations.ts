import { lockMemberByRef, MemberRef, memberExample } from '#src/areas/people/members/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, operation, type WriteContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, rateLimited } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { countExports, type ExportRow, findExport, findRecent, insertExport, listAccountExports } from './queries.ts'
import { Export, ExportPage, ExportRef, ExportsQuery } from './schema.ts'
import { exportView, exportViews } from './views.ts'

const DAY_SECONDS = 24 * 3600

const startExport = async (context: WriteContext<Caller>, memberId: string): Promise<ExportRow> => {
  const { db, school, now, changed, record } = context
  // Locked, so that of two requests at once the second finds the export of the first.
  await lockMember(db, school.id, memberId)
  const recent = await findRecent(db, school.id, memberId, DAY_SECONDS)
  if (recent?.status === 'pending') return recent
  if (recent !== undefined)
    throw new Refusal(rateLimited, 'A copy was requested within the last day.', {
      headers: { 'retry-after': String(recent.wait) },
    })
  const row = await insertExport(db, school.id, { id: newUuid(now.getTime()), memberId })
  const id = toId('exp', row.id)
  changed({ ids: [id], fields: ['status'], revision: row.revision, memberId })
  record({
    type: 'account.export_requested',
    payload: { export_id: id, member_id: toId('mem', memberId) },
    effects: texts.people.account.exports.operations.createAccountExport.effects,
  })
  return row
}

const createAccountExport = declareFor('self', 'account', {
  id: 'createAccountExport',
  route: 'POST /account/exports',
  summary: 'Export your data',
  description:
    'Starts a copy of everything the school stores about you: one JSON document, kept for 7 days. An e-mail says when it is ready. While one is being made, the response is that one; another can be requested after a day.',
  proof: 'recent',
  returns: Export,
  status: 202,
  fails: [rateLimited],
  handle: async context => exportView(context, await startExport(context, context.caller.member.id)),
})

const createMemberExport = operation({
  id: 'createMemberExport',
  summary: "Export a member's data",
  description:
    'Starts a copy of everything the school stores about a member, for the member: a mail says when it is ready, and they get it on the page of their account. Staff do not get the copy.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: MemberRef,
  returns: undefined,
  fails: [rateLimited, invalidState],
  example: { params: memberExample },
  async handle(context) {
    const row = await lockMemberByRef(context.db, context.school, context.params.member_id)
    if (row.status !== 'active') throw new Refusal(invalidState, 'Only an active member can sign in to get the copy.')
    await startExport(context, row.id)
  },
})

const listOwnExports = declareFor('self', 'account', {
  id: 'listAccountExports',
  route: 'GET /account/exports',
  summary: 'List your data exports',
  description: 'Lists your recent data exports, newest first.',
  query: ExportsQuery,
  returns: ExportPage,
  async handle(context) {
    const { db, school, caller } = context
    const found = await listAccountExports(db, school.id, caller.member.id, parsePage(context))
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: async rows => rows.map(await exportViews(context, rows)),
      total: () => countExports(db, school.id, caller.member.id),
    })
  },
})

const getAccountExport = declareFor('self', 'account', {
  id: 'getAccountExport',
  route: 'GET /account/exports/:export_id',
  summary: 'Get your data export',
  description:
    'Returns one data export, with its download address once it is ready. The address expires after an hour or two; request the export again for a new one.',
  params: ExportRef,
  returns: Export,
  example: { params: { export_id: exampleFrom('exp', 'listAccountExports') } },
  async handle(context) {
    const { db, school, caller, params } = context
    const row = await findExport(db, school.id, params.export_id)
    if (row === undefined || row.member_id !== caller.member.id) throw new Refusal(notFound, 'There is no such export.')
    return exportView(context, row)
  },
})

/** The operations of data exports, in the order of the documentation; no app can start one of somebody else. */
export const exportOperations = [createAccountExport, listOwnExports, getAccountExport, createMemberExport]
