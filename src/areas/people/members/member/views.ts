import type { Static } from 'typebox'
import type { MemberRow } from './queries.ts'
import type { Member } from './schema.ts'

/** A member as staff read them. */
export const memberView = (row: MemberRow): Static<typeof Member> => ({
  id: row.id,
  email: row.email,
  email_verified: row.email_verified,
  name: row.name,
  phone: row.phone,
  locale: row.locale,
  time_zone: row.time_zone,
  status: row.status,
  role: row.role,
  tags: [...row.tags],
  custom_fields: { ...row.custom_fields },
  marketing_consent: {
    granted: row.marketing_granted,
    at: row.marketing_at,
    source: row.marketing_source,
  },
  external_id: row.external_id,
  joined_at: row.joined_at,
  last_seen_at: row.last_seen_at,
  suspended_at: row.suspended_at,
  suspension_reason: row.suspended_for,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
