import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })
const account = say('{account}', '{account}')

/** The mails about the data and the deletion of an account. */
export const accountMails = mailKinds({
  export_ready: {
    subject: say('The copy of your data at {school} is ready', 'A cópia dos seus dados em {school} está pronta'),
    paragraphs: [
      say(
        'You requested a copy of all data that {school} stores about you. It is available until {until} in the app where you requested it.',
        'Pediu uma cópia de todos os dados que {school} guarda sobre si. Está disponível até {until} na aplicação onde a pediu.',
      ),
      say(
        'If you did not request it, disconnect the apps that you do not recognise:',
        'Se não a pediu, desligue as aplicações que não reconhece:',
      ),
      account,
    ],
  },
  deletion_begun: {
    subject: say('Your account at {school} will be deleted', 'A sua conta em {school} vai ser eliminada'),
    paragraphs: [
      say(
        'As you requested, your account and everything in it will be permanently deleted on {due}. Until then everything works as before.',
        'Como pediu, a sua conta e tudo o que ela contém serão eliminados definitivamente em {due}. Até lá tudo funciona como antes.',
      ),
      say(
        'If you change your mind, cancel the deletion before that day in the app where you requested it. If you did not request it, change your password immediately and contact the school by replying to this e-mail.',
        'Se mudar de ideias, anule o pedido antes desse dia na aplicação onde o fez. Se não fez este pedido, altere imediatamente a palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
  account_deleted: {
    subject: say('Your account at {school} was deleted', 'A sua conta em {school} foi eliminada'),
    paragraphs: [
      say(
        'As you requested, your account at {school} was deleted with all your personal data. Orders stay without your name. Invoices that were issued to you keep your name and address for as long as the law requires. Earlier backups contain your data until they are deleted.',
        'Como pediu, a sua conta em {school} foi eliminada com todos os seus dados pessoais. As encomendas ficam sem o seu nome. As faturas que lhe foram emitidas conservam o seu nome e morada durante o prazo que a lei exige. As cópias de segurança anteriores contêm os seus dados até serem eliminadas.',
      ),
      say('This is the last e-mail that we send you.', 'Esta é a última mensagem que lhe enviamos.'),
    ],
  },
})
