import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The mail to the members whom a form names, at most once an hour; it has no answers in it. */
export const formMails = mailKinds({
  form_submissions: {
    subject: say('{title}: {count} new', '{title}: {count} novas'),
    paragraphs: [
      say(
        'The form “{title}” of {school} was submitted. New submissions: {count}. Of these, suspected of being spam: {suspected}.',
        'O formulário “{title}” de {school} foi preenchido. Novas respostas: {count}. Destas, suspeitas de lixo: {suspected}.',
      ),
      say('{link}', '{link}'),
    ],
  },
})
