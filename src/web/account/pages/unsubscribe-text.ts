import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages on which a person turns off e-mails, in every language; `{…}` is filled in. */
export const unsubscribeText = {
  title: say('Turn off e-mails', 'Desativar mensagens'),
  what: say('{school} sends you these e-mails: {mails}.', '{school} envia-lhe estas mensagens: {mails}.'),
  others: say(
    'You will still receive codes, receipts and e-mails about the security of your account.',
    'Continuará a receber códigos, recibos e mensagens sobre a segurança da sua conta.',
  ),
  button: say('Turn off these e-mails', 'Desativar estas mensagens'),
  done: say('These e-mails are turned off: {mails}.', 'Estas mensagens estão desativadas: {mails}.'),
  emails: {
    title: say('E-mails you receive', 'Mensagens que recebe'),
    intro: say('Choose which e-mails {school} sends you.', 'Escolha as mensagens que {school} lhe envia.'),
    button: say('Save', 'Guardar'),
  },
} as const
