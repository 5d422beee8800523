import type { School } from '#src/contract/school.ts'
import { send, type TestReply, type TestRequest } from './http.ts'

/** A form of a page: its action, and the fields that it sends unchanged. */
export type PageForm = { readonly action: string; readonly fields: readonly (readonly [string, string])[] }

/**
 * A browser without scripts, with what our pages need: cookies, redirects within the school, forms. It sends cookies to
 * every path; `tests/browser/cookies.browser.ts` shows in Chromium where cookies of loopback go.
 */
export type Browser = {
  readonly cookies: Map<string, string>
  /** Requests a path and follows redirects within the school. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<TestReply>
  /** Posts a form and follows redirects within the school; `fields` replace or add. */
  submit(
    form: PageForm,
    fields: readonly (readonly [string, string])[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestReply>
}

const decodeEntities = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : decodeEntities(found)
}

/** Returns the first form of a page; ticked boxes, chosen radio buttons and filled inputs count as fields. */
export const parseForm = ({ text }: Pick<TestReply, 'text'>): PageForm => {
  const main = text.slice(Math.max(0, text.indexOf('<main')))
  const [, head = '', inside = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(main) ?? []
  const inputs = [...inside.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const isOff = (tag: string): boolean =>
    ['checkbox', 'radio'].includes(attribute(tag, 'type') ?? '') && !/\schecked/.test(tag)
  const sent = inputs.filter(tag => !isOff(tag))
  return {
    action: attribute(head, 'action') ?? '',
    fields: sent.map(tag => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const),
  }
}

const keep = (cookies: Map<string, string>, reply: TestReply): void => {
  for (const line of reply.headers['set-cookie'] ?? []) {
    const [pair = ''] = line.split(';')
    const cut = pair.indexOf('=')
    if (/;\s*Max-Age=0/i.test(line)) cookies.delete(pair.slice(0, cut))
    else cookies.set(pair.slice(0, cut), pair.slice(cut + 1))
  }
}

/** Opens a browser at a school. */
export const openBrowser = (port: number, school: School): Browser => {
  const cookies = new Map<string, string>()
  const one = async (request: TestRequest): Promise<TestReply> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...request.headers, ...(cookie === '' ? {} : { cookie }) }
    const reply = await send(port, { host: new URL(school.siteOrigin).host, ...request, headers })
    keep(cookies, reply)
    return reply
  }
  const follow = async (request: TestRequest): Promise<TestReply> => {
    let reply = await one(request)
    for (let hops = 0; hops < 10 && reply.status === 303 && (reply.headers.location ?? '').startsWith('/'); hops++) {
      reply = await one({
        // A browser keeps the fragment for itself.
        path: (reply.headers.location ?? '').replace(/#.*$/, ''),
        ...(request.headers === undefined ? {} : { headers: withoutType(request.headers) }),
      })
    }
    return reply
  }
  return {
    cookies,
    open: (path, headers = {}) => follow({ path, headers }),
    submit: (form, fields, headers = {}) => {
      const names = new Set(fields.map(([name]) => name))
      const all = [...form.fields.filter(([name]) => !names.has(name)), ...fields]
      return follow({
        method: 'POST',
        path: form.action,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(all.map(([name, value]): [string, string] => [name, value])).toString(),
      })
    },
  }
}

const withoutType = (headers: TestRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'))
