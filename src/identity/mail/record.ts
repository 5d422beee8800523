import type { Db } from '#src/contract/db.ts'
import { purposeKey, seal } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertMail, insertMailTo, type NewMail } from './queries.ts'
import type { MailKind } from './text.ts'

/** The kind of a mail; `values` fill its sentences and are deleted once it is sent. */
type MailPlan = { readonly kind: MailKind; readonly values?: Readonly<Record<string, string>> }

/** Values that only the recipient may read, and for how long they are valid. */
type MailSecrets = {
  readonly values: Readonly<Record<string, string>>
  readonly usefulSeconds: number
  readonly secret: string
}

/** The key and the context under which the secrets of a mail are sealed. */
export const mailSeal = (secret: string, schoolId: string, mailId: string) => ({
  key: purposeKey(secret, 'mail'),
  context: `mail:${schoolId}:${mailId}`,
})

const newMail = (schoolId: string, plan: MailPlan, now: Date, secrets: MailSecrets | undefined): NewMail => {
  const id = newUuid(now.getTime())
  const base = { id, kind: plan.kind, values: plan.values ?? {} }
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
  mail: MailPlan & {
    readonly to: string
    /** The member it is sent to, if there is one: erasing the member also erases the mail. */
    readonly memberId?: string | undefined
    readonly locale: string
    readonly shouldSend: boolean
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
  })

/** Records a mail to a member, in the transaction of its cause. */
export const recordMail = (db: Db, schoolId: string, memberId: string, plan: MailPlan, now: Date): Promise<number> =>
  insertMailTo(db, schoolId, memberId, newMail(schoolId, plan, now, undefined))
