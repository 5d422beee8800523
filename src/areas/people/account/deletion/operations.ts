import { endingEffects, readRunning, withEffects } from '#src/areas/people/members/index.ts'
import { lastOwner } from '#src/areas/school/index.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { dropJob } from '#src/db/jobs.ts'
import { countOwners, lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { cancelDeletion, DELETION_JOB, findDeletion, insertDeletion } from './queries.ts'
import { COOL_OFF_DAYS, deletionEffects, deletionInProgress } from './rules.ts'
import { AccountDeletion } from './schema.ts'
import { deletionView } from './views.ts'

const getAccountDeletion = declareFor('self', 'account', {
  id: 'getAccountDeletion',
  route: 'GET /account/deletion',
  summary: 'Get your account deletion',
  description: 'Returns whether your account is scheduled for deletion, and when.',
  returns: AccountDeletion,
  async handle({ db, school, caller }) {
    return deletionView(await findDeletion(db, school.id, caller.member.id))
  },
})

const createAccountDeletion = declareFor('self', 'account', {
  id: 'createAccountDeletion',
  route: 'POST /account/deletion',
  summary: 'Delete your account',
  description:
    'Schedules the deletion of your account in 14 days; until then everything works and the deletion can be cancelled. Afterwards everything that identifies you is removed permanently, except from invoices that were issued to you: they keep your name and address for the retention period that the law requires. The last owner of a school cannot be deleted.',
  proof: 'recent',
  confirm: 'person',
  returns: AccountDeletion,
  fails: [lastOwner],
  async handle(context) {
    const { db, school, caller, changed, record, waiveConfirmation } = context
    const memberId = caller.member.id
    const { role } = await lockMember(db, school.id, memberId)
    if (role === 'owner' && (await countOwners(db, school.id)) === 1)
      throw new Refusal(lastOwner, 'You are the last owner.')
    const row = await insertDeletion(db, school.id, memberId, COOL_OFF_DAYS)
    if (row === undefined) {
      waiveConfirmation()
      return deletionView(await findDeletion(db, school.id, memberId))
    }
    const id = toId('mem', memberId)
    changed({ ids: [id], fields: ['deletion'], memberId })
    const effects = withEffects(deletionEffects, endingEffects(await readRunning(context, memberId)))
    record({ type: 'account.deletion_requested', payload: { member_id: id }, effects })
    return deletionView(row)
  },
})

const cancelAccountDeletion = declareFor('self', 'account', {
  id: 'cancelAccountDeletion',
  route: 'DELETE /account/deletion',
  summary: 'Cancel your account deletion',
  description: 'Cancels the scheduled deletion of your account. Without one, nothing happens.',
  returns: undefined,
  fails: [deletionInProgress],
  async handle({ db, school, caller, changed, record }) {
    const memberId = caller.member.id
    await lockMember(db, school.id, memberId)
    if ((await cancelDeletion(db, school.id, memberId)) === 0) {
      if ((await findDeletion(db, school.id, memberId)) === undefined) return
      throw new Refusal(deletionInProgress, 'It is too late: the account is being deleted.')
    }
    await dropJob(db, school.id, DELETION_JOB, memberId)
    const id = toId('mem', memberId)
    changed({ ids: [id], fields: ['deletion'], memberId })
    record({ type: 'account.deletion_canceled', payload: { member_id: id } })
  },
})

/** The operations of account deletion, in the order of the documentation. */
export const deletionOperations = [getAccountDeletion, createAccountDeletion, cancelAccountDeletion]
