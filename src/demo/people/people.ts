import type { Role } from '#src/contract/caller.ts'
import type { Database } from '#src/contract/db.ts'
import { type EmailTaken, hashPassword, insertMember, type Member, storePassword } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { DAY, openEarlier } from '../clock.ts'

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

type Named = { readonly email: string; readonly name: string; readonly role: Role }

/** The people of the demo data; Ada is created with the school, as its owner. */
export const people = {
  ada: { email: 'ada@crumb.example', name: 'Ada Moreira', role: 'owner' },
  ben: { email: 'ben@crumb.example', name: 'Ben Okafor', role: 'admin' },
  carla: { email: 'carla@crumb.example', name: 'Carla Nunes', role: 'lecturer' },
  dev: { email: 'dev@crumb.example', name: 'Dev Patel', role: 'member' },
  eli: { email: 'eli@crumb.example', name: 'Eli Sørensen', role: 'member' },
  femi: { email: 'femi@crumb.example', name: 'Femi Adeyemi', role: 'member' },
} as const satisfies Record<string, Named>

// They were there before everybody else of the demo.
const JOINED = 95 * DAY

/** Creates the people of the demo data except the owner; existing ones stay as they are. */
export const createDemoPeople = async (database: Database, schoolId: string, random: Random): Promise<PersonPlan[]> => {
  const { ada, ...others } = people
  const plans = Object.values(others).map(person => ({ ...person, password: newPassword(random) }))
  const created: PersonPlan[] = []
  const then = openEarlier(database, JOINED)
  for (const plan of plans) {
    if ((await createPerson(then, schoolId, plan)) !== 'email_taken') created.push(plan)
  }
  return created
}
