import { toLanguage } from '#src/contract/language.ts'
import { listNames, type MailKind } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { formatWeekdayTime } from '#src/kit/format.ts'
import { renderMail, type StoredValues } from './render.ts'

/** What the outbox shows of a mail. */
type ShownMail = { readonly subject: string; readonly text: string; readonly hasSecrets: boolean }

/** Stands for what only the recipient may read, and for what is not stored any more. */
const HIDDEN = '…'

// The values by which somebody signs in, when they are not stored in the open.
const SECRETS = ['code', 'link']

/**
 * A mail as the outbox shows it: its subject and its text from what is stored, without secrets, which are sealed and never
 * read for this, and without the link that turns mails off.
 */
export const showMail = (
  kind: MailKind,
  {
    locale,
    values,
    recorded_at: at,
  }: { readonly locale: string; readonly values: StoredValues; readonly recorded_at: Date },
  school: Pick<School, 'name' | 'siteOrigin' | 'timeZone'>,
): ShownMail => {
  const path = values.path
  const names = listNames(kind)
  const known: StoredValues = {
    ...values,
    ...(path === undefined ? {} : { link: `${school.siteOrigin}${path}` }),
    school: school.name,
    account: `${school.siteOrigin}/account`,
    recorded: formatWeekdayTime(at, school.timeZone, toLanguage(locale)),
  }
  const missing = names.filter(name => known[name] === undefined)
  const hidden = Object.fromEntries(missing.map(name => [name, HIDDEN]))
  const { subject, text } = renderMail(kind, locale, { ...hidden, ...known })
  const hasSecrets = missing.some(name => SECRETS.includes(name))
  return { subject, text, hasSecrets }
}
