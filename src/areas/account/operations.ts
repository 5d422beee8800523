import type { Static } from 'typebox'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { faultsOfProfile, getMember, lockMember, type Member, storeProfile } from '#src/identity/index.ts'
import { changedFields } from '#src/kit/changes.ts'
import { toId } from '#src/kit/ids.ts'
import { accessOperations } from './access.operations.ts'
import { appOperations } from './apps.operations.ts'
import { attemptOperations } from './attempts.operations.ts'
import { certificateOperations } from './certificates.operations.ts'
import { confirmationOperations } from './confirmations.operations.ts'
import { enrollmentOperations } from './enrollments.operations.ts'
import { learningOperations } from './learning.operations.ts'
import { Account, ProfileChanges } from './schema.ts'
import { sessionOperations } from './sessions.operations.ts'
import { submissionOperations } from './submissions.operations.ts'

const ACTIONS = ['getAccount', 'updateAccount']

const viewOf = (member: Member, allowed: (ids: readonly string[]) => string[]): Static<typeof Account> => ({
  id: toId('mem', member.id),
  email: member.email,
  email_verified: member.email_verified,
  name: member.name,
  locale: member.locale,
  time_zone: member.time_zone,
  role: member.role,
  revision: member.revision,
  allowed_actions: allowed(ACTIONS),
  created_at: member.created_at.toISOString(),
  updated_at: member.updated_at.toISOString(),
})

const getAccount = operation({
  id: 'getAccount',
  route: 'GET /account',
  summary: 'The person behind the token',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  returns: Account,
  async handle({ db, school, caller, allowedActions }) {
    return viewOf(await getMember(db, school.id, caller.member.id), allowedActions)
  },
})

const updateAccount = operation({
  id: 'updateAccount',
  route: 'PATCH /account',
  summary: "Change one's own name, language and time zone",
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  body: ProfileChanges,
  returns: Account,
  example: { body: { time_zone: 'Europe/Lisbon' } },
  async handle({ db, school, caller, body, requireMatch, allowedActions, changed, record }) {
    const member = await lockMember(db, school.id, caller.member.id)
    requireMatch(member.revision, viewOf(member, allowedActions))
    const fields = changedFields(member, body as Partial<Member>)
    if (fields.length === 0) return viewOf(member, allowedActions)
    const profile = { ...member, ...body }
    const errors = faultsOfProfile(profile)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The profile has values that are not allowed.', { errors })
    const stored = await storeProfile(db, school.id, profile)
    changed({ ids: [toId('mem', member.id)], fields, revision: stored.revision })
    record({ kind: 'member.updated', about: { member: toId('mem', member.id), fields } })
    return viewOf(stored, allowedActions)
  },
})

/** The operations of the account, in the order of the documentation. */
export const operations = [
  getAccount,
  updateAccount,
  ...learningOperations,
  ...enrollmentOperations,
  ...accessOperations,
  ...submissionOperations,
  ...attemptOperations,
  ...appOperations,
  ...sessionOperations,
  ...confirmationOperations,
  ...certificateOperations,
]
