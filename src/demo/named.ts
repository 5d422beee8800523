import type { Role } from '#src/contract/caller.ts'
import type { Database } from '#src/contract/db.ts'
import type { Random } from '#src/kit/crypto.ts'
import { createPerson, newPassword, type PersonPlan } from './people.ts'
import type { SchoolPlan } from './school.ts'

/** The school of the demo, the documentation and the tests: Crumb & Crust. */
export const crumbAndCrust: Omit<SchoolPlan, 'baseUrl'> = {
  name: 'Crumb & Crust',
  description: 'A small school for people who bake bread at home.',
  locale: 'en',
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  country: 'PT',
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

/** Creates the people of the demo data except the owner; existing ones stay as they are. */
export const createDemoPeople = async (database: Database, schoolId: string, random: Random): Promise<PersonPlan[]> => {
  const { ada, ...others } = people
  const plans = Object.values(others).map(person => ({ ...person, password: newPassword(random) }))
  const created: PersonPlan[] = []
  for (const plan of plans) {
    if ((await createPerson(database, schoolId, plan)) !== 'email_taken') created.push(plan)
  }
  return created
}
