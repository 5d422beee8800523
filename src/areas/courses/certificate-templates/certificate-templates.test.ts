import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { awardTo, must, newcomer, readCodes, SOURDOUGH } from '#testing/awards.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'members:read', 'members:write']
let signedIn: Promise<Actor> | undefined
const ada = () => {
  signedIn ??= app.actor('ada', { scopes: SCOPES })
  return signedIn
}

test('a template is created, updated and deleted; one in use is kept, and an unreadable one is refused', async () => {
  const actor = await ada()
  const make = (body: object) => actor.write('POST', '/certificate-templates', { name: 'New', ...body })
  const template = await must(make({ colors: { accent: '#0b5394', text: '#000000', background: '#fefefe' } }), 201)
  assert.deepEqual([template.title, template.locale, template.course_count], ['Certificate', 'en', 0])
  const path = `/certificate-templates/${template.id}`
  assert.equal(template.design, 'frame')
  assert.deepEqual(readCodes(await actor.write('PATCH', path, { design: 'ribbon' })).slice(0, 2), [422, 'invalid_body'])
  const band = await must(make({ name: 'Band', design: 'band' }), 201)
  assert.equal(band.design, 'band')
  assert.equal(
    (await must(actor.write('PATCH', `/certificate-templates/${band.id}`, { design: 'plain' }))).design,
    'plain',
  )
  await must(actor.write('DELETE', `/certificate-templates/${band.id}`), 204)
  assert.deepEqual(readCodes(await make({ text: '{nome} and {x}' })), [
    422,
    'invalid_body',
    '/text unknown_placeholder',
    '/text unknown_placeholder',
  ])
  const pale = { accent: '#0b5394', text: '#aaaaaa', background: '#ffffff' }
  assert.deepEqual(readCodes(await actor.write('PATCH', path, { colors: pale })), [
    422,
    'invalid_body',
    '/colors/text contrast',
  ])
  assert.deepEqual(readCodes(await actor.write('PATCH', path, { image_file_id: `fil_${'0'.repeat(26)}` })), [
    422,
    'invalid_body',
    '/image_file_id unknown',
  ])
  assert.equal((await must(actor.get(path))).revision, 1)
  assert.equal((await must(actor.write('PATCH', path, { name: 'New' }))).revision, 1, 'nothing changed')
  const loaf = '/courses/slug:first-loaf'
  await must(actor.write('PATCH', loaf, { certificate_template_id: template.id }))
  const kept = await actor.write('DELETE', path)
  assert.deepEqual([kept.status, kept.json.code, kept.json.courses], [409, 'certificate_template_in_use', 1])
  const copy = await must(actor.write('POST', `${loaf}/copies`, {}), 201)
  assert.equal(copy.certificate_template_id, template.id)
  for (const course of [loaf, `/courses/${copy.id}`])
    await must(actor.write('PATCH', course, { certificate_template_id: null }))
  await must(actor.write('DELETE', path), 204)
  assert.deepEqual(readCodes(await actor.write('PATCH', loaf, { certificate_template_id: template.id })), [
    422,
    'invalid_body',
    '/certificate_template_id unknown',
  ])
})

test('F-16 F-19 only staff, lecturers of the course and the recipient read a certificate', async () => {
  const actor = await ada()
  const { id } = await awardTo(actor, await newcomer(actor, 'Seen Someone'))
  await must(actor.write('PUT', `/certificates/${id}/revocation`, { reason: 'secret-reason' }))
  const carla = await app.actor('carla', { scopes: ['courses:read', 'courses:write'] })
  const femi = await app.actor('femi', { scopes: ['courses:read', 'account:read'] })
  const certificate = await must(carla.get(`/certificates/${id}`))
  assert.equal(certificate.revocation_reason, undefined)
  assert.ok(!(await carla.get(`${SOURDOUGH}/certificates`)).text.includes('secret-reason'))
  assert.equal((await carla.write('PUT', `/certificates/${id}/revocation`, {})).json.code, 'role_required')
  assert.deepEqual(readCodes(await femi.get(`${SOURDOUGH}/certificates`)), [403, 'role_required'])
  for (const path of [`/certificates/${id}`, `/certificates/crt_${'0'.repeat(26)}`])
    assert.deepEqual(readCodes(await femi.get(path)), [404, 'not_found'])
  assert.equal((await femi.get(`/account/certificates/${id}`)).status, 404)
  assert.equal((await app.send({ path: `/api/v1/certificates/${id}` })).status, 403)
  // The template of her own course, and no other.
  const templates = (await must(actor.get('/certificate-templates'))).data
  const statuses = await Promise.all(
    templates.map(async (one: { id: string }) => (await carla.get(`/certificate-templates/${one.id}`)).status),
  )
  assert.deepEqual(
    statuses,
    templates.map((one: { course_count: number }) => (one.course_count > 0 ? 200 : 404)),
  )
  assert.equal((await femi.get(`/certificate-templates/${templates[0].id}`)).status, 404)
  const open = await app.send({ path: `/api/v1${SOURDOUGH}` })
  assert.equal(open.json.certificate_template_id, undefined)
})

test('H-20 the certificates of a course as CSV, with names that a spreadsheet would run', async () => {
  const actor = await ada()
  await awardTo(actor, await newcomer(actor, '=cmd|whoami'))
  const { text, status } = await actor.get(`${SOURDOUGH}/certificates`, { accept: 'text/csv' })
  assert.equal(status, 200)
  assert.match(text, /^id,serial,status,member_id,name,course_name,awarded_on,issued_at,revoked_at,url\r?\n/)
  assert.ok(text.includes("'=cmd|whoami") && !text.includes(',=cmd'), text)
  assert.match(text.trimEnd(), /# complete$/)
})
