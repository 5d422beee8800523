import { mailKindsByName } from '#src/contract/mail.ts'
import { operation, type ReadContext } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { recordMail } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { declaredMailKinds } from './hooks.ts'
import { outboxMails } from './mails.ts'
import { countOutbox, findOutboxMail, listOutbox } from './queries.ts'
import { MailRef, OutboxMailText, OutboxPage, OutboxQuery } from './schema.ts'
import { mailView, textView } from './views.ts'

const kindsAt = async ({ db, school }: Pick<ReadContext, 'db' | 'school'>) =>
  mailKindsByName((await declaredMailKinds.call(undefined, { db, school })).flat())

const listOutboxMails = operation({
  id: 'listOutboxMails',
  summary: 'List mails of the school',
  description:
    'Lists the mails that the school has to send or has sent in the last 30 days, newest first, without their texts.',
  who: 'staff',
  mode: 'read',
  query: OutboxQuery,
  returns: OutboxPage,
  async handle(context) {
    const { db, school, query } = context
    const { rows, after } = parsePage(context)
    const filter = { state: query.state, memberId: query.member_id }
    const kinds = await kindsAt(context)
    const found = await listOutbox(db, school.id, filter, { rows, before: after?.[0] })
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: all => all.map(row => mailView(row, school, kinds)),
      total: () => countOutbox(db, school.id, filter),
    })
  },
})

const getOutboxMail = operation({
  id: 'getOutboxMail',
  summary: 'Get a mail of the school',
  description:
    'Returns a mail with its text, as long as it waits, was written to a file or could not be delivered. Codes and links that sign somebody in are never in it.',
  who: 'owner',
  mode: 'read',
  params: MailRef,
  returns: OutboxMailText,
  example: { params: { mail_id: toId('eml', '00000000-0000-7000-8000-000000000000') } },
  async handle(context) {
    const { db, school, params } = context
    const row = await findOutboxMail(db, school.id, params.mail_id)
    if (row === undefined) throw new Refusal(notFound, 'There is no such mail.')
    return textView(row, school, await kindsAt(context))
  },
})

const sendTestMail = operation({
  id: 'sendTestMail',
  summary: 'Send a test message to yourself',
  description:
    'Sends a message to your own address. Once a mail server has accepted it, the school knows that its mails are sent, and from which address.',
  who: 'staff',
  mode: 'write',
  returns: undefined,
  rateLimit: { times: 10, seconds: 3600, by: 'member' },
  fails: [invalidState],
  async handle({ db, school, caller, now, changed, record }) {
    if (caller.member === undefined) throw new Refusal(invalidState, 'The operator has no address here.')
    await recordMail(db, school.id, caller.member.id, { kind: outboxMails.mail_test }, now)
    changed({ ids: [toId('scl', school.id)], fields: ['mail_test'] })
    record({ type: 'school.test_mail_sent', payload: { member_id: toId('mem', caller.member.id) } })
    return undefined
  },
})

/** The operations of the outbox; no app can call them. */
export const operations = [listOutboxMails, getOutboxMail, sendTestMail]
