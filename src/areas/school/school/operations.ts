import type { Static } from 'typebox'
import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import { type AsCaller, declareFor, type ReadContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { firstUuidAt, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { currencyUses } from './hooks.ts'
import {
  type AuditFilter,
  type AuditRow,
  countAudit,
  getSchoolRow,
  listAudit,
  lockSchoolRow,
  type SchoolRow,
  storeSettings,
} from './queries.ts'
import { currencyInUse, errorsOfSettings } from './rules.ts'
import { type AuditEntry, AuditPage, AuditQuery, School, SchoolChanges } from './schema.ts'
import { staffOperations } from './staff/operations.ts'
import { usageOperations } from './usage/operations.ts'

type Viewer = Pick<ReadContext<Caller>, 'caller' | 'allowedActions'>

// Members, plain ones too, see what anonymous sees; what the school keeps for itself is for staff.
const renderView = (row: SchoolRow, { caller, allowedActions }: Viewer): Static<typeof School> => {
  const { contact_email, created_at, updated_at, ...open } = row
  const isStaff = caller.member !== undefined && isAtLeast(caller.member.role, 'admin')
  return {
    ...open,
    id: row.id,
    ...(isStaff ? { contact_email } : {}),
    ...(caller.member === undefined ? {} : { allowed_actions: allowedActions(['getSchool', 'updateSchool']) }),
    created_at,
    updated_at,
  }
}

const getSchool = declareFor('anyone', 'school', {
  id: 'getSchool',
  route: 'GET /school',
  summary: 'Get the school',
  description:
    'Returns the public profile of the school: its name, language, time zone and currency. Admins and owners also see the settings that are not public.',
  returns: School,
  async handle(context) {
    return renderView(await getSchoolRow(context.db, context.school.id), context)
  },
})

// The row of the school is locked, so that nobody writes an amount in the present currency meanwhile.
const checkCurrencyUnused = async ({ db, school }: AsCaller, currency: string): Promise<void> => {
  const uses = (await currencyUses.call({ currency }, { db, school })).flat().filter(({ count }) => count > 0)
  if (uses.length === 0) return
  const counts = uses.map(({ kind, count }) => `${kind} (${count})`).join(', ')
  throw new Refusal(currencyInUse, `These have amounts in another currency than ${currency}: ${counts}.`, {
    members: { uses },
  })
}

const updateSchool = declareFor('staff', 'school', {
  id: 'updateSchool',
  route: 'PATCH /school',
  summary: 'Update school settings',
  description:
    'Changes the settings that the request names and leaves the others as they are. Requires If-Match, so that two people do not overwrite each other. The currency changes only while no price is on sale in another one.',
  ifMatch: 'required',
  body: SchoolChanges,
  returns: School,
  fails: [currencyInUse],
  example: { body: { description: 'Bread, from the first starter to the tenth loaf.' } },
  async handle(context) {
    const { db, school, body } = context
    const row = await lockSchoolRow(db, school.id)
    await context.requireMatch(row.revision, () => renderView(row, context))
    const fields = changedFields(row, body as Partial<SchoolRow>)
    if (fields.length === 0) return renderView(row, context)
    const settings = { ...row, ...body }
    refuseInvalid(errorsOfSettings(settings, row), 'The settings are not valid.')
    if (fields.includes('currency')) await checkCurrencyUnused(context, settings.currency)
    const stored = await storeSettings(db, school.id, settings)
    context.changed({ ids: [toId('scl', row.id)], fields, revision: stored.revision })
    context.record({ type: 'school.updated', payload: { fields } })
    return renderView(stored, context)
  },
})

const listAuditLog = declareFor('staff', 'school', {
  id: 'listAuditLog',
  route: 'GET /school/audit-log',
  summary: 'List audit log entries',
  description:
    'Lists every write of the school, newest first: who made it, through which app, on which resources and in which fields. Values are never stored in the log.',
  query: AuditQuery,
  returns: AuditPage,
  async handle(context) {
    const { db, school, query } = context
    const { rows, after } = parsePage(context)
    const filter = readFilter(query)
    const found = await listAudit(db, school.id, filter, rows, after?.[0])
    const total = () => countAudit(db, school.id, filter)
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderEntry),
      total,
    })
  },
})

const readFilter = (query: Static<typeof AuditQuery>): AuditFilter => ({
  memberId: query.member_id,
  operation: query.operation,
  from: firstId(query['created_at[gte]']),
  until: firstId(query['created_at[lt]']),
})

// The id of an entry begins with its instant, so the ids from an instant on are those from this one on.
const firstId = (at: Date | undefined): string | undefined => at && firstUuidAt(at.getTime())

const renderEntry = (row: AuditRow): Static<typeof AuditEntry> => {
  const { recorded_at, member_id, member_name, client_id, actor: withoutMember, ...entry } = row
  const kind: Static<typeof AuditEntry>['actor']['kind'] = member_id === null ? (withoutMember ?? 'worker') : 'member'
  const actor = {
    kind,
    ...(member_id === null ? {} : { member: { id: member_id, name: member_name ?? '' } }),
    ...(client_id === null ? {} : { client_id }),
  }
  return { ...entry, id: row.id, created_at: recorded_at, actor }
}

/** The operations of the school, in the order of the documentation. */
export const operations = [getSchool, updateSchool, ...staffOperations, ...usageOperations, listAuditLog]
