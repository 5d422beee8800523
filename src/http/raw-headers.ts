import type { IncomingMessage } from 'node:http'
import { type Language, languageFor } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'

/**
 * The values of a header by its name in lower case, one for each line that was sent. Node keeps the first of some headers in
 * `raw.headers` and joins others, and `raw.headersDistinct` copies all of them at the first use.
 */
export const readValues = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

/** The cookies of a Cookie header. Of several with one name the first applies. */
export const parseCookies = (header: string): Map<string, string> =>
  new Map(
    header
      .split(';')
      .map(part => {
        const cut = part.indexOf('=')
        return [part.slice(0, Math.max(0, cut)).trim(), part.slice(cut + 1).trim()] as const
      })
      .reverse(),
  )

/** The language of whoever sent a request, without who is signed in: that of a page which is rendered for it. */
export const readLanguage = (raw: IncomingMessage, school: School | undefined): Language => {
  const { cookie } = raw.headers
  const find = cookie === undefined ? undefined : (name: string) => parseCookies(cookie).get(name)
  return languageFor({ school, header: name => readValues(raw, name)[0], cookie: find })
}
