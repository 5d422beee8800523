import { BadSetting, readBaseUrl } from '#src/config.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { parseHost, storePagesHost } from '#src/db/schools.ts'
import { Failed, type Run, textOption } from './command.ts'

const NONE = 'none'

/** The value of --pages-url: an origin, or `none`; undefined without the option. Fails for anything else. */
export const readPagesUrl = (run: Run): string | undefined => {
  const text = textOption(run, 'pages-url')
  if (text === undefined || text === NONE) return text
  try {
    return readBaseUrl(text, '--pages-url')
  } catch (error) {
    throw error instanceof BadSetting ? new Failed(error.message) : error
  }
}

/** The address of the uploaded pages of a school, which has the scheme of the school; undefined when it has none. */
export const pagesUrlAt = ({ id, baseUrl }: School, hosts: ReadonlyMap<string, string>): string | undefined => {
  const host = hosts.get(id)
  return host === undefined ? undefined : `${new URL(baseUrl).protocol}//${host}`
}

// A cookie is sent to every port of its host.
const isOwnHost = ({ siteOrigin }: School, pagesUrl: string): boolean =>
  new URL(siteOrigin).hostname === new URL(pagesUrl).hostname

/** Sets the address of the uploaded pages of a school, or removes it. */
export const setPagesUrl = async (db: Db, school: School, pagesUrl: string): Promise<void> => {
  const { id, baseUrl } = school
  if (pagesUrl === NONE) {
    await storePagesHost(db, id, undefined)
    return
  }
  if (new URL(pagesUrl).protocol !== new URL(baseUrl).protocol)
    throw new Failed(`--pages-url has another scheme than ${baseUrl}`)
  if (isOwnHost(school, pagesUrl))
    throw new Failed(`--pages-url must be another host than that of ${baseUrl}, whose cookies its scripts could use`)
  if (!(await storePagesHost(db, id, parseHost(pagesUrl)))) throw new Failed(`the host of ${pagesUrl} is in use`)
}
