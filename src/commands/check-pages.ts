import { countShown } from '#src/areas/publishing/index.ts'
import type { School } from '#src/contract/school.ts'
import { listPagesHosts } from '#src/db/schools.ts'
import type { Installation } from './installation.ts'
import { getAddress, hostsFileHint } from './loopback.ts'
import { findFault, findWeakness } from './pages-host.rules.ts'
import { pagesUrlAt } from './pages-url.ts'

const SET = 'set one: stoa schools set --pages-url'

/** What a check of the host for static pages found; a warning does not make the command fail. */
type PagesFinding = { readonly check: string; readonly ok: boolean; readonly warning?: true; readonly says: string }

const faultAt = async (siteOrigin: string, pagesUrl: string): Promise<string | undefined> => {
  try {
    return findFault(siteOrigin, await getAddress(`${pagesUrl}/`))
  } catch {
    return 'does not answer (its name, its certificate, or a proxy that does not lead here)'
  }
}

/** Checks the host for the static pages of a school, and whether it needs one; nothing where it has neither. */
export const checkPages = async ({ database }: Installation, school: School): Promise<PagesFinding[]> => {
  const { id, baseUrl, siteOrigin } = school
  const pagesUrl = pagesUrlAt(school, await listPagesHosts(database.shared))
  const shown = await database.statements(id, db => countShown(db, id))
  const check = `static pages of ${baseUrl}`
  if (pagesUrl === undefined)
    return shown === 0
      ? []
      : [{ check, ok: true, warning: true, says: `no host shows the published ones (${shown}); ${SET}` }]
  const fault = await faultAt(siteOrigin, pagesUrl)
  if (fault !== undefined) return [{ check, ok: false, says: `${pagesUrl} ${fault}` }]
  const weakness = findWeakness(siteOrigin, pagesUrl)
  return weakness === undefined
    ? [{ check, ok: true, says: `${pagesUrl} shows them, and nothing else${hostsFileHint(pagesUrl)}` }]
    : [{ check, ok: true, warning: true, says: `${pagesUrl} ${weakness}` }]
}
