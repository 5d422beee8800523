import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { createSchool } from '#src/demo/index.ts'
import { createKeys } from '#src/oauth/index.ts'
import type { TestApp } from './app.ts'

/** The database of an application, for what has no page and no operation; whoever opens it closes it. */
export const openAppDatabase = ({ database: { appUrl } }: Pick<TestApp, 'database'>): OpenDatabase =>
  openDatabase(appUrl, { onError: () => undefined })

/** Adds a school without people, courses or orders, which nobody has paid yet. */
export const addSchool = async (
  app: TestApp,
  baseUrl: string,
  name = 'New school',
): Promise<{ readonly id: string; readonly baseUrl: string }> => {
  const database = openAppDatabase(app)
  try {
    const id = await createSchool(database, createKeys(app.secret), { name, baseUrl }, Date.now())
    if (id === undefined) throw new Error(`there is a school at ${baseUrl}`)
    return { id, baseUrl }
  } finally {
    await database.close()
  }
}
