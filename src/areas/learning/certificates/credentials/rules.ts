import { fill, type Phrase, toLanguage } from '#src/contract/language.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { CertificateRow } from '../certificates/queries.ts'
import { buildAddresses } from '../certificates/rules.ts'

// Open Badges 3.0 and the Verifiable Credentials Data Model 2.0, in the order that the norms require.
const CONTEXT = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
  'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json',
]

const DESCRIBED: Phrase = texts.learning.certificates.credentials.rules.described
const CRITERIA: Phrase = texts.learning.certificates.credentials.rules.criteria

/** The addresses that the credentials of a school refer to. */
export const credentialAddresses = (baseUrl: string) => ({
  issuer: `${baseUrl}/credentials/issuer`,
  keys: `${baseUrl}/credentials/keys`,
  key: (kid: string) => `${baseUrl}/credentials/keys/${kid}`,
  achievement: (courseId: string) => `${baseUrl}/credentials/achievements/${toId('crs', courseId)}`,
})

/** The school as an issuer (Open Badges 3.0, Profile). */
export const buildIssuer = (baseUrl: string, name: string) => ({
  id: credentialAddresses(baseUrl).issuer,
  type: ['Profile'],
  name,
  url: baseUrl,
})

/** A course as it is on a certificate. */
type Achieved = {
  readonly course_id: string
  readonly course_name: string
  readonly school_name: string
  readonly locale: string
}

/** Completing a course as an achievement (Open Badges 3.0, Achievement). */
export const buildAchievement = (baseUrl: string, achieved: Achieved) => {
  const values = { course: achieved.course_name, school: achieved.school_name }
  const language = toLanguage(achieved.locale)
  return {
    id: credentialAddresses(baseUrl).achievement(achieved.course_id),
    type: ['Achievement'],
    achievementType: 'Course',
    name: achieved.course_name,
    description: fill(DESCRIBED, language, values),
    criteria: { narrative: fill(CRITERIA, language, values) },
    creator: buildIssuer(baseUrl, achieved.school_name),
    inLanguage: achieved.locale,
  }
}

/**
 * The seconds of an instant: a credential and the claims beside it must tell the same one (Open Badges 3.0 §8.2.6.1).
 */
export const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** A certificate as an OpenBadgeCredential. Of the person it has only the name, as printed. */
export const buildCredential = (baseUrl: string, row: CertificateRow & { readonly name: string }) => {
  const { page, credential, status } = buildAddresses(baseUrl, row.serial)
  const validFrom = `${new Date(toSeconds(row.issued_at) * 1000).toISOString().slice(0, 19)}Z`
  return {
    '@context': CONTEXT,
    id: credential,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: row.course_name,
    issuer: buildIssuer(baseUrl, row.school_name),
    validFrom,
    awardedDate: `${row.awarded_on}T00:00:00Z`,
    credentialSubject: {
      id: `${page}#holder`,
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', hashed: false, identityHash: row.name, identityType: 'name' }],
      achievement: buildAchievement(baseUrl, { ...row, locale: row.design.locale }),
    },
    credentialStatus: { id: status, type: '1EdTechRevocationList' },
  }
}

/**
 * The revocation list that a credential names (1EdTech Revocation List). It has this credential alone: a list of all
 * would show everybody the serials, and so the names, of people whose certificates were revoked.
 */
export const buildRevocationList = (baseUrl: string, row: CertificateRow) => {
  const { credential, status } = buildAddresses(baseUrl, row.serial)
  const { issuer } = credentialAddresses(baseUrl)
  const revoked = row.status === 'valid' ? [] : [{ id: credential, revoked: true, revocationReason: row.status }]
  return { id: status, issuer, revokedCredential: revoked }
}
