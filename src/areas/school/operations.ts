import type { Static } from 'typebox'
import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import { operation } from '#src/contract/operation.ts'
import { closePage, openPage } from '#src/contract/page.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { changedFields } from '#src/kit/changes.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import {
  type AuditRow,
  countAudit,
  countStaff,
  getSchoolRow,
  listAudit,
  listStaff,
  lockSchoolRow,
  type SchoolRow,
  type StaffRow,
  storeSettings,
} from './queries.ts'
import { faultsOfSettings } from './rules.ts'
import {
  type AuditEntry,
  AuditPage,
  AuditQuery,
  School,
  SchoolChanges,
  type StaffMember,
  StaffPage,
  StaffQuery,
} from './schema.ts'

type Viewer = { readonly caller: Caller; allowedActions(ids: readonly string[]): string[] }

// Members, plain ones too, see what anonymous sees; what the school keeps for itself is for staff.
const viewOf = (row: SchoolRow, { caller, allowedActions }: Viewer): Static<typeof School> => {
  const { contact_email, created_at, updated_at, ...open } = row
  const isStaff = caller.member !== undefined && isAtLeast(caller.member.role, 'admin')
  return {
    ...open,
    id: toId('scl', row.id),
    ...(isStaff ? { contact_email } : {}),
    ...(caller.member === undefined ? {} : { allowed_actions: allowedActions(['getSchool', 'updateSchool']) }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

const getSchool = operation({
  id: 'getSchool',
  route: 'GET /school',
  summary: 'The school: its name, language and money; for staff all settings',
  scope: 'school:read',
  who: 'anyone',
  mode: 'read',
  returns: School,
  async handle(context) {
    return viewOf(await getSchoolRow(context.db, context.school.id), context)
  },
})

const updateSchool = operation({
  id: 'updateSchool',
  route: 'PATCH /school',
  summary: "Change the school's settings",
  scope: 'school:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'required',
  body: SchoolChanges,
  returns: School,
  example: { body: { description: 'Bread, from the first starter to the tenth loaf.' } },
  async handle(context) {
    const { db, school, body } = context
    const row = await lockSchoolRow(db, school.id)
    context.requireMatch(row.revision, viewOf(row, context))
    const fields = changedFields(row, body as Partial<SchoolRow>)
    if (fields.length === 0) return viewOf(row, context)
    const settings = { ...row, ...body }
    const errors = faultsOfSettings(settings)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The settings do not fit together.', { errors })
    const stored = await storeSettings(db, school.id, settings)
    context.changed({ ids: [toId('scl', row.id)], fields, revision: stored.revision })
    context.record({ kind: 'school.updated', about: { fields } })
    return viewOf(stored, context)
  },
})

const listSchoolStaff = operation({
  id: 'listSchoolStaff',
  route: 'GET /school/staff',
  summary: 'Owners, admins and lecturers of the school',
  scope: 'school:read',
  who: 'staff',
  mode: 'read',
  query: StaffQuery,
  returns: StaffPage,
  async handle(context) {
    const { db, school } = context
    const { rows, after } = openPage(context)
    const found = await listStaff(db, school.id, rows, after?.[0])
    const total = () => countStaff(db, school.id)
    return closePage(context, found, { positionOf: row => [row.id], itemOf: staffOf, total })
  },
})

const staffOf = (row: StaffRow): Static<typeof StaffMember> => ({
  ...row,
  id: toId('mem', row.id),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const listAuditLog = operation({
  id: 'listAuditLog',
  route: 'GET /school/audit-log',
  summary: 'Who changed what, newest first',
  description:
    'Each write leaves one entry: who, with which app, which resources and which fields. Values are never kept.',
  scope: 'school:read',
  who: 'staff',
  mode: 'read',
  query: AuditQuery,
  returns: AuditPage,
  async handle(context) {
    const { db, school, query } = context
    const { rows, after } = openPage(context)
    const memberId = query.member_id === undefined ? undefined : fromId('mem', query.member_id)
    const filter = { memberId, operation: query.operation }
    const found = await listAudit(db, school.id, filter, rows, after?.[0])
    const total = () => countAudit(db, school.id, filter)
    return closePage(context, found, { positionOf: row => [row.id], itemOf: entryOf, total })
  },
})

const entryOf = (row: AuditRow): Static<typeof AuditEntry> => {
  const { recorded_at, member_id, member_name, client_id, ...entry } = row
  const actor = {
    ...(member_id === null ? {} : { member: { id: toId('mem', member_id), name: member_name ?? '' } }),
    ...(client_id === null ? {} : { client_id }),
  }
  return { ...entry, id: toId('aud', row.id), created_at: recorded_at.toISOString(), actor }
}

/** The operations of the school, in the order of the documentation. */
export const operations = [getSchool, updateSchool, listSchoolStaff, listAuditLog]
