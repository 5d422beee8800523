import type { Static } from 'typebox'
import type { FieldRow } from '#src/areas/people/custom-fields/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { toId } from '#src/kit/ids.ts'
import { isLocale, isTimeZone } from '#src/kit/locale.ts'
import { cleanTags, foldEmail, isEmail, isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { CustomValue, LockedMember, MemberFilter, MemberRow, MemberValues } from './queries.ts'
import type { MemberFilterBody, MemberSettings } from './schema.ts'

/** The filter that conditions of a query or a body ask for. */
export const readConditions = (conditions: Static<typeof MemberFilterBody>): MemberFilter => ({
  q: conditions.q,
  status: conditions.status,
  role: conditions.role,
  tag: conditions.tag === undefined ? undefined : cleanTags([conditions.tag])[0],
  groupId: conditions.group_id,
  courseId: conditions.course_id,
  seenWithinDays: conditions.seen_within_days,
  notSeenForDays: conditions.not_seen_for_days,
  ids: conditions.id_in,
})

/** The fact by which the worker creates the code of an invitation and mails it; in bulk: after all other mails. */
export const invited = (
  { id }: Pick<MemberRow, 'id'>,
  { inBulk = false }: { readonly inBulk?: boolean } = {},
): Fact<'member.invited'> => ({
  type: 'member.invited',
  payload: { member_id: toId('mem', id), ...(inBulk ? { in_bulk: true } : {}) },
  effects: texts.people.members.member.rules.invited.effects,
})

const ACTIONS: Readonly<Record<MemberRow['status'], readonly string[]>> = {
  invited: ['updateMember', 'deleteMember', 'inviteMember', 'eraseMember', 'mergeMembers', 'deleteMemberSessions'],
  active: ['updateMember', 'deleteMember', 'suspendMember', 'eraseMember', 'mergeMembers', 'deleteMemberSessions'],
  suspended: ['updateMember', 'deleteMember', 'reinstateMember', 'eraseMember', 'mergeMembers', 'deleteMemberSessions'],
  deleted: ['inviteMember', 'reinstateMember', 'eraseMember'],
}

// What would lock the caller out, or erase them, is done by somebody else, or under /account.
const NOT_TO_SELF = ['deleteMember', 'suspendMember', 'eraseMember']

// An invitation can be sent again to an owner by any of the staff.
const TO_ANYBODY = ['inviteMember']

/** What can be done with one member, for `allowed_actions`. */
export const listActions = ({
  status,
  isSelf,
  mayTouch,
  wasErased,
}: Pick<MemberRow, 'status'> & { isSelf: boolean; mayTouch: boolean; wasErased: boolean }): string[] => [
  'getMember',
  ...ACTIONS[status].filter(
    one => !wasErased && (mayTouch || TO_ANYBODY.includes(one)) && !(isSelf && NOT_TO_SELF.includes(one)),
  ),
]

/** Another member has the address already. */
export const emailTaken = problem(
  409,
  'email_taken',
  'Another member has this address',
  'A school has one account for each address. Find who has it with GET /members?email=, or use another address.',
)

/** Another member has the external id already. */
export const externalIdTaken = problem(
  409,
  'external_id_taken',
  'Another member has this external_id',
  'An external_id names one member of the school. Find who has it at /members/external:{value}.',
)

/** Only the person can change the address of an account with a password. */
export const addressNotYours = problem(
  409,
  'address_not_yours',
  'Only the person can change this address',
  'This member has a password, and whoever could change the address could take the account. The person changes it on the page /account/email.',
)

/** Nobody can suspend or delete their own account with this operation. */
export const ownAccount = problem(
  409,
  'own_account',
  'This is not allowed on your own account',
  'Suspending or removing your own account would lock you out. Another owner or admin can do it, or you delete your account yourself.',
)

type Settings = Partial<Static<typeof MemberSettings>>

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

const isDay = (value: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number)
  const days = [31, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28, 31, 30, 31, 30]
  const all = [...days, 31, 31, 30, 31, 30, 31]
  return month >= 1 && month <= 12 && day >= 1 && day <= (all[month - 1] ?? 0)
}

const fits = ({ type, options }: FieldRow, value: CustomValue): boolean => {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  if (typeof value !== 'string') return false
  if (type === 'date') return isDay(value)
  return type === 'choice' ? options.includes(value) : isVisible(value)
}

/** The errors of values of custom fields; empty when they can be stored. */
export const errorsOfCustom = (
  fields: readonly FieldRow[],
  values: Readonly<Record<string, CustomValue | null>>,
): FieldError[] =>
  Object.entries(values).flatMap(([key, value]) => {
    const field = fields.find(one => one.key === key)
    const pointer = `/custom_fields/${key}`
    if (field === undefined) return [fieldError(pointer, 'unknown', 'is not a custom field of this school')]
    if (value === null || fits(field, value)) return []
    return [fieldError(pointer, field.type, `is not a value of the type ${field.type}`)]
  })

/** Custom values after a merge patch: null takes one away (RFC 7396). */
const mergedCustom = (
  stored: Readonly<Record<string, CustomValue>>,
  patch: Readonly<Record<string, CustomValue | null>>,
): Record<string, CustomValue> => {
  const merged = { ...stored, ...patch }
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, CustomValue] => entry[1] !== null))
}

/** The errors of a member's own values that fit their schema. */
export const errorsOfMember = (
  {
    email,
    locale,
    time_zone: timeZone,
    joined_at: joinedAt,
  }: Pick<MemberValues, 'email' | 'locale' | 'time_zone' | 'joined_at'>,
  now: Date,
): FieldError[] => [
  ...(isEmail(email) ? [] : [fieldError('/email', 'email', 'is not an e-mail address')]),
  ...(locale === null || isLocale(locale) ? [] : [fieldError('/locale', 'locale', 'is not a canonical language tag')]),
  ...(timeZone === null || isTimeZone(timeZone)
    ? []
    : [fieldError('/time_zone', 'time_zone', 'is not an IANA time zone')]),
  ...(joinedAt === null || joinedAt <= now ? [] : [fieldError('/joined_at', 'future', 'has not come yet')]),
]

/** A new member as it is stored. */
export const newValues = (body: Settings & { readonly email: string; readonly name: string }): MemberValues => ({
  email: body.email,
  email_verified: false,
  name: body.name,
  phone: body.phone ?? null,
  locale: body.locale ?? null,
  time_zone: body.time_zone ?? null,
  external_id: body.external_id ?? null,
  joined_at: body.joined_at ?? null,
  custom_fields: mergedCustom({}, body.custom_fields ?? {}),
  marketing_granted: body.marketing_consent?.granted ?? false,
  marketing_source: body.marketing_consent?.source ?? null,
  marketing_by_person: false,
})

/**
 * Whether only the person can change their address: who has a password would lose the account, and who comes back has to prove
 * the address that they had proven before.
 */
export const keepsAddress = (
  row: Pick<LockedMember, 'has_password' | 'email_folded' | 'email_verified' | 'status'>,
  email: string | undefined,
): boolean =>
  email !== undefined &&
  (row.has_password || (row.status === 'invited' && row.email_verified)) &&
  foldEmail(email) !== row.email_folded

type Consent = Pick<MemberRow, 'marketing_granted' | 'marketing_source' | 'marketing_by_person'>

/** Whether the person withdrew their consent themselves, so that nobody else grants it again. */
const isWithdrawn = (row: Consent): boolean => row.marketing_by_person && !row.marketing_granted

const plainConsent = ({ marketing_granted, marketing_source, marketing_by_person }: Consent): Consent => ({
  marketing_granted,
  marketing_source,
  marketing_by_person,
})

// What staff say of a consent is not stored where the person withdrew it, and changes nothing where it says the same.
const consentByStaff = (row: MemberRow, said: Settings['marketing_consent']): Consent => {
  const isSame = said?.granted === row.marketing_granted && said.source === row.marketing_source
  if (said === undefined || isSame || isWithdrawn(row)) return plainConsent(row)
  return { marketing_granted: said.granted, marketing_source: said.source, marketing_by_person: false }
}

/** What the response to a change by staff says beside the member: that a consent which the person withdrew was not granted again. */
export const buildNotices = (
  row: Consent | undefined,
  said: Settings['marketing_consent'],
): { notices?: FieldError[] } =>
  row !== undefined && said?.granted === true && isWithdrawn(row)
    ? {
        notices: [
          fieldError('/marketing_consent', 'consent_withdrawn', 'was not granted: the person withdrew it themselves'),
        ],
      }
    : {}

/**
 * The consent of two members who become one. It is never taken over; one that was withdrawn in the other account later ends,
 * and a withdrawal by the person lasts until they grant it themselves in the account that stays.
 */
export const mergedConsent = (into: MemberRow, from: MemberRow): Consent => {
  const isLater = from.marketing_at !== null && (into.marketing_at === null || from.marketing_at > into.marketing_at)
  const isOwnGrant = into.marketing_by_person && into.marketing_granted
  if (isWithdrawn(from) && (isLater || !isOwnGrant)) return plainConsent(from)
  if (isWithdrawn(into)) return plainConsent(into)
  return plainConsent(isLater && !from.marketing_granted ? from : into)
}

/** A member after a change; a new address is not verified. */
export const changedValues = (row: MemberRow, body: Settings): MemberValues => {
  const { marketing_consent: consent, custom_fields: custom = {}, ...plain } = body
  const changes = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  const { email, name, phone, locale, time_zone, external_id, joined_at } = {
    ...row,
    ...(changes as Partial<MemberRow>),
  }
  return {
    email,
    name,
    phone,
    locale,
    time_zone,
    external_id,
    joined_at,
    email_verified: row.email_verified && foldEmail(email) === row.email_folded,
    custom_fields: mergedCustom(row.custom_fields, custom),
    ...consentByStaff(row, consent),
  }
}
