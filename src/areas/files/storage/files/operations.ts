import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { fromId } from '#src/kit/ids.ts'
import { contentReply, type FileContent } from './content.views.ts'
import { isStored, wholeFile } from './lookups.ts'
import { type FileRow, findFile } from './queries.ts'
import { isSigned, LINKS, type Link } from './rules.ts'
import { variantContent } from './variants.writes.ts'
import { listPublicIds } from './views.ts'

const noFile = (): Refusal => new Refusal(notFound, 'There is no such file, or its link has expired.')

type FileRequested = { readonly row: FileRow; readonly isPublic: boolean }

/** Whether a request carries a link of ours to a file that still holds. */
const holds = (key: Buffer, link: Link, signature: string, row: FileRow & { readonly is_member: boolean }): boolean =>
  isSigned(key, link, signature) &&
  link.expires * 1000 > row.asked_at.getTime() &&
  (row.is_member || link.member === 'anyone')

const find = async (request: EndpointRequest, key: Buffer): Promise<FileRequested> => {
  const { school, database, params } = request
  const query = new URLSearchParams(request.query)
  const fileId = fromId('fil', params.id ?? '')
  if (fileId === undefined) throw noFile()
  const member = query.get('member') ?? ''
  const link = { schoolId: school.id, fileId, member, expires: Number(query.get('expires') ?? '0') }
  return database.statements(school.id, async db => {
    const row = await findFile(db, school.id, fileId, fromId('mem', member))
    if (row === undefined || row.filename !== params.name) throw noFile()
    const signature = query.get('signature')
    if (signature !== null && holds(key, link, signature, row)) return { row, isPublic: false }
    if ((await listPublicIds(db, school, [row.id])).has(row.id)) return { row, isPublic: true }
    throw noFile()
  })
}

const requireObject = async (request: EndpointRequest, files: Files, content: FileContent): Promise<FileContent> => {
  if (await isStored(request, files, content)) return content
  throw noFile()
}

const readContent = async (
  request: EndpointRequest,
  files: Files,
  { row, isPublic }: FileRequested,
): Promise<FileContent> => {
  const requested = new URLSearchParams(request.query).get('width')
  const whole = wholeFile(row, isPublic)
  if (requested === null) return requireObject(request, files, whole)
  return variantContent(request, files, { row, isPublic }, requested)
}

/** Serves files without tokens and cookies: public ones to anyone, others to holders of a valid link. */
export const createFileEndpoint = (files: Files, keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'GET /files/:id/:name',
    handle: async request => {
      const found = await find(request, keyFor(LINKS))
      return contentReply(request, files, await readContent(request, files, found))
    },
  })
