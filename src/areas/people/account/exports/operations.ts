import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, rateLimited } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { countExports, findExport, findRecent, insertExport, listAccountExports } from './queries.ts'
import { Export, ExportPage, ExportRef, ExportsQuery } from './schema.ts'
import { exportView, exportViews } from './views.ts'

const DAY_SECONDS = 24 * 3600

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
  async handle(context) {
    const { db, school, caller, now, changed, record } = context
    const memberId = caller.member.id
    // Locked, so that of two requests at once the second finds the export of the first.
    await lockMember(db, school.id, memberId)
    const recent = await findRecent(db, school.id, memberId, DAY_SECONDS)
    if (recent?.status === 'pending') return exportView(context, recent)
    if (recent !== undefined)
      throw new Refusal(rateLimited, 'A copy was requested within the last day.', {
        headers: { 'retry-after': String(recent.wait) },
      })
    const row = await insertExport(db, school.id, { id: newUuid(now.getTime()), memberId })
    const id = toId('exp', row.id)
    changed({ ids: [id], fields: ['status'], revision: row.revision, memberId })
    record({
      type: 'account.export_requested',
      payload: { export: id, member: toId('mem', memberId) },
      effects: texts.people.account.exports.operations.createAccountExport.effects,
    })
    return exportView(context, row)
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

/** The operations of data exports, in the order of the documentation. */
export const exportOperations = [createAccountExport, listOwnExports, getAccountExport]
