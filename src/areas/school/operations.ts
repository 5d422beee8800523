import type { Static } from 'typebox'
import { type Caller, isAtLeast } from '#src/contract/caller.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { changedFields } from '#src/kit/changes.ts'
import { toId } from '#src/kit/ids.ts'
import { getSchoolRow, lockSchoolRow, type SchoolRow, storeSettings } from './queries.ts'
import { faultsOfSettings } from './rules.ts'
import { School, SchoolChanges } from './schema.ts'

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

/** The operations of the school, in the order of the documentation. */
export const operations = [getSchool, updateSchool]
