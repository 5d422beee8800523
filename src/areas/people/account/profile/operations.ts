import type { Static } from 'typebox'
import { useFile } from '#src/areas/files/index.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { errorsOfProfile, getMember, keepConsents, lockMember, type Member, storeProfile } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { changedFields, merged } from '#src/kit/patch.ts'
import { getExtras, type ProfileExtras, storeExtras } from './queries.ts'
import { Account, ProfileChanges } from './schema.ts'
import { accountView } from './views.ts'

const getAccount = declareFor('self', 'account', {
  id: 'getAccount',
  route: 'GET /account',
  summary: 'Get your account',
  description: 'Returns the profile of the person behind the token.',
  returns: Account,
  async handle(context) {
    const { db, school, caller } = context
    const [member, extras] = await Promise.all([
      getMember(db, school.id, caller.member.id),
      getExtras(db, school.id, caller.member.id),
    ])
    return accountView(context, member, extras)
  },
})

type Extras = { readonly avatarFileId: string | null; readonly granted: boolean }

// Picture and consent after the change; a new picture is claimed with it.
const extrasAfter = async (
  context: WriteContext,
  before: ProfileExtras,
  { avatar_file_id: id, marketing_consent: consent }: Static<typeof ProfileChanges>,
): Promise<Extras> => {
  const granted = consent?.granted ?? before.marketing_granted
  if (id === undefined || id === null || id === before.avatar_file_id)
    return { avatarFileId: id === null ? null : before.avatar_file_id, granted }
  const memberId = context.caller.member.id
  const file = { id, pointer: '/avatar_file_id', purposes: ['avatar'], memberId, isShown: true } as const
  return { avatarFileId: await useFile(context, file), granted }
}

const fieldsOfExtras = (before: ProfileExtras, after: Extras): string[] => [
  ...(before.avatar_file_id === after.avatarFileId ? [] : ['avatar_file_id']),
  ...(before.marketing_granted === after.granted ? [] : ['marketing_consent']),
]

// The fields that identity stores.
const profileIn = ({ avatar_file_id: _file, marketing_consent: _consent, ...profile }: Static<typeof ProfileChanges>) =>
  profile

const updateAccount = declareFor('self', 'account', {
  id: 'updateAccount',
  route: 'PATCH /account',
  summary: 'Update your account',
  description:
    'Changes the name, language, time zone, picture and e-mail preferences of the person behind the token. The picture is an upload with the purpose `avatar`; null removes it.',
  ifMatch: 'honoured',
  body: ProfileChanges,
  returns: Account,
  example: { body: { time_zone: 'Europe/Lisbon' } },
  async handle(context) {
    const { db, school, caller, body, requireMatch, changed, record } = context
    const member = await lockMember(db, school.id, caller.member.id)
    const before = await getExtras(db, school.id, member.id)
    await requireMatch(member.revision, () => accountView(context, member, before))
    const input = { ...profileIn(body), notifications: merged(member.notifications, body.notifications ?? {}) }
    const profile = { ...member, ...input }
    refuseInvalid(errorsOfProfile(profile), 'The profile has values that are not allowed.')
    const after = await extrasAfter(context, before, body)
    const fields = [...changedFields(member, input as Partial<Member>), ...fieldsOfExtras(before, after)]
    if (fields.length === 0) return accountView(context, member, before)
    const extras = await storeExtras(db, school.id, member.id, after)
    await keepConsents(db, school.id, [member.id])
    const stored = await storeProfile(db, school.id, profile)
    changed({ ids: [toId('mem', member.id)], fields, revision: stored.revision })
    record({ type: 'member.updated', payload: { member_id: toId('mem', member.id), fields } })
    return accountView(context, stored, extras)
  },
})

/** The operations of the profile, in the order of the documentation. */
export const profileOperations = [getAccount, updateAccount]
