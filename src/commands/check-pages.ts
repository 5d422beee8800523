import { countShown } from '#src/areas/page-bundles/index.ts'
import type { School } from '#src/contract/school.ts'
import { listPagesHosts } from '#src/db/schools.ts'
import type { Installation } from './installation.ts'
import { pagesUrlAt } from './pages-url.ts'

const PATIENCE_MS = 5000
const WEAKER = 'is a name of the school itself on another port, so its pages are in a sandbox without storage'
const SET = 'set another one: stoa schools set --pages-url'

/** What a check of the host for static pages found; a warning does not make the command fail. */
type PagesFinding = { readonly check: string; readonly ok: boolean; readonly warning?: true; readonly says: string }

// Second-level names such as co.uk are registries too.
const siteOf = (hostname: string): string => {
  const labels = hostname.split('.')
  const [second = ''] = labels.slice(-2)
  return labels.slice(second.length <= 3 ? -3 : -2).join('.')
}

/** What is weaker about a host for static pages than it could be; undefined where nothing is. */
export const weaknessOf = (baseUrl: string, pagesUrl: string): string | undefined => {
  const [school, pages] = [new URL(baseUrl).hostname, new URL(pagesUrl).hostname]
  if (school === pages) return WEAKER
  if (/^[\d.]+$|:/.test(school) || siteOf(school) !== siteOf(pages)) return undefined
  return `shares the domain ${siteOf(school)} with the school, so its scripts can set cookies that the school receives; a domain of its own is better`
}

/** What the answer at the root of a host for static pages says about it; undefined where it is right. */
export const faultOf = (
  baseUrl: string,
  { status, location, type }: { readonly status: number; readonly location: string | null; readonly type: string },
): string | undefined => {
  if (status === 302 && (location === `${baseUrl}/` || /^\/[a-z0-9]/.test(location ?? ''))) return undefined
  if (status === 404 && type.includes('problem+json'))
    return 'is not known to the server that answers there; a proxy has to pass on the Host header, or X-Forwarded-Host'
  if (status === 200)
    return 'shows another site, perhaps that of the school; a proxy has to pass on the Host header, or X-Forwarded-Host'
  return `answers with status ${status}, and not as a host for static pages`
}

const faultAt = async (baseUrl: string, pagesUrl: string): Promise<string | undefined> => {
  try {
    const { status, headers } = await fetch(`${pagesUrl}/`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return faultOf(baseUrl, { status, location: headers.get('location'), type: headers.get('content-type') ?? '' })
  } catch {
    return 'does not answer (its name, its certificate, or a proxy that does not lead here)'
  }
}

/** Checks the host for the static pages of a school, and whether it needs one; nothing where it has neither. */
export const checkPages = async ({ database }: Installation, school: School): Promise<PagesFinding[]> => {
  const { id, baseUrl } = school
  const pagesUrl = pagesUrlAt(school, await listPagesHosts(database.shared))
  const shown = await database.statements(id, db => countShown(db, id))
  const check = `static pages of ${baseUrl}`
  if (pagesUrl === undefined)
    return shown === 0
      ? []
      : [{ check, ok: true, warning: true, says: `${shown} are published, and no host shows them; ${SET}` }]
  const fault = await faultAt(baseUrl, pagesUrl)
  if (fault !== undefined) return [{ check, ok: false, says: `${pagesUrl} ${fault}` }]
  const weakness = weaknessOf(baseUrl, pagesUrl)
  return weakness === undefined
    ? [{ check, ok: true, says: `${pagesUrl} shows them, and nothing else` }]
    : [{ check, ok: true, warning: true, says: `${pagesUrl} ${weakness}` }]
}
