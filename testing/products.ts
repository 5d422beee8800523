import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import { readMemberId } from './learning.ts'
import { type Uploader, uploader } from './uploads.ts'

const SCOPES = ['digital_products:read', 'digital_products:write', 'account:write', 'courses:read', 'courses:write']

const BUYER_SCOPES = ['digital_products:read', 'account:read', 'account:write']

/** Ada with an app that writes products and uploads their files. */
export const seller = (app: TestApp, more: readonly string[] = []): Promise<Uploader> =>
  uploader(app, 'ada', app.a, [...SCOPES, ...more])

/** Somebody with an app that downloads for them. */
export const buyer = (app: TestApp, name: PersonName): Promise<Actor> => app.actor(name, { scopes: BUYER_SCOPES })

/** Uploads a file for products; returns its id. */
export const uploadFor = async (
  ada: Uploader,
  text: string | Buffer,
  filename = 'recipes.txt',
  type = 'text/plain',
) => {
  const { json } = await ada.upload(Buffer.from(text), { filename, content_type: type, purpose: 'product' })
  if (json.status !== 'ready') throw new Error(`${filename} is ${json.status}: ${json.rejected_for}`)
  return String(json.file.file_id)
}

/** A product on sale, its first price, and the ids of its files. */
export type ProductOnSale = {
  readonly id: string
  readonly uuid: string
  readonly path: string
  readonly priceId: string
  readonly files: readonly string[]
}

/** Makes a published product with a price of 12 euros and one file for each text. */
export const sellProduct = async (
  ada: Uploader,
  input: Readonly<Record<string, unknown>> & { readonly name: string },
  texts: readonly string[] = ['Flour, water, salt'],
): Promise<ProductOnSale> => {
  const { json: product, text } = await ada.write('POST', '/digital-products', input)
  if (product.id === undefined) throw new Error(text)
  const path = `/digital-products/${product.id}`
  const price = await ada.write('POST', `${path}/prices`, { payment_type: 'one_time', amount: 1200 })
  const uploads: string[] = []
  for (const one of texts) uploads.push(await uploadFor(ada, one))
  const stored = await ada.write('PUT', `${path}/files`, { files: uploads.map(file_id => ({ file_id })) })
  const published = await ada.write('PUT', `${path}/publication`, {})
  if (published.status !== 200) throw new Error(published.text)
  const files: string[] = stored.json.data.map(({ id }: { id: string }) => id)
  const uuid = fromId('dpr', product.id) ?? ''
  return { id: product.id, uuid, path, priceId: fromId('prc', price.json.id) ?? '', files }
}

/** Gives a product to somebody; returns the gift. */
export const give = async (app: TestApp, ada: Actor, { path }: Pick<ProductOnSale, 'path'>, name: PersonName) => {
  const { json, status, text } = await ada.write('POST', `${path}/gifts`, {
    member_id: toId('mem', await readMemberId(app, name)),
    notify: false,
  })
  if (status !== 201) throw new Error(text)
  return json
}
