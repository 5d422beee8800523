import type { Role } from '#src/contract/caller.ts'
import type { School } from '#src/contract/school.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { findMemberByEmail, storeRole } from '#src/identity/index.ts'

/** Gives a member of a school another role, as the command does; returns the previous role. */
export const changeRole = (database: OpenDatabase, school: School, email: string, role: Role): Promise<Role> =>
  database.transaction(school.id, async db => {
    const member = await findMemberByEmail(db, school.id, email)
    if (member === undefined) throw new Error(`nobody has ${email}`)
    await storeRole(db, school.id, member.id, role)
    return member.role
  })
