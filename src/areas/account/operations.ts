import type { Static } from 'typebox'
import { fileView, useFile } from '#src/areas/storage/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { faultsOfProfile, getMember, lockMember, type Member, storeProfile } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { appOperations } from './apps/operations.ts'
import { confirmationOperations } from './confirmations/operations.ts'
import { deletionOperations } from './deletion/operations.ts'
import { exportOperations } from './exports/operations.ts'
import { getExtras, type ProfileExtras, storeExtras } from './profile/queries.ts'
import { Account, ProfileChanges } from './profile/schema.ts'
import { sessionOperations } from './sessions/operations.ts'

const ACTIONS = ['getAccount', 'updateAccount']

type Viewing = Parameters<typeof fileView>[0] & { allowedActions(ids: readonly string[]): string[] }

const viewOf = async (context: Viewing, member: Member, extras: ProfileExtras): Promise<Static<typeof Account>> => ({
  id: toId('mem', member.id),
  email: member.email,
  email_verified: member.email_verified,
  name: member.name,
  locale: member.locale,
  time_zone: member.time_zone,
  notifications: member.notifications,
  avatar: await fileView(context, extras.avatar_file_id),
  marketing_consent: {
    granted: extras.marketing_granted,
    at: extras.marketing_at?.toISOString() ?? null,
    source: extras.marketing_source,
  },
  role: member.role,
  revision: member.revision,
  allowed_actions: context.allowedActions(ACTIONS),
  created_at: member.created_at.toISOString(),
  updated_at: member.updated_at.toISOString(),
})

const getAccount = operation({
  id: 'getAccount',
  route: 'GET /account',
  summary: 'Get your account',
  description: 'Returns the profile of the person behind the token.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  returns: Account,
  async handle(context) {
    const { db, school, caller } = context
    const [member, extras] = await Promise.all([
      getMember(db, school.id, caller.member.id),
      getExtras(db, school.id, caller.member.id),
    ])
    return viewOf(context, member, extras)
  },
})

type Extras = { readonly avatarFileId: string | null; readonly granted: boolean }

// What the person shows and allows after the change; a picture is taken into use with it.
const saidExtras = async (
  context: Viewing,
  before: ProfileExtras,
  said: Static<typeof ProfileChanges>,
): Promise<Extras> => {
  const { avatar_file_id: id, marketing_consent: consent } = said
  const granted = consent?.granted ?? before.marketing_granted
  if (id === undefined || id === null || fromId('fil', id) === before.avatar_file_id)
    return { avatarFileId: id === null ? null : before.avatar_file_id, granted }
  const memberId = context.caller.member?.id ?? ''
  const file = { id, pointer: '/avatar_file_id', purposes: ['avatar'], memberId } as const
  return { avatarFileId: await useFile(context, file), granted }
}

const fieldsOfExtras = (before: ProfileExtras, after: Extras): string[] => [
  ...(before.avatar_file_id === after.avatarFileId ? [] : ['avatar_file_id']),
  ...(before.marketing_granted === after.granted ? [] : ['marketing_consent']),
]

const updateAccount = operation({
  id: 'updateAccount',
  route: 'PATCH /account',
  summary: 'Update your account',
  description:
    'Changes the name, language, time zone, picture and e-mail preferences of the person behind the token. The picture is an upload with the purpose `avatar`; null removes it.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  body: ProfileChanges,
  returns: Account,
  example: { body: { time_zone: 'Europe/Lisbon' } },
  async handle(context) {
    const { db, school, caller, body, requireMatch, changed, record } = context
    const member = await lockMember(db, school.id, caller.member.id)
    const before = await getExtras(db, school.id, member.id)
    await requireMatch(member.revision, () => viewOf(context, member, before))
    const { avatar_file_id: _file, marketing_consent: _consent, ...said } = body
    const profile = { ...member, ...said }
    const errors = faultsOfProfile(profile)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The profile has values that are not allowed.', { errors })
    const after = await saidExtras(context, before, body)
    const fields = [...changedFields(member, said as Partial<Member>), ...fieldsOfExtras(before, after)]
    if (fields.length === 0) return viewOf(context, member, before)
    const extras = await storeExtras(db, school.id, member.id, after)
    const stored = await storeProfile(db, school.id, profile)
    changed({ ids: [toId('mem', member.id)], fields, revision: stored.revision })
    record({ type: 'member.updated', payload: { member: toId('mem', member.id), fields } })
    return viewOf(context, stored, extras)
  },
})

/** The operations of the account, in the order of the documentation. */
export const operations = [
  getAccount,
  updateAccount,
  ...exportOperations,
  ...deletionOperations,
  ...appOperations,
  ...sessionOperations,
  ...confirmationOperations,
]
