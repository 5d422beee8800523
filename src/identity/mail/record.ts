import type { Db } from '#src/contract/db.ts'
import type { MailAttachment, MailKind, MailValues } from '#src/contract/mail.ts'
import { purposeKey, seal } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertMail, insertMailTo, type NewMail } from './queries.ts'
import type { StoredValues } from './render.ts'
import { boundedRows } from './rows.ts'

/** A mail to record. Its values and attachments are deleted once it is sent. */
type MailPlan<Kind extends MailKind = MailKind> = {
  readonly kind: Kind
  readonly values?: MailValues
  /** The link of the mail: a path of the school, such as `/courses/rye`. */
  readonly link?: string
  /** At most 25, such as a date and the tickets of all seats; texts of at most 64 KB each. */
  readonly attachments?: readonly MailAttachment[]
}

/** A kind of mail that nobody can turn off. */
export type LastingKind = MailKind & { readonly mute?: undefined }

/** Values that only the recipient may read, and for how long they are valid. */
type MailSecrets = {
  readonly values: Readonly<Record<string, string>>
  readonly usefulSeconds: number
  readonly secret: string
}

const MAX_ATTACHMENTS = 25
const MAX_TEXT = 64 * 1024

/** The key and the context under which the secrets of a mail are sealed. */
export const mailSeal = (secret: string, schoolId: string, mailId: string) => ({
  key: purposeKey(secret, 'mail'),
  context: `mail:${schoolId}:${mailId}`,
})

const checkedAttachments = (attachments: readonly MailAttachment[]): readonly MailAttachment[] => {
  if (attachments.length > MAX_ATTACHMENTS) throw new Error(`a mail has at most ${MAX_ATTACHMENTS} attachments`)
  if (attachments.some(one => 'text' in one && Buffer.byteLength(one.text) > MAX_TEXT))
    throw new Error(`a text that is attached to a mail has at most ${MAX_TEXT} bytes`)
  return attachments
}

// A path alone, so that no mail of a school leads elsewhere.
const linkValue = (link: string | undefined): StoredValues => {
  if (link === undefined) return {}
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(link)) throw new Error('the link of a mail is a path of the school')
  return { path: link }
}

const storedValues = ({ values = {}, link }: MailPlan): StoredValues => {
  const bounded = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : boundedRows(value),
  ])
  return { ...Object.fromEntries(bounded), ...linkValue(link) }
}

const newMail = (schoolId: string, plan: MailPlan, now: Date, secrets: MailSecrets | undefined): NewMail => {
  const id = newUuid(now.getTime())
  const { name, mute } = plan.kind
  const attachments = checkedAttachments(plan.attachments ?? [])
  const base = { id, kind: name, mute, values: storedValues(plan), attachments }
  if (secrets === undefined) return { ...base, sealed: undefined, usefulSeconds: undefined }
  const { key, context } = mailSeal(secrets.secret, schoolId, id)
  return { ...base, sealed: seal(key, JSON.stringify(secrets.values), context), usefulSeconds: secrets.usefulSeconds }
}

/**
 * Records a mail with secrets to an address, in the transaction of its cause; with `shouldSend: false` no row is
 * stored.
 */
export const recordSecretMail = (
  db: Db,
  schoolId: string,
  mail: MailPlan<LastingKind> & {
    readonly to: string
    /** The member it is sent to, if there is one: erasing the member also erases the mail. */
    readonly memberId?: string | undefined
    readonly locale: string
    readonly shouldSend: boolean
    /** Whether it waits behind mails that are urgent. */
    readonly isBulk?: boolean
    readonly secrets: MailSecrets
  },
  now: Date,
): Promise<number> =>
  insertMail(db, schoolId, {
    ...newMail(schoolId, mail, now, mail.secrets),
    recipient: mail.to,
    memberId: mail.memberId,
    locale: mail.locale,
    shouldSend: mail.shouldSend,
    isBulk: mail.isBulk ?? false,
  })

/** Records a mail to a member, in the transaction of its cause; none where they turned off such mails. */
export const recordMail = (db: Db, schoolId: string, memberId: string, plan: MailPlan, now: Date): Promise<number> =>
  insertMailTo(db, schoolId, memberId, newMail(schoolId, plan, now, undefined))

/** Records a mail to the address of somebody without an account, in the transaction of its cause. */
export const recordMailTo = (
  db: Db,
  schoolId: string,
  { to, locale, ...plan }: MailPlan & { readonly to: string; readonly locale: string },
  now: Date,
): Promise<number> =>
  insertMail(db, schoolId, {
    ...newMail(schoolId, plan, now, undefined),
    recipient: to,
    memberId: undefined,
    locale,
    shouldSend: true,
  })
