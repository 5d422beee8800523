import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactVerify, createRemoteJWKSet, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SERIAL = 'BAKED-WARM0-BREAD-DEM00'
const get = (path: string, headers = {}) => app.send({ path, headers })

const one = <const Word extends string>(word: Word) => Type.Array(Type.String(), { contains: { const: word } })
const Uri = Type.String({ pattern: '^https?://' })
const Profile = Type.Object({ id: Uri, type: one('Profile'), name: Type.String({ minLength: 1 }), url: Uri })

// What the published JSON schema of an AchievementCredential (Open Badges 3.0) requires of the members that we send.
const OpenBadgeCredential = Type.Object({
  '@context': Type.Array(Uri, { minItems: 2 }),
  id: Uri,
  type: one('OpenBadgeCredential'),
  issuer: Profile,
  validFrom: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
  awardedDate: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }),
  name: Type.String({ minLength: 1 }),
  credentialSubject: Type.Object({
    id: Uri,
    type: one('AchievementSubject'),
    identifier: Type.Array(
      Type.Object({
        type: Type.Literal('IdentityObject'),
        hashed: Type.Boolean(),
        identityHash: Type.String({ minLength: 1 }),
        identityType: Type.Literal('name'),
      }),
      { minItems: 1 },
    ),
    achievement: Type.Object({
      id: Uri,
      type: one('Achievement'),
      achievementType: Type.Literal('Course'),
      name: Type.String({ minLength: 1 }),
      description: Type.String({ minLength: 1 }),
      criteria: Type.Object({ narrative: Type.String({ minLength: 1 }) }),
      creator: Profile,
    }),
  }),
  credentialStatus: Type.Object({ id: Uri, type: Type.Literal('1EdTechRevocationList') }),
})
const shape = Compile(OpenBadgeCredential)

test('Open Badges 3.0 §8.2 a certificate is a credential that the published key verifies, with the claims the norm names', async () => {
  const { status, text: jwt, headers } = await get(`/certificates/${SERIAL}/credential`)
  assert.equal(headers['content-disposition'], `attachment; filename="badge-${SERIAL}.jwt"`)
  assert.equal(status, 200, jwt)
  assert.equal(headers['content-type'], 'application/vc+jwt')
  const header = decodeProtectedHeader(jwt)
  // §8.2.4: these, and no others.
  assert.deepEqual(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
  assert.deepEqual([header.alg, header.typ], ['RS256', 'JWT'])
  // §8.5: the kid is an address that leads to the key, which never holds a private half.
  const fetched = await fetch(String(header.kid))
  const key = (await fetched.json()) as JWK
  assert.deepEqual([key.kty, key.kid, key.d, key.p], ['RSA', header.kid, undefined, undefined])
  assert.equal(fetched.headers.get('access-control-allow-origin'), '*')
  const { payload } = await compactVerify(jwt, await importJWK(key, 'RS256'))
  const credential = JSON.parse(Buffer.from(payload).toString('utf8'))
  assert.deepEqual([...shape.Errors(credential)], [])
  assert.deepEqual(credential['@context'].slice(0, 2), [
    'https://www.w3.org/ns/credentials/v2',
    'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
  ])
  assert.equal(credential.type[0], 'VerifiableCredential')
  assert.deepEqual(
    [credential.iss, credential.jti, credential.nbf, credential.sub],
    [credential.issuer.id, credential.id, Date.parse(credential.validFrom) / 1000, credential.credentialSubject.id],
  )
  assert.equal(credential.credentialSubject.identifier[0].identityHash, 'Ada Moreira')
  // Of the person, the name and nothing more.
  assert.ok(!/mem_|@crumb|ada@/.test(JSON.stringify(credential)))
})

test('the key set verifies it too; what is changed in it does not verify; the same bytes come each time', async () => {
  const first = await get(`/certificates/${SERIAL}/credential`)
  const again = await get(`/certificates/${SERIAL.toLowerCase()}/credential`)
  assert.equal(again.text, first.text)
  const unchanged = await get(`/certificates/${SERIAL}/credential`, { 'if-none-match': String(first.headers.etag) })
  assert.equal(unchanged.status, 304)
  const keys = createRemoteJWKSet(new URL(`${app.a.baseUrl}/credentials/keys`))
  const { payload } = await jwtVerify(first.text, keys, { issuer: `${app.a.baseUrl}/credentials/issuer` })
  const [header, , signature] = first.text.split('.')
  const forged = { ...payload, name: 'Everything about bread' }
  const body = Buffer.from(JSON.stringify(forged)).toString('base64url')
  await assert.rejects(jwtVerify(`${header}.${body}.${signature}`, keys))
})

test('every address in a credential answers: issuer, achievement and revocation list', async () => {
  const { text } = await get(`/certificates/${SERIAL}/credential`)
  const credential = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8'))
  const read = async (url: string) => (await fetch(url)).json()
  assert.deepEqual(await read(credential.issuer.id), credential.issuer)
  assert.deepEqual(await read(credential.credentialSubject.achievement.id), credential.credentialSubject.achievement)
  assert.deepEqual(await read(credential.credentialStatus.id), {
    id: credential.credentialStatus.id,
    issuer: credential.issuer.id,
    revokedCredential: [],
  })
  assert.equal((await fetch(credential.credentialSubject.id)).status, 200)
})

test('a revoked credential is marked in the list that it names, and is not signed again', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { json } = await ada.get('/courses/slug:sourdough-from-scratch/certificates')
  const { id } = json.data.at(-1)
  const before = await get(`/certificates/${SERIAL}/credential`)
  assert.equal((await ada.write('PUT', `/certificates/${id}/revocation`, { reason: 'secret-reason' })).status, 200)
  const gone = await get(`/certificates/${SERIAL}/credential`)
  assert.deepEqual([gone.status, gone.json.code], [410, 'certificate_not_valid'])
  const list = await get(`/certificates/${SERIAL}/status`)
  assert.deepEqual(list.json.revokedCredential, [
    { id: `${app.a.baseUrl}/certificates/${SERIAL}/credential`, revoked: true, revocationReason: 'revoked' },
  ])
  assert.ok(!list.text.includes('secret-reason'))
  assert.equal((await ada.write('DELETE', `/certificates/${id}/revocation`)).status, 200)
  assert.equal((await get(`/certificates/${SERIAL}/credential`)).text, before.text)
  assert.deepEqual((await get(`/certificates/${SERIAL}/status`)).json.revokedCredential, [])
})

test('a school has one key for credentials under concurrent requests, apart from those of OAuth and sealed at rest', async () => {
  const paths = Array.from({ length: 12 }, () => `/certificates/${SERIAL}/credential`)
  const replies = await Promise.all(paths.map(path => app.send({ path }, app.b)))
  assert.equal(new Set(replies.map(({ text }) => decodeProtectedHeader(text).kid)).size, 1)
  const rows = await app.database.query<{ school_id: string; jwk: string; sealed: Buffer }>(
    'select school_id, public_jwk::text as jwk, private_sealed as sealed from credential_keys',
  )
  assert.equal(rows.filter(row => row.school_id === app.b.id).length, 1)
  for (const { jwk, sealed } of rows) {
    assert.ok(!/"(?:d|p|q|dp|dq|qi)":/.test(jwk))
    assert.ok(!sealed.toString('latin1').includes('"kty"'))
  }
  const { json: oauth } = await get('/api/oauth/jwks')
  const { json: own } = await get('/credentials/keys')
  assert.equal(own.keys.length, 1)
  assert.ok(oauth.keys.every((key: JWK) => key.n !== own.keys[0].n))
  // F-01: one school's keys are not published by another.
  const { json: theirs } = await app.send({ path: '/credentials/keys' }, app.b)
  assert.notEqual(theirs.keys[0].n, own.keys[0].n)
})

test('what is not there is 404 at every address', async () => {
  for (const path of [
    '/certificates/00000-00000-00000-00000/credential',
    '/certificates/%F0%9F%A6%8A/status',
    '/credentials/keys/none',
    `/credentials/achievements/crs_${'0'.repeat(26)}`,
    '/credentials/achievements/%27',
  ])
    assert.equal((await get(path)).status, 404, path)
})
