// One thing: products, their status and their files, which share how they are made.
import assert from 'node:assert/strict'
import sharp from 'sharp'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { give, seller, sellProduct, uploadFor } from '#testing/products.ts'
import { fetched } from '#testing/uploads.ts'

const app = testApp()
const test = ledgerTest(app)
const ONCE = { payment_type: 'one_time', amount: 1200 }

const anonymous = async (path: string) => app.send({ path: `/api/v1${path}` })

test('a product is a draft that only staff see, until it is published', async () => {
  const ada = await seller(app)
  const created = await ada.write('POST', '/digital-products', {
    name: '  Proofing\u200b times ',
    tags: ['Kitchen', 'kitchen'],
    download_limit: 3,
    seo: { title: 'Times', description: null },
  })
  assert.equal(created.status, 201, created.text)
  const { id, slug, status, tags, link_minutes, download_limit, visibility } = created.json
  assert.deepEqual([slug, status, tags], ['proofing-times', 'draft', ['kitchen']])
  assert.deepEqual([link_minutes, download_limit, visibility], [60, 3, 'listed'])
  assert.equal((await anonymous(`/digital-products/${id}`)).status, 404)
  const dev = await app.actor('dev', { scopes: ['digital_products:read'] })
  assert.equal((await dev.get(`/digital-products/slug:${slug}`)).status, 404)
  const published = await ada.write('PUT', `/digital-products/${id}/publication`, {})
  assert.deepEqual(
    published.json.warnings.map(({ code }: { code: string }) => code),
    ['no_price', 'no_files'],
  )
  const seen = await dev.get(`/digital-products/${id}`)
  assert.deepEqual([seen.status, seen.json.status, seen.json.has_access], [200, 'published', false])
  for (const field of ['external_id', 'publish_at', 'holder_count', 'sales'])
    assert.equal(field in seen.json, false, field)
  assert.equal('has_access' in (await anonymous(`/digital-products/${id}`)).json, false)
})

test('every change of status that is not in the table is refused with 409 and changes nothing', async () => {
  const ada = await seller(app)
  const verbs = {
    publish: ['PUT', 'publication'],
    unpublish: ['DELETE', 'publication'],
    archive: ['PUT', 'archive'],
    unarchive: ['DELETE', 'archive'],
  } as const
  // The status after each change; null: 409.
  const table = {
    draft: { publish: 'published', unpublish: 'draft', archive: null, unarchive: 'draft' },
    published: { publish: 'published', unpublish: 'draft', archive: 'archived', unarchive: 'published' },
    archived: { publish: null, unpublish: null, archive: 'archived', unarchive: 'draft' },
  } as const
  const ways = { draft: [], published: ['publish'], archived: ['publish', 'archive'] } as const
  for (const [from, targets] of Object.entries(table)) {
    for (const [verb, to] of Object.entries(targets)) {
      const { json: product } = await ada.write('POST', '/digital-products', { name: `${from} ${verb}` })
      const path = `/digital-products/${product.id}`
      const move = (name: keyof typeof verbs) =>
        ada.write(
          verbs[name][0],
          `${path}/${verbs[name][1]}`,
          verbs[name][0] === 'PUT' && name === 'publish' ? {} : undefined,
        )
      for (const way of ways[from as keyof typeof ways]) assert.equal((await move(way)).status, 200)
      const before = (await ada.get(path)).json
      const moved = await move(verb as keyof typeof verbs)
      const after = (await ada.get(path)).json
      if (to === null) {
        assert.deepEqual([moved.status, moved.json.code], [409, 'invalid_state'], `${from} ${verb}`)
        assert.deepEqual(after, before)
      } else assert.deepEqual([moved.status, after.status], [200, to], `${from} ${verb}`)
    }
  }
})

test('a slug that a product had leads to it until another one takes it, and external: finds it', async () => {
  const ada = await seller(app)
  const { json } = await ada.write('POST', '/digital-products', { name: 'Old name', external_id: 'shop-1' })
  const path = `/digital-products/${json.id}`
  await ada.write('PUT', `${path}/publication`, {})
  await ada.write('PATCH', path, { slug: 'new-name' })
  assert.equal((await anonymous('/digital-products/slug:old-name')).json.slug, 'new-name')
  assert.equal((await anonymous('/digital-products/external:shop-1')).json.id, json.id)
  const other = await ada.write('POST', '/digital-products', { name: 'Old name' })
  assert.equal(other.json.slug, 'old-name')
  assert.equal((await ada.get('/digital-products/slug:old-name')).json.id, other.json.id)
  const taken = await ada.write('PATCH', path, { slug: 'old-name' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'slug_taken'])
  const same = await ada.write('POST', '/digital-products', { name: 'Third', external_id: 'shop-1' })
  assert.deepEqual([same.status, same.json.code], [409, 'product_external_id_taken'])
})

test('products that are created at once with one name get different slugs', async () => {
  const ada = await seller(app)
  const created = await Promise.all(
    Array.from({ length: 6 }, () => ada.write('POST', '/digital-products', { name: 'Same name' })),
  )
  assert.deepEqual(
    created.map(({ status }) => status),
    Array.from({ length: 6 }, () => 201),
  )
  assert.equal(new Set(created.map(({ json }) => json.slug)).size, 6)
})

test('lists have what is published and listed, by words, category and tag', async () => {
  const ada = await seller(app)
  const bread = (await ada.get('/categories')).json.data.find(({ slug }: { slug: string }) => slug === 'bread').id
  const below = (await ada.get('/categories')).json.data.find(({ slug }: { slug: string }) => slug === 'sourdough').id
  const shown = await sellProduct(ada, { name: 'Zebra loaf', tags: ['striped'], category_ids: [below] })
  const hidden = await sellProduct(ada, { name: 'Zebra secret', tags: ['striped'], visibility: 'unlisted' })
  const ids = async (query: string) =>
    (await anonymous(`/digital-products?${query}`)).json.data.map(({ id }: { id: string }) => id)
  for (const query of ['q=zebr', 'tag=Striped', `category_id=${bread}`, `category_id=${below}`])
    assert.deepEqual(await ids(query), [shown.id], query)
  assert.deepEqual(await ids('q=zebra%20nothing'), [])
  assert.equal((await anonymous(hidden.path)).status, 200)
  const all = (await ada.get('/digital-products?q=zebra')).json.data
  assert.deepEqual(
    all.map(({ id }: { id: string }) => id),
    [shown.id, hidden.id],
  )
  const expanded = (await anonymous(`${shown.path}?expand=categories,prices`)).json
  assert.deepEqual([expanded.categories[0].id, expanded.prices[0].amount], [below, 1200])
  const deleted = await ada.write('DELETE', `/categories/${below}`)
  assert.equal(deleted.status, 204, deleted.text)
  assert.deepEqual((await anonymous(shown.path)).json.category_ids, [])
})

test('a product has free, one-time and instalment prices, and neither subscriptions nor a seat limit', async () => {
  const ada = await seller(app)
  const { json } = await ada.write('POST', '/digital-products', { name: 'Priced' })
  const path = `/digital-products/${json.id}/prices`
  const plan = { payment_type: 'payment_plan', amount: 500, interval: 'month', number_of_payments: 3 }
  for (const price of [ONCE, { payment_type: 'free', amount: 0 }, plan])
    assert.equal((await ada.write('POST', path, price)).status, 201, JSON.stringify(price))
  const wrong = [
    [{ payment_type: 'subscription', amount: 500, interval: 'month' }, '/payment_type'],
    [{ ...ONCE, enrollment_cap: 5 }, '/enrollment_cap'],
    [{ ...ONCE, amount: 0 }, '/amount'],
    [{ ...ONCE, currency: 'USD' }, '/currency'],
  ] as const
  for (const [price, pointer] of wrong) {
    const refused = await ada.write('POST', path, price)
    assert.deepEqual([refused.status, refused.json.errors?.[0]?.pointer], [422, pointer], refused.text)
  }
  const [first, second] = (await ada.get(path)).json.data
  assert.deepEqual([first.is_primary, second.is_primary], [true, false])
  const replaced = await ada.write('POST', path, { ...ONCE, amount: 1500, replaces: first.id })
  assert.equal(replaced.json.is_primary, true)
  const again = await ada.write('POST', path, { ...ONCE, replaces: first.id })
  assert.deepEqual([again.status, again.json.code], [409, 'price_archived'])
  const chosen = await ada.write('PUT', `/digital-products/${json.id}/primary-price`, { price_id: second.id })
  assert.equal(chosen.json.primary_price.id, second.id)
  const retired = await ada.write('DELETE', `${path}/${second.id}`)
  assert.deepEqual(
    [retired.json.status, (await ada.get(path.replace('/prices', ''))).json.primary_price.is_primary],
    ['retired', true],
  )
  const foreign = await ada.write('DELETE', `/digital-products/slug:sourdough-workbook/prices/${first.id}`)
  assert.equal(foreign.status, 404)
})

test('a school cannot change its currency while a product is on sale in it', async () => {
  const ada = await seller(app, ['school:read', 'school:write'])
  await sellProduct(ada, { name: 'In euros' })
  const refused = await ada.write('PATCH', '/school', { currency: 'JPY' }, { 'if-match': '*' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'currency_in_use'])
  const uses: { kind: string; count: number }[] = refused.json.uses
  assert.ok(uses.some(({ kind, count }) => kind === 'product_price' && count > 0))
})

test('files are stored in the order of the list; replacing one keeps its id and makes the next version', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Two files' }, ['one', 'two'])
  const path = `${product.path}/files`
  const [first = '', second = ''] = product.files
  const newer = await uploadFor(ada, 'one, corrected', 'corrected.txt')
  const list = { files: [{ id: second }, { file_id: newer, replaces: first }] }
  const stored = await ada.write('PUT', path, list)
  const shown = stored.json.data.map(({ id, name, version, position }: Record<string, unknown>) => [
    id,
    name,
    version,
    position,
  ])
  assert.deepEqual(shown, [
    [second, 'recipes.txt', 1, 0],
    [first, 'corrected.txt', 2, 1],
  ])
  const before = (await ada.get(product.path)).json
  assert.deepEqual([before.file_count, before.byte_size], [2, 3 + 14])
  // Sending the same list again changes nothing.
  assert.deepEqual((await ada.write('PUT', path, list)).json, stored.json)
  assert.equal((await ada.get(product.path)).json.revision, before.revision)
  const versions = (await ada.get(`${path}/${first}/versions`)).json.data
  assert.deepEqual(
    versions.map(({ version, name }: { version: number; name: string }) => [version, name]),
    [
      [2, 'corrected.txt'],
      [1, 'recipes.txt'],
    ],
  )
  await ada.write('PUT', path, { files: [{ id: first }] })
  assert.equal((await anonymous(path)).json.data.length, 1)
  assert.equal((await ada.get(`${path}/${second}/versions`)).status, 404)
  const gone = await ada.write('PUT', path, { files: [{ id: second }] })
  assert.deepEqual([gone.status, gone.json.errors[0].pointer], [422, '/files/0/id'])
})

test('a list of files that contradicts itself or names the files of others is refused', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Strict' }, ['one'])
  const other = await sellProduct(ada, { name: 'Other' }, ['two'])
  const [own = ''] = product.files
  const [theirs = ''] = other.files
  const upload = await uploadFor(ada, 'new')
  const image = await ada.upload(Buffer.from('course'), { purpose: 'course' })
  const before = (await ada.get(`${product.path}/files`)).json
  const wrong = [
    [{}],
    [{ id: own, file_id: upload }],
    [{ id: own, replaces: own }],
    [{ id: own }, { id: own }],
    [{ id: own }, { file_id: upload, replaces: own }],
    [{ id: theirs }],
    [{ file_id: upload, replaces: theirs }],
    [{ file_id: image.json.file.file_id }],
    [{ file_id: 'fil_00000000000000000000000000' }],
    Array.from({ length: 51 }, () => ({ file_id: upload })),
  ]
  for (const files of wrong) {
    const refused = await ada.write('PUT', `${product.path}/files`, { files })
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(files).slice(0, 200))
  }
  assert.deepEqual((await ada.get(`${product.path}/files`)).json, before)
})

test('a file that is sold is never public, and its upload cannot be deleted', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Not for free' })
  const [version] = (await ada.get(`${product.path}/files/${product.files[0]}/versions`)).json.data
  const address = `${app.a.baseUrl}/files/${version.file_id}/recipes.txt`
  assert.equal((await fetched(address)).status, 404)
  const picture = await uploadFor(
    ada,
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a50' } })
      .png()
      .toBuffer(),
    'cover.png',
    'image/png',
  )
  const files = [{ id: product.files[0] }, { file_id: picture }]
  assert.equal((await ada.write('PUT', `${product.path}/files`, { files })).status, 200)
  for (const [field, fileId] of [
    ['image_file_id', picture],
    ['sample_file_id', version.file_id],
  ] as const) {
    const refused = await ada.write('PATCH', product.path, { [field]: fileId })
    assert.deepEqual([refused.status, refused.json.errors?.[0]?.code], [422, 'sold'], field)
  }
  const uploadId = version.file_id.replace('fil_', 'upl_')
  const kept = await ada.write('DELETE', `/uploads/${uploadId}`)
  assert.deepEqual([kept.status, kept.json.code], [409, 'file_in_use'])
  assert.deepEqual(kept.json.used_by, [{ kind: 'digital_product', id: product.id }])
  const sample = await uploadFor(ada, 'The first page', 'sample.txt')
  await ada.write('PATCH', product.path, { sample_file_id: sample })
  const open = (await anonymous(product.path)).json.sample
  assert.deepEqual([open.url_expires_at, (await fetched(open.url)).status], [null, 200])
  const sold = await ada.write('PUT', `${product.path}/files`, { files: [{ file_id: sample }] })
  assert.deepEqual([sold.status, sold.json.errors[0].code], [422, 'public'])
})

test('a product that somebody has or had is not deleted; one that nobody had is, and its slug is free', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'To delete' })
  const gift = await give(app, ada, product, 'eli')
  const refused = await ada.write('DELETE', product.path)
  assert.deepEqual([refused.status, refused.json.code], [409, 'product_in_use'])
  assert.deepEqual(refused.json.in_use, [{ kind: 'member', id: null, count: 1 }])
  await ada.write('DELETE', `${product.path}/gifts/${gift.id}`)
  assert.equal((await ada.write('DELETE', product.path)).json.code, 'product_in_use')
  const unused = await sellProduct(ada, { name: 'To delete' })
  assert.equal((await ada.write('DELETE', unused.path)).status, 204)
  assert.equal((await anonymous(unused.path)).status, 404)
  assert.equal((await ada.write('POST', '/digital-products', { name: 'To delete', slug: 'to-delete-2' })).status, 201)
})

test('a copy is a draft with the texts, prices and files of the product, and none of its holders', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Original', tags: ['a'], license_text: 'Yours' }, ['one', 'two'])
  await give(app, ada, product, 'eli')
  const copy = await ada.write('POST', `${product.path}/copies`, { name: 'Copy' })
  assert.equal(copy.status, 201, copy.text)
  const { status, slug, tags, license_text, file_count, holder_count, primary_price } = copy.json
  assert.deepEqual(
    [status, slug, tags, license_text, file_count, holder_count],
    ['draft', 'copy', ['a'], 'Yours', 2, 0],
  )
  assert.equal(primary_price.amount, 1200)
  const files = (await ada.get(`/digital-products/${copy.json.id}/files`)).json.data
  assert.equal(
    files.some(({ id }: { id: string }) => product.files.includes(id)),
    false,
  )
})
