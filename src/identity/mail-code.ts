import type { Database } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { isEmail, isStorable } from '#src/kit/text.ts'
import {
  CODE_SECONDS,
  type CodeBinding,
  type CodeParts,
  type CodeRequest,
  consumeCode,
  issueCode,
} from './codes/index.ts'
import { type LastingKind, recordSecretMail } from './mail/index.ts'
import { hashPassword } from './passwords.ts'
import { findMemberByEmail, type Member } from './queries.ts'
import { readBrowser } from './session-cookies.ts'

/** Whether a code was sent, or how many seconds to wait; it does not reveal which mail was sent. */
export type CodeAnswer = { readonly kind: 'sent' } | { readonly kind: 'too_many'; readonly wait: number }

/** A request for a code, with the values that wait until the address is verified. */
type CodePlan = CodeBinding & {
  readonly email: string
  readonly locale: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly returnTo?: string | undefined
  readonly isRemembered?: boolean
  /** The key under which a code is stored that is not usable. */
  readonly linkKey?: string
}

/** What an address gets, by who has it. */
type CodeMail = {
  readonly isUsable: boolean
  /** Whether a mail is sent; by default where the code is usable. */
  readonly shouldSend?: boolean
  readonly kind: LastingKind
  /** What the mail contains; by default the code. */
  values?(code: string): Readonly<Record<string, string>>
}

/**
 * Stores a code and mails what `mailFor` decides, to a member in their language. Limits, statements and the one hash of a password
 * are the same whether or not the address has an account.
 */
export const mailCode = async (
  database: Database,
  school: School,
  parts: CodeParts,
  plan: CodePlan & Omit<CodeRequest, 'email'>,
  mailFor: (member: Member | undefined) => CodeMail,
): Promise<CodeAnswer> => {
  const wait = await consumeCode(database, school, plan)
  if (wait > 0) return { kind: 'too_many', wait }
  const { boundTo, purpose, email, password } = plan
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await database.transaction(school.id, async (db, now) => {
    const member = await findMemberByEmail(db, school.id, email)
    const { isUsable, shouldSend = isUsable, kind, values = code => ({ code }) } = mailFor(member)
    const code = await issueCode(db, school.id, parts, {
      boundTo,
      purpose,
      email,
      memberId: member?.id,
      name: plan.name,
      passwordHash,
      returnTo: plan.returnTo,
      isRemembered: plan.isRemembered,
      seconds: CODE_SECONDS,
      isUsable,
      linkKey: plan.linkKey,
    })
    const secrets = { values: values(code), usefulSeconds: CODE_SECONDS, secret: parts.secret }
    const to = { to: member?.email ?? email, memberId: member?.id, locale: member?.locale ?? plan.locale }
    await recordSecretMail(db, school.id, { kind, ...to, shouldSend, secrets }, now)
  })
  return { kind: 'sent' }
}

/** Why no code was requested; `wait` is in seconds. */
export type CodeRequestError = { readonly error: 'email' } | { readonly error: 'too_many_codes'; readonly wait: number }

/** Mails a code to the address in a form, for a browser in which the person may have signed in before. */
export const requestCode = async (
  request: EndpointRequest,
  parts: CodeParts,
  plan: CodePlan,
  mailFor: (member: Member | undefined) => CodeMail,
): Promise<CodeRequestError | undefined> => {
  const { school, database, network } = request
  if (!isEmail(plan.email) || !isStorable(plan.email)) return { error: 'email' }
  const { trustedDevice } = readBrowser(request)
  const answer = await mailCode(database, school, parts, { ...plan, network, trustedDevice }, mailFor)
  return answer.kind === 'too_many' ? { error: 'too_many_codes', wait: answer.wait } : undefined
}
