import { zipSync } from 'fflate'
import { addFile } from '#src/areas/files/index.ts'
import {
  addLiveDeployment,
  addPage,
  findPublishedPage,
  preparedBlocks,
  publishAddedPage,
} from '#src/areas/publishing/index.ts'
import type { Database } from '#src/contract/db.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { getSchool, listPagesHosts, storePagesHost } from '#src/db/schools.ts'
import { people } from '../people/people.ts'
import { findMemberId } from '../queries.ts'

const PATH = '/open-day'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Open day at Crumb & Crust</title>
<link rel="stylesheet" href="style.css">
<main>
<p class="when">First Saturday of the month, from seven</p>
<h1>Open day</h1>
<p>See the ovens before dawn, shape a loaf with us, and take it home at noon.</p>
<p id="left">Come by: Rua do Forno 12, Lisbon.</p>
</main>
<script src="days-left.js"></script>
</html>
`

const STYLE = `body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #2b1d14; color: #fbf3e4; font: 1.125rem/1.6 Georgia, serif }
main { max-width: 32rem; padding: 2rem }
h1 { margin: 0; font-size: clamp(3rem, 12vw, 6rem); line-height: 1 }
.when { color: #f0b35a }
`

const SCRIPT = `// A script of the page itself, which no page of the school could have.
const now = new Date()
const saturday = month => {
  const first = new Date(now.getFullYear(), month, 1)
  return new Date(now.getFullYear(), month, 1 + ((6 - first.getDay() + 7) % 7))
}
const next = [saturday(now.getMonth()), saturday(now.getMonth() + 1)].find(day => day >= now)
const days = Math.ceil((next - now) / 86_400_000)
document.querySelector('#left').textContent += days === 1 ? ' The next one is tomorrow.' : ' The next one is in ' + days + ' days.'
`

// Browsers resolve names below localhost themselves, and they are other sites: no name server, no certificate, no shared cookie.
const pagesHostFor = (school: School): string | undefined =>
  isOnLoopback(school) ? `pages.${new URL(school.siteOrigin).host}` : undefined

/** Gives a school on loopback a host for static pages; returns whether the school has one. */
const hasPagesHost = async (database: Database, school: School): Promise<boolean> => {
  if ((await listPagesHosts(database.shared)).has(school.id)) return true
  const host = pagesHostFor(school)
  return host !== undefined && database.transaction(school.id, db => storePagesHost(db, school.id, host))
}

const FILES = { 'index.html': Buffer.from(PAGE), 'style.css': Buffer.from(STYLE), 'days-left.js': Buffer.from(SCRIPT) }

// The first instant that the format has, so that the same files make the same archive.
const archive = (): Buffer => Buffer.from(zipSync(FILES, { level: 0, mtime: '1980-01-01T00:00' }))

/** Adds a published static page to a school with a host for such pages, which one on loopback is given. */
export const createDemoStaticPage = async (database: Database, schoolId: string, files: Files): Promise<void> => {
  const school = await getSchool(database.shared, schoolId)
  const memberId = await database.statements(schoolId, db => findMemberId(db, schoolId, people.ada.email))
  const before = await database.statements(schoolId, db => findPublishedPage(db, schoolId, PATH))
  if (memberId === undefined || before !== undefined || !(await hasPagesHost(database, school))) return
  const file = { memberId, purpose: 'page', filename: 'open-day.zip', contentType: 'application/zip' } as const
  const fileId = await addFile({ database, school, files }, { ...file, bytes: archive() })
  const input = { kind: 'static', title: 'Open day', path: PATH } as const
  const pageId = await database.transaction(schoolId, (db, now) =>
    addPage({ db, school, now }, { input, prepared: preparedBlocks([]) }),
  )
  await addLiveDeployment({ database, store: files.store, schoolId, pageId }, fileId)
  await database.transaction(schoolId, db => publishAddedPage({ db, school }, pageId, { isHome: false }))
}
