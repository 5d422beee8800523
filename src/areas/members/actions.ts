import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { findMember, lockNamedMember, type MemberRow } from './queries.ts'
import type { Member } from './schema.ts'

const instant = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** A member as staff read them. */
export const memberView = (row: MemberRow): Static<typeof Member> => ({
  id: toId('mem', row.id),
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
  marketing_consent: { granted: row.marketing_granted, at: instant(row.marketing_at), source: row.marketing_source },
  external_id: row.external_id,
  last_seen_at: instant(row.last_seen_at),
  suspended_at: instant(row.suspended_at),
  suspension_reason: row.suspended_for,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const nobody = (): Refusal => new Refusal(notFound, 'There is no such member.')

/** The member a path names; refuses when there is none. */
export const getNamedMember = async (db: Db, school: School, ref: string): Promise<MemberRow> => {
  const row = await findMember(db, school.id, ref)
  if (row === undefined) throw nobody()
  return row
}

/** The same, held until the transaction ends; one who is deleted cannot be changed any more. */
export const holdMember = async (db: Db, school: School, ref: string): Promise<MemberRow> => {
  const row = await lockNamedMember(db, school.id, ref)
  if (row === undefined || row.status === 'deleted') throw nobody()
  return row
}

/** That an invitation is to be mailed to a member; the worker makes the code and mails it. */
export const invited = ({ id }: Pick<MemberRow, 'id'>): Fact => ({
  type: 'member.invited',
  payload: { member: toId('mem', id) },
  effects: {
    mail: { en: 'Mails an invitation to the person', pt: 'Envia um convite à pessoa por correio eletrónico' },
  },
})

/** A member of the named world, for the examples. */
export const memberExample = {
  member_id: exampleFrom('mem', 'listMembers', { having: { email: 'eli@crumb.example' } }),
}
