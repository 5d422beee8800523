import type { Static } from 'typebox'
import { fileViews } from '#src/areas/storage/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, rateLimited } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { countExports, type ExportRow, findExport, findRecent, insertExport, listAccountExports } from './queries.ts'
import { Export, ExportPage, ExportRef, ExportsQuery } from './schema.ts'

const DAY_SECONDS = 24 * 3600

type Viewing = Parameters<typeof fileViews>[0]

const viewsOf = async (
  context: Viewing,
  rows: readonly ExportRow[],
): Promise<(row: ExportRow) => Static<typeof Export>> => {
  const files = await fileViews(
    context,
    rows.flatMap(({ file_id }) => (file_id === null ? [] : [file_id])),
  )
  return row => ({
    id: toId('exp', row.id),
    status: row.status,
    file: row.file_id === null ? null : (files.get(row.file_id) ?? null),
    expires_at: row.expires_at?.toISOString() ?? null,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })
}

const createAccountExport = operation({
  id: 'createAccountExport',
  route: 'POST /account/exports',
  summary: 'Export your data',
  description:
    'Starts a copy of everything the school stores about you: one JSON document, kept for 7 days. An e-mail says when it is ready. While one is being made, the response is that one; another can be requested after a day.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  returns: Export,
  status: 202,
  fails: [rateLimited],
  async handle(context) {
    const { db, school, caller, now, changed, record } = context
    const memberId = caller.member.id
    // Held, so that of two who ask at once the second one finds what the first one asked for.
    await lockMember(db, school.id, memberId)
    const recent = await findRecent(db, school.id, memberId, DAY_SECONDS)
    if (recent?.status === 'pending') return (await viewsOf(context, [recent]))(recent)
    if (recent !== undefined)
      throw new Refusal(rateLimited, 'A copy was asked for within the last day.', {
        headers: { 'retry-after': String(recent.wait) },
      })
    const row = await insertExport(db, school.id, { id: newUuid(now.getTime()), memberId })
    const id = toId('exp', row.id)
    changed({ ids: [id], fields: ['status'], revision: row.revision, memberId })
    record({
      type: 'account.export_requested',
      payload: { export: id, member: toId('mem', memberId) },
      effects: {
        mail: { en: 'Mails the person when the copy is ready', pt: 'Avisa a pessoa quando a cópia estiver pronta' },
      },
    })
    return (await viewsOf(context, [row]))(row)
  },
})

const listOwnExports = operation({
  id: 'listAccountExports',
  route: 'GET /account/exports',
  summary: 'List your data exports',
  description: 'Lists your recent data exports, newest first.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  query: ExportsQuery,
  returns: ExportPage,
  async handle(context) {
    const { db, school, caller } = context
    const found = await listAccountExports(db, school.id, caller.member.id, parsePage(context))
    return buildPage(context, found, {
      positionOf: row => [row.id],
      itemOf: await viewsOf(context, found),
      total: () => countExports(db, school.id, caller.member.id),
    })
  },
})

const getAccountExport = operation({
  id: 'getAccountExport',
  route: 'GET /account/exports/:export_id',
  summary: 'Get your data export',
  description:
    'Returns one data export, with its download address once it is ready. The address expires after an hour or two; request the export again for a new one.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  params: ExportRef,
  returns: Export,
  example: { params: { export_id: exampleFrom('exp', 'listAccountExports') } },
  async handle(context) {
    const { db, school, caller, params } = context
    const row = await findExport(db, school.id, fromId('exp', params.export_id))
    if (row === undefined || row.member_id !== caller.member.id) throw new Refusal(notFound, 'There is no such export.')
    return (await viewsOf(context, [row]))(row)
  },
})

/** What a person does with the copies of their data. */
export const exportOperations = [createAccountExport, listOwnExports, getAccountExport]
