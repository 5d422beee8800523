import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie } from './account-pages.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'

const cookies = new WeakMap<object, Map<string, Promise<string>>>()

/** The cookies of a person who is signed in on the pages of a school, the first one unless it is named. */
export const cookieAt = (app: TestApp, name: PersonName, school = app.a): Promise<string> => {
  const cookiesByKey = cookies.get(app.database) ?? new Map<string, Promise<string>>()
  cookies.set(app.database, cookiesByKey)
  const key = `${school.id} ${name}`
  const cookie =
    cookiesByKey.get(key) ??
    enterAccount({ port: app.port, school, email: people[name].email, password: PASSWORD }).then(formatCookie)
  cookiesByKey.set(key, cookie)
  return cookie
}
