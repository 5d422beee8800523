import { area } from '#src/contract/area.ts'
import { linkButton, type MailChoice, mailKinds, marketing } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { recordMail } from '#src/identity/index.ts'
import type { PersonName, TestApp } from './app.ts'

/** A choice that the product does not have. */
const reminders: MailChoice = {
  key: 'test_reminders',
  title: { en: 'Reminders of a test', pt: 'Lembretes de um teste' },
  description: 'Reminders',
}

/** Kinds of mail as an area declares them: one that nobody can turn off, one of marketing, and one with a choice of its own. */
export const testMails = mailKinds({
  test_receipt: {
    subject: { en: 'Receipt of {school}', pt: 'Recibo de {school}' },
    paragraphs: [
      { en: 'You bought, {name}:', pt: 'Comprou, {name}:' },
      {
        rows: 'lines',
        columns: [{ heading: { en: 'Item', pt: 'Artigo' } }, { heading: { en: 'Amount', pt: 'Valor' }, align: 'end' }],
      },
      linkButton({ en: 'See it', pt: 'Ver' }),
    ],
  },
  test_news: {
    mute: marketing,
    subject: { en: 'News of {school}', pt: 'Novidades de {school}' },
    paragraphs: [{ en: 'There is news.', pt: 'Há novidades.' }],
  },
  test_reminder: {
    mute: reminders,
    subject: { en: 'Reminder of {school}', pt: 'Lembrete de {school}' },
    paragraphs: [{ en: 'Remember.', pt: 'Lembre-se.' }],
  },
})

/** An area that declares these kinds. */
export const testMailArea = area({ name: 'test-mails', operations: [], mails: Object.values(testMails) })

type Plan = Parameters<typeof recordMail>[3]

/** Records a mail to a person of the named world, as an area does; returns how many were recorded. */
export const mailTo = async (app: TestApp, name: PersonName, plan: Plan, school: School = app.a): Promise<number> => {
  const [member] = await app.database.query<{ id: string }>(
    'select id from members where school_id = $1 and email = $2',
    [school.id, people[name].email],
  )
  return app.database
    .elsewhere()
    .transaction(school.id, (db, now) => recordMail(db, school.id, String(member?.id), plan, now))
}
