import type { Role } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import {
  type ActiveCode,
  type CodeBinding,
  type CodeParts,
  endCodes,
  findCode,
  issueCode,
  useCode,
} from './codes/index.ts'
import { identityMails, recordSecretMail } from './mail/index.ts'
import {
  activateInvited,
  type EmailTaken,
  findMemberByEmail,
  getMember,
  insertMember,
  type Member,
  restoreMembers,
  storePassword,
  storeRole,
} from './queries.ts'

/** The values of an invitation. */
type InvitationPlan = { readonly email: string; readonly name: string; readonly role: Role }

const SECONDS = 7 * 24 * 3600

const buildPlace = (handle: string): CodeBinding => ({ boundTo: sha256(handle), purpose: 'invitation' })

const invited = async (db: Db, school: School, now: Date, plan: InvitationPlan): Promise<Member | EmailTaken> => {
  const inserted = await insertMember(db, school.id, { ...plan, id: newUuid(now.getTime()), status: 'invited' })
  if (inserted !== 'email_taken') return inserted
  const member = await findMemberByEmail(db, school.id, plan.email)
  if (member?.status === 'invited') return member
  if (member?.status !== 'deleted') return 'email_taken'
  await restoreMembers(db, school.id, [member.id], 'invited')
  await storeRole(db, school.id, member.id, plan.role)
  return getMember(db, school.id, member.id)
}

// Does nothing for a member who is not invited, or no longer is.
const mailInvitation = async (
  db: Db,
  school: School,
  { secret, random }: CodeParts,
  member: Member,
  { now, isBulk = false }: { readonly now: Date; readonly isBulk?: boolean },
): Promise<void> => {
  if (member.status !== 'invited') return
  const { id: memberId, email } = member
  const handle = random(32).toString('base64url')
  await endCodes(db, school.id, memberId)
  const codePlan = { ...buildPlace(handle), email, memberId, seconds: SECONDS, isUsable: true }
  const code = await issueCode(db, school.id, { secret, random }, codePlan)
  const link = `${school.siteOrigin}/oauth/invitation?invitation=${handle}`
  const secrets = { values: { code, link }, usefulSeconds: SECONDS, secret }
  const locale = member.locale ?? school.locale
  await recordSecretMail(
    db,
    school.id,
    { kind: identityMails.invitation, to: email, memberId, locale, shouldSend: true, isBulk, secrets },
    now,
  )
}

/** Mails the invitation that a fact reports. */
export const onMemberInvited =
  (parts: CodeParts): FactHandler<'member.invited'> =>
  async ({ payload }, { db, school, now }) => {
    const id = fromId('mem', payload.member_id)
    if (id !== undefined) {
      const sending = { now, isBulk: payload.in_bulk === true }
      await mailInvitation(db, school, parts, await getMember(db, school.id, id), sending)
    }
  }

/**
 * Creates an invited member, or brings back one who was deleted, and mails a link with a code; an existing invitation is replaced
 * by a new one.
 */
export const invite = (
  database: Database,
  school: School,
  parts: CodeParts,
  plan: InvitationPlan,
): Promise<Member | EmailTaken> =>
  database.transaction(school.id, async (db, now) => {
    const member = await invited(db, school, now, plan)
    if (member !== 'email_taken') await mailInvitation(db, school, parts, member, { now })
    return member
  })

/** The code binding and the address of an invitation that is still valid. */
export const findInvitation = async (
  database: Database,
  school: School,
  handle: string,
): Promise<{ readonly place: CodeBinding; readonly email: string } | undefined> => {
  if (!/^[\w-]{43}$/.test(handle)) return undefined
  const place = buildPlace(handle)
  const code = await database.statements(school.id, db => findCode(db, school.id, place))
  return code && { place, email: code.email }
}

/** Activates an invited member with the name and password they chose, and returns the id; undefined when the code was used meanwhile. */
export const acceptInvitation = async (
  db: Db,
  school: School,
  accepted: {
    readonly place: CodeBinding
    readonly code: ActiveCode
    readonly name: string
    readonly passwordHash: string
  },
): Promise<string | undefined> => {
  const { place, code, name, passwordHash } = accepted
  if ((await useCode(db, school.id, place, code.code_hash)) === 0) return undefined
  const member = await activateInvited(db, school.id, { email: code.email, name })
  if (member === undefined) return undefined
  await storePassword(db, school.id, member.id, passwordHash)
  await endCodes(db, school.id, member.id)
  return member.id
}
