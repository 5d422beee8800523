import { ADMIN_TOKEN } from './serve.ts'

/** A row as the API of Stoa returns it. */
export type Row = Readonly<Record<string, unknown>>

/** A collection with the columns and rows of a list of Stoa; `indexed` are columns with an index. */
export type Collection = { readonly name: string; readonly rows: readonly Row[]; readonly indexed: readonly string[] }

/** The token of a person who may read and change members, and is no administrator. */
export const MEMBER_TOKEN = 'token-of-the-bench'

const BATCH = 100
const INSTANT = /^\d{4}-\d\d-\d\dT/

const chooseType = (values: readonly unknown[]): string => {
  const value = values.find(one => one !== null && one !== undefined)
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'integer'
  if (typeof value === 'object') return 'json'
  return typeof value === 'string' && INSTANT.test(value) ? 'timestamp' : 'text'
}

const listFields = ({ rows, indexed }: Collection) => {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  return columns.map(field => ({
    field,
    type: field === 'id' ? 'string' : chooseType(rows.map(row => row[field])),
    schema: field === 'id' ? { is_primary_key: true, max_length: 40 } : { is_indexed: indexed.includes(field) },
    meta: {},
  }))
}

type Send = (path: string, body?: object) => Promise<unknown>

const senderTo =
  (port: number): Send =>
  async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`Directus answered ${response.status} at ${path}: ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text).data
  }

const addCollection = async (send: Send, collection: Collection): Promise<void> => {
  const { name, rows } = collection
  await send('/collections', { collection: name, schema: {}, meta: {}, fields: listFields(collection) })
  for (let from = 0; from < rows.length; from += BATCH) await send(`/items/${name}`, rows.slice(from, from + BATCH))
}

const permit = (send: Send, policy: string, collection: string, action: 'read' | 'update'): Promise<unknown> =>
  send('/permissions', { policy, collection, action, fields: ['*'], permissions: {}, validation: null })

const policyOfEverybody = async (send: Send): Promise<string> => {
  const found = (await send('/access?filter[role][_null]=true&filter[user][_null]=true')) as { policy: string }[]
  if (found[0] === undefined) throw new Error('Directus has no policy for requests without a token')
  return found[0].policy
}

/** Creates collections, a person who reads and changes members by a token, and lets everybody read the courses. */
export const fillDirectus = async (port: number, collections: readonly Collection[]): Promise<void> => {
  const send = senderTo(port)
  for (const collection of collections) await addCollection(send, collection)
  const { id: policy } = (await send('/policies', { name: 'Staff', admin_access: false, app_access: false })) as {
    id: string
  }
  await permit(send, policy, 'members', 'read')
  await permit(send, policy, 'members', 'update')
  await permit(send, await policyOfEverybody(send), 'courses', 'read')
  await send('/users', {
    ...{ email: 'staff@example.com', token: MEMBER_TOKEN, status: 'active' },
    policies: [{ policy }],
  })
}
