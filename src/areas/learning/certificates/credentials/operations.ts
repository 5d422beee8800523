import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { fromId } from '#src/kit/ids.ts'
import { showSerial } from '../certificates/rules.ts'
import { certificateAt, requireValid } from '../page/operations.ts'
import { findAchievement } from './queries.ts'
import { buildAchievement, buildIssuer, buildRevocationList, credentialAddresses } from './rules.ts'
import { createSigner, publicKeys, type SigningParts } from './writes.ts'

const SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

// Credentials are verified from any origin, also in browsers.
const open = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' },
})

// Browsers save this type under this name.
const named = (reply: Reply, filename: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'content-disposition': `attachment; filename="${filename}"` },
})

const sendJson = (request: EndpointRequest, value: unknown, seconds = SECONDS): Reply =>
  open(cacheable(request.header('if-none-match'), JSON_TYPE, JSON.stringify(value), seconds))

const signedCredential = (parts: SigningParts): Endpoint => {
  const sign = createSigner(parts)
  return endpoint({
    route: 'GET /certificates/:serial/credential',
    handle: async request => {
      const row = requireValid(await certificateAt(request, request.params.serial ?? ''))
      const jwt = await sign(request, row)
      return named(
        open(cacheable(request.header('if-none-match'), 'application/vc+jwt', jwt, 0)),
        `badge-${showSerial(row.serial)}.jwt`,
      )
    },
  })
}

const revocationList = endpoint({
  route: 'GET /certificates/:serial/status',
  handle: async request => {
    const row = await certificateAt(request, request.params.serial ?? '')
    return sendJson(request, buildRevocationList(request.school.baseUrl, row), 0)
  },
})

const issuerProfile = endpoint({
  route: 'GET /credentials/issuer',
  handle: async request => sendJson(request, buildIssuer(request.school.baseUrl, request.school.name)),
})

const keySet = endpoint({
  route: 'GET /credentials/keys',
  // The first credential adds its key, so a copy of the set without it may not be kept.
  handle: async request => sendJson(request, { keys: await publicKeys(request) }, 0),
})

// Open Badges 3.0 §8.5: the address that `kid` of a credential is.
const oneKey = endpoint({
  route: 'GET /credentials/keys/:kid',
  handle: async request => {
    const kid = credentialAddresses(request.school.baseUrl).key(request.params.kid ?? '')
    const key = (await publicKeys(request)).find(one => one.kid === kid)
    if (key === undefined) throw new Refusal(notFound, 'There is no such key.')
    return sendJson(request, key)
  },
})

const achievement = endpoint({
  route: 'GET /credentials/achievements/:course_id',
  handle: async request => {
    const { database, school, params } = request
    const courseId = fromId('crs', params.course_id ?? '')
    const achieved = await database.statements(school.id, db => findAchievement(db, school.id, courseId))
    if (achieved === undefined || courseId === undefined) throw new Refusal(notFound, 'There is no such achievement.')
    return sendJson(request, buildAchievement(school.baseUrl, { ...achieved, course_id: courseId }))
  },
})

/** The Open Badges of a school, and what verifying them needs: keys, issuer, achievements and revocations. */
export const credentialEndpoints = (parts: SigningParts): Endpoint[] => [
  signedCredential(parts),
  revocationList,
  issuerProfile,
  keySet,
  oneKey,
  achievement,
]
