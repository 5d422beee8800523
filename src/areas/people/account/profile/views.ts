import type { Static } from 'typebox'
import { fileView } from '#src/areas/files/index.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import type { Member } from '#src/identity/index.ts'
import type { ProfileExtras } from './queries.ts'
import type { Account } from './schema.ts'

const ACTIONS = ['getAccount', 'updateAccount']

/** The account of the person behind the token. */
export const accountView = async (
  context: ReadContext,
  member: Member,
  extras: ProfileExtras,
): Promise<Static<typeof Account>> => ({
  id: member.id,
  email: member.email,
  email_verified: member.email_verified,
  name: member.name,
  locale: member.locale,
  time_zone: member.time_zone,
  notifications: member.notifications,
  avatar: await fileView(context, extras.avatar_file_id),
  marketing_consent: {
    granted: extras.marketing_granted,
    at: extras.marketing_at,
    source: extras.marketing_source,
  },
  role: member.role,
  revision: member.revision,
  allowed_actions: context.allowedActions(ACTIONS),
  created_at: member.created_at,
  updated_at: member.updated_at,
})
