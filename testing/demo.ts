import type { OpenDatabase } from '#src/db/database.ts'
import { hashPassword, insertMember, storePassword } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { createKeys } from '#src/oauth/index.ts'
// The hooks between areas must be registered before anything is created through their entry points.
import '#src/areas.ts'
import { createSchool, crumbAndCrust, people, seedDemo } from '#src/demo/index.ts'
import { addAccountData } from './accounts.ts'
import type { TestDatabase } from './database.ts'
import { setDemoTransfers } from './demo-transfers.ts'
import { issueToAll } from './issued.ts'
import { PASSWORD } from './password.ts'
import { addStaticPages } from './static-pages.ts'
import { addImports } from './stored-imports.ts'
import { handInForAll } from './submissions.ts'
import { announceUploads } from './uploads.ts'

/** The address at which the first school is created; nobody listens there, and each test application changes it to its port. */
export const NOWHERE = 'http://first.school.example'
const ELSEWHERE = 'https://rye.example'

const fill = async (database: OpenDatabase, schoolId: string, hash: string): Promise<void> => {
  await database.transaction(schoolId, async (db, now) => {
    for (const person of Object.values(people)) {
      const id = newUuid(now.getTime())
      await insertMember(db, schoolId, { ...person, id })
      await storePassword(db, schoolId, id, hash)
    }
  })
  await seedDemo(database, schoolId)
}

/** Creates the two schools of the tests with demo data in each, and seals their keys with a secret. */
export const makeSchools = async (database: OpenDatabase, owner: Pick<TestDatabase, 'query'>, secret: string) => {
  const hash = await hashPassword(PASSWORD)
  for (const baseUrl of [NOWHERE, ELSEWHERE]) {
    const id = await createSchool(database, createKeys(secret), { ...crumbAndCrust, baseUrl }, Date.now())
    if (id === undefined) throw new Error('the schools are there already')
    await fill(database, id, hash)
  }
  await announceUploads(owner)
  await addStaticPages(owner)
  await addImports(owner)
  await handInForAll(owner)
  await addAccountData(owner)
  await issueToAll(owner)
  await setDemoTransfers(owner)
}

/** Gives the first school the address at which an application listens. */
export const moveFirstSchool = async ({ query }: Pick<TestDatabase, 'query'>, baseUrl: string): Promise<void> => {
  await query('update schools set base_url = $2 where base_url = $1', [NOWHERE, baseUrl])
  await query('update hosts set host = $2 where host = $1', [new URL(NOWHERE).host, new URL(baseUrl).host])
  await query('select stoa.add_loopback_hosts(id) from schools where base_url = $1', [baseUrl])
}
