import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { createDemoPeople, createPerson, createSchool, crumbAndCrust, people, seedDemo } from '#src/demo/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { createKeys } from '#src/oauth/index.ts'
import { openFiles } from '#src/store/index.ts'
import type { TestApp } from './app.ts'

/** Returns a function that creates a school with the demo as the first start does, and returns its id. */
export const useShownDemo = (app: TestApp): ((baseUrl: string) => Promise<string>) => {
  const folders: string[] = []
  after(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))))
  return async baseUrl => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-demo-'))
    folders.push(folder)
    const database = openDatabase(app.database.appUrl, { wait: 600_000 })
    try {
      const id = await createSchool(database, createKeys(app.secret), { ...crumbAndCrust, baseUrl }, Date.now())
      assert.ok(id)
      await createPerson(database, id, { ...people.ada, password: 'bread is flour and time' })
      await createDemoPeople(database, id, systemRandom)
      const shown = { files: await openFiles({ folder }), keyFor: (purpose: string) => purposeKey(app.secret, purpose) }
      assert.equal(await seedDemo(database, id, shown), true)
      assert.equal(await seedDemo(database, id, shown), false)
      return id
    } finally {
      await database.close()
    }
  }
}
