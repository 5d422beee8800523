import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { contentReply, type FileContent } from './content.views.ts'
import { isStored, wholeFile } from './lookups.ts'
import { type FileRow, findFile } from './queries.ts'
import { isSigned, LINKS, type Link, nameInAddress } from './rules.ts'
import { variantContent } from './variants.writes.ts'
import { listPublicIds } from './views.ts'

const noFile = (): Refusal => new Refusal(notFound, 'There is no such file, or its link has expired.')

type FileRequested = {
  readonly row: FileRow
  readonly isPublic: boolean
  /** Whether the address is one from before the file was renamed or its bytes were replaced. */
  readonly isOld: boolean
}

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
    if (row === undefined) throw noFile()
    const isOld = nameInAddress(row) !== params.name
    const signature = query.get('signature')
    if (!isOld && signature !== null && holds(key, link, signature, row)) return { row, isPublic: false, isOld }
    if ((await listPublicIds(db, school, [row.id])).has(row.id)) return { row, isPublic: true, isOld }
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
  { row, isPublic }: Omit<FileRequested, 'isOld'>,
): Promise<FileContent> => {
  const requested = new URLSearchParams(request.query).get('width')
  const whole = wholeFile(row, isPublic)
  if (requested === null) return requireObject(request, files, whole)
  return variantContent(request, files, { row, isPublic }, requested)
}

// Where everybody may see a file, its earlier addresses lead on: they may be in feeds and mails.
const leadOn = ({ query }: EndpointRequest, row: FileRow): Reply => ({
  status: 302,
  headers: {
    location: `/files/${toId('fil', row.id)}/${encodeURIComponent(nameInAddress(row))}${query === '' ? '' : `?${query}`}`,
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  },
})

/** Serves files without tokens and cookies: public ones to anyone, others to holders of a valid link. */
export const createFileEndpoint = (files: Files, keyFor: (purpose: string) => Buffer): Endpoint =>
  endpoint({
    route: 'GET /files/:id/:name',
    handle: async request => {
      const found = await find(request, keyFor(LINKS))
      if (found.isOld) return leadOn(request, found.row)
      return contentReply(request, files, await readContent(request, files, found))
    },
  })
