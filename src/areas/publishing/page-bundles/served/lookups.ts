import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Files } from '#src/contract/store.ts'
import { fromId } from '#src/kit/ids.ts'
import { isPreviewToken, PREVIEWS } from '../deployments/rules.ts'
import { type FoundFile, findLiveFile, findMovedPage, findPreviewFile, findStaticHome } from './queries.ts'
import { listCandidates, listPagePaths } from './rules.ts'
import { fileReply, nothingReply, redirectReply } from './views.ts'

type KeyFor = (purpose: string) => Buffer
type Parts = { readonly files: Pick<Files, 'store'>; readonly keyFor: KeyFor }

const wantedIn = (page: string, rest: string) => listCandidates(rest).map(({ path, is }) => ({ page, file: path, is }))

// Links of an index.html are relative to its folder.
const withSlash = ({ path, query }: EndpointRequest): Reply =>
  redirectReply(`${path}/${query === '' ? '' : `?${query}`}`)

const replyWith = (request: EndpointRequest, { files }: Parts, found: FoundFile, isPreview: boolean): Promise<Reply> =>
  found.is === 'folder' ? Promise.resolve(withSlash(request)) : fileReply(request, files, found, { isPreview })

const PREVIEW = /^\/~preview\/(dep_[a-z0-9]+)\/([\w-]+)(\/.*)?$/

const showPreview = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const { school, database, path } = request
  const [, name = '', token = '', rest = ''] = PREVIEW.exec(path) ?? []
  const id = fromId('dep', name)
  if (id === undefined) return nothingReply(request)
  const found = await database.statements(school.id, db => findPreviewFile(db, school.id, id, wantedIn('', rest)))
  if (found === undefined) return nothingReply(request)
  const isValid = isPreviewToken(parts.keyFor(PREVIEWS), { schoolId: school.id, id, token, now: found.now })
  return isValid ? replyWith(request, parts, found, true) : nothingReply(request)
}

const showHome = async (request: EndpointRequest): Promise<Reply> => {
  const { school, database } = request
  const home = await database.statements(school.id, db => findStaticHome(db, school.id))
  return redirectReply(home === undefined ? `${school.siteOrigin}/` : `${home}/`)
}

const showMoved = async (request: EndpointRequest, paths: readonly string[]): Promise<Reply> => {
  const { school, database, path, query } = request
  const moved = await database.statements(school.id, db => findMovedPage(db, school.id, paths))
  if (moved === undefined) return nothingReply(request)
  return redirectReply(
    `${moved.new_path}${path.slice(moved.old_path.length) || '/'}${query === '' ? '' : `?${query}`}`,
    301,
  )
}

const showPage = async (request: EndpointRequest, parts: Parts): Promise<Reply> => {
  const { school, database, path } = request
  const pages = listPagePaths(path)
  if (pages.length === 0) return nothingReply(request)
  const wanted = pages.flatMap(page => wantedIn(page, path.slice(page.length)))
  // One statement decides the deployment and the file, so that a response never mixes two.
  const found = await database.statements(school.id, db => findLiveFile(db, school.id, wanted))
  return found === undefined ? showMoved(request, pages) : replyWith(request, parts, found, false)
}

/**
 * Answers GET on the host for the uploaded pages of a school, which has nothing else: no session, no API and no form of
 * the school. A script that a browser would register as a service worker is not there, since it would go on answering
 * after a rollback.
 */
export const createStaticPages =
  (parts: Parts) =>
  async (request: EndpointRequest): Promise<Reply> => {
    if (request.header('service-worker') !== undefined) return nothingReply(request)
    if (request.path.startsWith('/~')) return showPreview(request, parts)
    return request.path === '/' ? showHome(request) : showPage(request, parts)
  }
