import { hook } from '#src/contract/hook.ts'
import type { MailKind } from '#src/contract/mail.ts'

/** The kinds of mail of the whole application, whose texts fill in what is stored of a mail. */
export const declaredMailKinds = hook<undefined, readonly MailKind[]>('declaredMailKinds')
