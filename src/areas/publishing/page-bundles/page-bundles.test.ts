import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { buildArchive, buildSite } from '#testing/archives.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Deployer, deployer, setPagesHost, siteObjects, untilObjects } from '#testing/deployments.ts'
import { startMailbox } from '#testing/mail.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

let deploying: Promise<Deployer> | undefined
const owner = (): Promise<Deployer> => {
  deploying ??= deployer(app)
  return deploying
}

/** Deletes a page, and then for good. */
const endPage = async (id: string): Promise<void> => {
  const ada = await owner()
  assert.equal((await ada.write('DELETE', `/pages/${id}`)).status, 204)
  const asked = await ada.write('DELETE', `/bin/pages/${id}`)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
}

const computeHash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
const style = 'h1 { color: brown }'
const hashed = `bread.${computeHash(style).slice(0, 16)}.css`
const first = buildSite({ 'index.html': '<h1>One</h1>', [hashed]: style, 'docs/index.html': 'Docs', 'pão.txt': 'Pão' })
const second = buildSite({ 'index.html': '<h1>Two</h1>', [hashed]: style, '404.html': 'Nothing here' })

const quota = async (): Promise<number> => {
  const [row] = await app.database.query<{ bytes: string }>('select bytes from storage_totals where school_id = $1', [
    app.a.id,
  ])
  return Number(row?.bytes)
}

test('without a host for pages a bundle is checked and listed, and its promotion is refused', async () => {
  const ada = await owner()
  const page = await ada.page('/without-host')
  const deployment = await ada.deployed(page, first)
  assert.deepEqual(
    [deployment.status, deployment.file_count, deployment.preview_url, deployment.url, deployment.problems],
    ['checked', 4, null, null, []],
  )
  assert.deepEqual(deployment.allowed_actions, ['getDeployment', 'deleteDeployment'])
  assert.deepEqual(deployment.files, [
    { path: hashed, content_type: 'text/css; charset=utf-8', byte_size: 19, sha256: computeHash(style) },
    { path: 'docs/index.html', content_type: 'text/html; charset=utf-8', byte_size: 4, sha256: computeHash('Docs') },
    {
      path: 'index.html',
      content_type: 'text/html; charset=utf-8',
      byte_size: 12,
      sha256: computeHash('<h1>One</h1>'),
    },
    { path: 'pão.txt', content_type: 'text/plain; charset=utf-8', byte_size: 4, sha256: computeHash('Pão') },
  ])
  assert.deepEqual(
    deployment.log.map(({ event }: { event: string }) => event),
    ['uploaded', 'checked'],
  )
  const refused = await ada.promote(page, deployment.id)
  assert.deepEqual([refused.status, refused.json.code], [409, 'pages_host_missing'])
  await endPage(page)
  await untilObjects(app, [])
})

test('a refused bundle says which entry is wrong and leaves no object and no quota behind', async () => {
  const ada = await owner()
  const page = await ada.page('/refused')
  const archive = buildArchive([
    { name: 'index.html', data: 'good' },
    { name: 'data/big.txt', data: 'bread', crc: 1 },
  ])
  const before = await quota()
  const deployment = await ada.deployed(page, archive)
  assert.equal(deployment.status, 'refused')
  assert.deepEqual(deployment.problems, [
    {
      code: 'wrong_checksum',
      entry: 'data/big.txt',
      message: 'The entry has another checksum than the archive says.',
    },
  ])
  assert.deepEqual([deployment.files, await siteObjects(app)], [[], []])
  assert.equal(await quota(), before + archive.length, 'only the archive itself counts')
  const { status, json } = await ada.promote(page, deployment.id)
  assert.deepEqual([status, json.code], [409, 'invalid_state'])
})

test('files beyond the quota of the school are refused as a whole', async () => {
  const ada = await owner()
  const page = await ada.page('/quota')
  const archive = buildSite({ 'index.html': 'x'.repeat(100_000) })
  const before = await quota()
  const limit = (bytes: number) =>
    app.database.query('update schools set storage_quota = $2 where id = $1', [app.a.id, bytes])
  const [{ storage_quota: usual } = { storage_quota: '0' }] = await app.database.query<{ storage_quota: string }>(
    'select storage_quota from schools where id = $1',
    [app.a.id],
  )
  await limit(before + 50_000)
  const { status, problems } = await ada.deployed(page, archive)
  await limit(Number(usual))
  assert.deepEqual([status, problems[0].code], ['refused', 'quota_exceeded'])
  assert.deepEqual(await siteObjects(app), [])
  assert.equal(await quota(), before + archive.length)
})

test('a bundle is previewed, promoted, rolled back and deleted; visitors always see one deployment', async () => {
  const ada = await owner()
  const host = await setPagesHost(app)
  const page = await ada.page('/open-house')
  const get = (path: string, headers = {}, method = 'GET') => app.send({ method, path, host, headers })
  const one = await ada.deployed(page, first)
  assert.equal(one.status, 'preview')
  const preview = new URL(one.preview_url).pathname
  const previewed = await get(preview)
  assert.deepEqual(
    [previewed.status, previewed.text, previewed.headers['x-robots-tag']],
    [200, '<h1>One</h1>', 'noindex'],
  )
  assert.equal((await get(`${preview}${hashed}`)).text, style)
  for (const wrong of [preview.replace(/.\/$/, '!/'), preview.replace(one.id, 'dep_x'), preview.slice(0, 40)])
    assert.equal((await get(wrong)).status, 404, wrong)
  const nothing = await get('/open-house/')
  assert.equal(nothing.status, 404, 'nothing is live')
  assert.ok(nothing.text.includes(`<a href="${app.a.baseUrl}/">`), nothing.text)

  const path = `/pages/${page}/deployments/${one.id}/promotion`
  assert.equal((await ada.write('PUT', path)).status, 428)
  const { headers: seen } = await ada.get(`/pages/${page}`)
  const promoted = await ada.promote(page, one.id)
  assert.deepEqual(
    [promoted.status, promoted.json.status, promoted.json.url],
    [200, 'live', `http://${host}/open-house/`],
  )
  const stale = await ada.write('PUT', path, undefined, { 'if-match': String(seen.etag) })
  assert.equal(stale.status, 412, 'the page has changed since')
  assert.equal((await get('/open-house/')).status, 404, 'the page is a draft')
  assert.equal((await ada.publish(page)).status, 200)

  const shown = await get('/open-house/')
  assert.deepEqual([shown.status, shown.text], [200, '<h1>One</h1>'])
  assert.equal(shown.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(shown.headers['x-content-type-options'], 'nosniff')
  assert.equal(shown.headers['cache-control'], 'public, max-age=0, must-revalidate')
  assert.equal(shown.headers['set-cookie'], undefined)
  assert.equal(shown.headers['service-worker-allowed'], undefined)
  assert.match(String(shown.headers['content-security-policy']), /frame-ancestors 'self' http:/)
  assert.doesNotMatch(String(shown.headers['content-security-policy']), /sandbox/)
  const etag = String(shown.headers.etag)
  assert.equal((await get('/open-house/', { 'if-none-match': etag })).status, 304)
  assert.equal((await get(`/open-house/${hashed}`)).headers['cache-control'], 'public, max-age=31536000, immutable')
  const range = await get('/open-house/index.html', { range: 'bytes=4-6' })
  assert.deepEqual([range.status, range.text, range.headers['content-range']], [206, 'One', 'bytes 4-6/12'])
  assert.deepEqual(
    [(await get('/open-house/p%C3%A3o.txt')).text, (await get('/open-house/', {}, 'HEAD')).text],
    ['Pão', ''],
  )
  for (const [from, to] of [
    ['/open-house', '/open-house/'],
    ['/open-house/docs?a=1', '/open-house/docs/?a=1'],
    ['/', `${app.a.baseUrl}/`],
  ] as const) {
    const { status, headers } = await get(from)
    assert.deepEqual([status, headers.location], [302, to], from)
  }
  assert.equal((await get('/open-house/docs/')).text, 'Docs')
  for (const nothing of [
    '/open-house/x',
    '/open-house//index.html',
    '/open-house/..%2findex.html',
    '/Open-House/',
    '/x/',
  ])
    assert.equal((await get(nothing)).status, 404, nothing)
  assert.equal((await get('/open-house/index.html', { 'service-worker': 'script' })).status, 404)

  const two = await ada.deployed(page, second)
  assert.equal((await get('/open-house/')).text, '<h1>One</h1>', 'a deployment changes nothing')
  assert.equal((await ada.promote(page, two.id)).json.status, 'live')
  assert.equal((await get('/open-house/')).text, '<h1>Two</h1>')
  const missing = await get('/open-house/docs/')
  assert.deepEqual([missing.status, missing.text], [404, 'Nothing here'])
  assert.equal((await ada.get(`/pages/${page}/deployments/${one.id}`)).json.status, 'superseded')
  const kept = await ada.write('DELETE', `/pages/${page}/deployments/${two.id}`)
  assert.deepEqual([kept.status, kept.json.code], [409, 'invalid_state'])

  assert.equal((await ada.promote(page, one.id)).json.status, 'live')
  assert.equal((await get('/open-house/')).text, '<h1>One</h1>', 'rolled back')
  assert.equal((await ada.write('DELETE', `/pages/${page}/deployments/${two.id}`)).status, 204)
  await untilObjects(app, ['<h1>One</h1>', style, 'Docs', 'Pão'].map(computeHash))
  assert.equal((await get(`/open-house/${hashed}`)).text, style, 'another deployment has it too')
  const before = await quota()
  assert.equal((await ada.write('DELETE', `/pages/${page}`)).status, 204)
  assert.equal((await get('/open-house/')).status, 404)
  assert.equal((await ada.write('PUT', `/pages/${page}/restoration`)).json.live_deployment_id, one.id)
  assert.equal((await get('/open-house/')).text, '<h1>One</h1>', 'restored from the bin')
  assert.equal(await quota(), before)
  await endPage(page)
  await untilObjects(app, [])
  assert.equal(await quota(), before - 12 - 19 - 4 - 4, 'the quota is given back')
  assert.equal((await get('/open-house/')).status, 404)
})

test('the host for pages has no page, API, form or asset of the school', async () => {
  const host = `pages.localhost:${app.port}`
  const paths = [
    '/account',
    '/staff',
    '/api/v1/courses',
    '/openapi.json',
    '/assets/stoa.css',
    '/oauth/authorize',
    '/docs',
  ]
  for (const path of [...paths, '/.well-known/oauth-authorization-server', '/checkout', '/courses', '/robots.txt']) {
    const { status, headers } = await app.send({ path, host, headers: { accept: 'text/html' } })
    assert.deepEqual([status, headers['set-cookie']], [404, undefined], path)
  }
  for (const [method, path] of [
    ['POST', '/api/v1/courses'],
    ['POST', '/account/sign-in'],
    ['PUT', '/'],
    ['DELETE', '/open-house/'],
  ] as const) {
    const { status, headers } = await app.send({ method, path, host })
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`)
  }
})

test('only staff deploy, static pages alone have deployments, and archives have at most 50 MB', async () => {
  const ada = await owner()
  const page = await ada.page('/rules')
  const { id } = await ada.deployed(page, first)
  const eli = await app.actor('eli', { scopes: ['pages:read', 'pages:write'] })
  for (const [method, path] of [
    ['POST', `/pages/${page}/deployments`],
    ['PUT', `/pages/${page}/deployments/${id}/promotion`],
    ['DELETE', `/pages/${page}/deployments/${id}`],
  ] as const)
    assert.equal((await eli.write(method, path, { file_id: id.replace('dep', 'fil') })).status, 403, path)
  assert.equal((await eli.get(`/pages/${page}/deployments/${id}`)).status, 403)
  const { json: content } = await ada.write('POST', '/pages', { title: 'Blocks', path: '/blocks' })
  const refused = await ada.deploy(content.id, first)
  assert.deepEqual([refused.status, refused.json.code], [409, 'page_not_static'])
  const other = await ada.page('/other-page')
  assert.equal((await ada.get(`/pages/${other}/deployments/${id}`)).status, 404, 'of another page')
  const unknown = await ada.write('POST', `/pages/${page}/deployments`, { file_id: id.replace('dep', 'fil') })
  assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/file_id'])
  const file = (await ada.upload(Buffer.alloc(3), { purpose: 'page' })).json.file.file_id
  await app.database.query(`update uploads set byte_size = 50000001 where purpose = 'page' and byte_size = 3`)
  const large = await ada.write('POST', `/pages/${page}/deployments`, { file_id: file })
  assert.deepEqual([large.status, large.json.errors[0].code], [422, 'maximum'])
})
