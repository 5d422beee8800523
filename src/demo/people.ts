import type { Role } from '#src/contract/caller.ts'
import type { Database } from '#src/contract/db.ts'
import { type EmailTaken, hashPassword, insertMember, type Member, storePassword } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'

/** The values of a new member. */
export type PersonPlan = {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password: string
}

/** A random password of 120 bits. */
export const newPassword = (random: Random): string => random(15).toString('base64url')

/** Creates a member who can sign in with a password. */
export const createPerson = async (
  database: Database,
  schoolId: string,
  plan: PersonPlan,
): Promise<Member | EmailTaken> => {
  const hash = await hashPassword(plan.password)
  return database.transaction(schoolId, async (db, now) => {
    const member = await insertMember(db, schoolId, { ...plan, id: newUuid(now.getTime()) })
    if (member !== 'email_taken') await storePassword(db, schoolId, member.id, hash)
    return member
  })
}
