import { parseForm } from '../browser.ts'
import type { TestReply, TestRequest } from '../http.ts'
import type { Visitor } from '../oauth.ts'
import type { Jar, Side } from './side.ts'

const keep = (jar: Jar, reply: TestReply): void => {
  for (const line of reply.headers['set-cookie'] ?? []) {
    const [pair = ''] = line.split(';')
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}

const locateWithin = (issuer: string, reply: TestReply): string | undefined => {
  const { location = '' } = reply.headers
  if (reply.status !== 303) return undefined
  if (location.startsWith('/')) return location
  return location.startsWith(`${issuer}/`) ? location.slice(issuer.length) : undefined
}

type Person = Pick<Visitor, 'email' | 'password'>

const post = (action: string, fields: readonly (readonly [string, string])[]): TestRequest => ({
  method: 'POST',
  path: action,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields as [string, string][]).toString(),
})

// Completed as a person would: the sign-in page, the consent page, and the sign-up page, which is left for sign-in.
const fillIn = (reply: TestReply, person: Person): { page: string; request: TestRequest } | undefined => {
  const { action, fields } = parseForm(reply)
  const hidden = fields.filter(([name]) => name !== 'email' && name !== 'password')
  const toSignIn = /href="(\/oauth\/authorize\/sign-in\?[^"]+)"/.exec(reply.text)?.[1]
  if (reply.text.includes('name="decision"'))
    return { page: 'consent', request: post(action, [...fields, ['decision', 'approve']]) }
  if (action.endsWith('/sign-up') && toSignIn !== undefined)
    return { page: 'sign-up', request: { path: toSignIn.replaceAll('&amp;', '&') } }
  // oidc-provider asks the browser to sign out the previous person before another one signs in.
  if (action.endsWith('/session/end/confirm'))
    return { page: 'sign-out', request: post(new URL(action).pathname, fields) }
  if (!reply.text.includes('name="password"')) return undefined
  return { page: 'sign-in', request: post(action, [...hidden, ['email', person.email], ['password', person.password]]) }
}

type Walking = {
  readonly issuer: string
  readonly send: Side['send']
  readonly people: Readonly<Record<'member' | 'mate', Person>>
}

/** Returns a browser that completes every page it sees. */
export const walker =
  ({ issuer, send: sendTo, people }: Walking): Side['walk'] =>
  async (path, jar, person = 'member') => {
    const pages: string[] = []
    const one = async (request: TestRequest): Promise<TestReply> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { accept: 'text/html', ...request.headers, ...(cookie === '' ? {} : { cookie }) }
      const reply = await sendTo({ ...request, headers })
      keep(jar, reply)
      return reply
    }
    let reply = await one({ path })
    for (let hops = 0; hops < 20; hops++) {
      const within = locateWithin(issuer, reply)
      const filled = within === undefined ? fillIn(reply, people[person]) : undefined
      if (within === undefined && filled === undefined) break
      // No account is created, and nobody confirms a sign-out: both pages link to the next one.
      if (filled?.page === 'sign-in' || filled?.page === 'consent') pages.push(filled.page)
      reply = await one(filled?.request ?? { path: within ?? '/' })
    }
    return { reply, pages }
  }
