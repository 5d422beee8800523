import { operation } from '#src/contract/operation.ts'
import { getMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { Account } from './schema.ts'

const getAccount = operation({
  id: 'getAccount',
  route: 'GET /account',
  summary: 'The person behind the token',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  returns: Account,
  async handle({ db, school, caller, allowedActions }) {
    const member = await getMember(db, school.id, caller.member.id)
    return {
      id: toId('mem', member.id),
      email: member.email,
      email_verified: member.email_verified,
      name: member.name,
      locale: member.locale,
      time_zone: member.time_zone,
      role: member.role,
      revision: member.revision,
      allowed_actions: allowedActions(['getAccount']),
      created_at: member.created_at.toISOString(),
      updated_at: member.updated_at.toISOString(),
    }
  },
})

/** The operations of the account, in the order of the documentation. */
export const operations = [getAccount]
