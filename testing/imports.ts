import { readFile } from 'node:fs/promises'
import type { PersonName, TestApp } from './app.ts'
import { approveAs } from './confirming.ts'
import { pathOfTable, type StoredTable } from './files/tables/index.ts'
import type { TestReply } from './http.ts'
import { until } from './until.ts'
import { uploader } from './uploads.ts'

/** A row of an import, as far as tests look at it. */
export type ImportRow = {
  readonly number: number
  readonly status: string
  readonly member_id: string | null
  readonly values: Readonly<Record<string, string | null>> | null
  readonly errors: readonly { readonly code: string; readonly pointer: string; readonly message: string }[]
  readonly notices: readonly { readonly code: string }[]
  readonly reason: string | null
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const SCOPES = ['members:read', 'members:write', 'students:read', 'students:write', 'courses:read', 'account:write']

const requireStatus = (reply: TestReply, ...expected: readonly number[]): TestReply => {
  if (!expected.includes(reply.status)) throw new Error(`not ${expected.join(' or ')}: ${reply.status} ${reply.text}`)
  return reply
}

/** An app that imports files for a person of the demo data; every step waits until the worker has done it. */
export const importer = async (app: TestApp, name: PersonName, kind: StoredTable['kind'] = 'people') => {
  const actor = await uploader(app, name, app.a, SCOPES)
  const base = kind === 'people' ? '/members/imports' : '/enrollments/imports'
  const get = async (id: string) => requireStatus(await actor.get(`${base}/${id}`), 200)
  const leave = async (id: string, statuses: readonly string[], patience?: number) => {
    const hasLeft = async () => !statuses.includes((await get(id)).json.status)
    await until(hasLeft, `an import that is no longer ${statuses.join(' or ')}`, patience)
    return (await get(id)).json
  }
  const withVersion = async (id: string) => ({ 'if-match': String((await get(id)).headers.etag) })
  const approve = async (reply: TestReply): Promise<void> => {
    requireStatus(reply, 202)
    await approveAs(app, name, reply.json.confirmation.url)
  }
  const startRun = async (id: string) =>
    approve(await actor.write('PUT', `${base}/${id}/run`, undefined, await withVersion(id)))
  const startUndo = async (id: string) => approve(await actor.write('PUT', `${base}/${id}/undo`))
  return {
    ...actor,
    base,
    /** Uploads a file and creates an import of it, without waiting until it is read. */
    begin: async (bytes: Buffer, filename = 'people.csv'): Promise<TestReply> => {
      const content_type = TYPES[filename.split('.').at(-1) ?? ''] ?? 'text/csv'
      const { json } = requireStatus(await actor.upload(bytes, { filename, content_type, purpose: 'import' }), 200, 201)
      return actor.write('POST', base, { upload_id: json.id })
    },
    read: (id: string, patience?: number) => leave(id, ['reading'], patience),
    change: async (id: string, body: unknown) => actor.write('PATCH', `${base}/${id}`, body, await withVersion(id)),
    check: async (id: string, patience?: number) => {
      requireStatus(await actor.write('PUT', `${base}/${id}/check`), 202)
      return leave(id, ['checking'], patience)
    },
    startRun,
    run: async (id: string, patience?: number) => {
      await startRun(id)
      return leave(id, ['running'], patience)
    },
    startUndo,
    undo: async (id: string, patience?: number) => {
      await startUndo(id)
      return leave(id, ['undoing'], patience)
    },
    find: async (id: string) => (await get(id)).json,
    listRows: async (id: string): Promise<ImportRow[]> => {
      const rows: ImportRow[] = []
      let cursor = ''
      do {
        const { json } = requireStatus(await actor.get(`${base}/${id}/rows?limit=100${cursor}`), 200)
        rows.push(...json.data)
        cursor = json.next_cursor === null || json.next_cursor === undefined ? '' : `&cursor=${json.next_cursor}`
      } while (cursor !== '')
      return rows
    },
    readReport: async (id: string): Promise<string> =>
      requireStatus(await actor.get(`${base}/${id}/rows`, { accept: 'text/csv' }), 200).text,
  }
}

/** The bytes of a stored table. */
export const readTable = (name: string): Promise<Buffer> => readFile(pathOfTable(name))
