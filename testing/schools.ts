import { createSchool } from '#src/demo/index.ts'
import { createKeys } from '#src/oauth/index.ts'
import type { TestApp } from './app.ts'

/** Adds a school without people, courses or orders, which nobody has paid yet. */
export const addSchool = async (
  app: TestApp,
  baseUrl: string,
  name = 'New school',
): Promise<{ readonly id: string; readonly baseUrl: string }> => {
  const id = await createSchool(app.database.elsewhere(), createKeys(app.secret), { name, baseUrl }, Date.now())
  if (id === undefined) throw new Error(`there is a school at ${baseUrl}`)
  return { id, baseUrl }
}
