// Creates a course, sells it for a test payment, and reads what was earned. Node 20 or later, and nothing else:
//   npm start                                                  # prints the password of the owner, ada@crumb.example
//   node examples/sell-a-course.mjs http://localhost:3000      # then open the addresses that it prints, as Ada
// Every call is in /openapi.json of the school; /auth.md explains the sign-in step by step.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const base = process.argv[2] ?? 'http://localhost:3000'
const SCOPES =
  'account:read account:write courses:read courses:write curriculum:read curriculum:write students:read orders:read'

const json = async response => {
  const body = await response.json()
  // Every refusal says what to do next.
  if (!response.ok)
    throw new Error(`${response.status} ${body.code ?? body.error}: ${body.detail ?? body.error_description}`)
  return body
}
const asJson = body => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

// RFC 8252: the browser brings the answer to a port of this computer.
const listen = () =>
  new Promise(resolve => {
    const server = createServer()
    const arrival = new Promise(arrive => {
      server.on('request', ({ url }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
        response.setHeader('connection', 'close')
        if (pathname !== '/callback') return response.writeHead(404).end()
        response.end('You can close this window.', () => server.close())
        arrive(searchParams)
      })
    })
    server.listen(0, '127.0.0.1', () => resolve({ arrival, uri: `http://127.0.0.1:${server.address().port}/callback` }))
  })

const signIn = async () => {
  const metadata = await json(await fetch(`${base}/.well-known/oauth-authorization-server`))
  const registration = { client_name: 'Course seller', application_type: 'native', token_endpoint_auth_method: 'none' }
  const { client_id } = await json(
    await fetch(
      metadata.registration_endpoint,
      asJson({ ...registration, redirect_uris: ['http://127.0.0.1/callback'] }),
    ),
  )
  const { arrival, uri: redirect_uri } = await listen()
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope: SCOPES, state },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  })
  console.log(`Open in a browser: ${metadata.authorization_endpoint}?${request}`)
  const answer = await arrival
  if (answer.get('state') !== state || answer.get('iss') !== metadata.issuer) throw new Error('this answer is not ours')
  const code = answer.get('code')
  if (code === null) throw new Error(`the school refused: ${answer.get('error')}`)
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier }
  const tokens = await json(await fetch(metadata.token_endpoint, { method: 'POST', body: new URLSearchParams(form) }))
  return tokens.access_token
}

const token = await signIn()
const call = async (method, path, body) => {
  // With a key, a write that is sent again after a lost reply is done once.
  const headers = { authorization: `Bearer ${token}`, ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }) }
  const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  return json(await fetch(`${base}/api/v1${path}`, { method, headers, ...content }))
}

// A course with one lesson and a price, on sale.
const course = await call('POST', '/courses', { name: `Bagels ${new Date().toISOString()}` })
const section = await call('POST', `/courses/${course.id}/sections`, { name: 'Boil, then bake' })
const boiling = { name: 'Why they are boiled', type: 'text', body: 'It **sets the crust**.', status: 'published' }
const lesson = await call('POST', `/sections/${section.id}/lessons`, boiling)
const price = await call('POST', `/courses/${course.id}/prices`, { payment_type: 'one_time', amount: 2500 })
const { status, warnings } = await call('PUT', `/courses/${course.id}/publication`, {})
console.log(`The course is ${status}, with ${warnings.length} warnings`)

// Its first buyer is whoever signed in. An app places the order; the person pays on a page of the school.
const order = await call('POST', '/account/checkouts', { items: [{ price_id: price.id }] })
console.log(`Pay with a test payment: ${order.payment.page_url}`)
let paid = order
for (let tries = 0; paid.status !== 'paid' && tries < 600; tries++) {
  await pause(1000)
  paid = await call('GET', `/account/orders/${order.id}`)
}
if (paid.status !== 'paid') throw new Error(`the order is ${paid.status}`)

// Who bought it learns: a lesson that was read is completed.
const { percent_complete } = await call('PUT', `/account/lessons/${lesson.id}/completion`)
console.log(`The buyer has learned ${percent_complete} % of the course`)

// Who learns now, and what the course earned.
const students = await call('GET', `/courses/${course.id}/enrollments`)
const orders = await call('GET', `/orders?item_id=${course.id}&status[in]=paid`)
const earned = orders.data.reduce((sum, { paid_total, refunded_total }) => sum + paid_total - refunded_total, 0)
console.log(`${students.data.length} student, ${orders.data.length} order, ${earned} ${paid.currency} in minor units`)
