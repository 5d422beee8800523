import type { Phrase } from '#src/contract/language.ts'
import { mailKinds } from '#src/contract/mail.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const code = say('{code}', '{code}')
const link = say('{link}', '{link}')
const account = say('{account}', '{account}')
const codeValidity = say(
  'The code is valid for 15 minutes, works once, and only in the browser where you requested it. Never share it with anyone.',
  'O código é válido durante 15 minutos, só pode ser usado uma vez e apenas no navegador onde o pediu. Nunca o partilhe com ninguém.',
)
const notYou = say(
  'If you did not request this, you can ignore this e-mail: nothing has changed.',
  'Se não fez este pedido, pode ignorar esta mensagem: nada mudou.',
)
const seeApps = say(
  'See your connected apps, and disconnect those you no longer use:',
  'Veja as aplicações ligadas à sua conta e desligue as que já não usa:',
)

/** The mails about codes and the security of an account, which nobody can turn off. */
export const mails = mailKinds({
  address_code: {
    subject: say('Your code for {school}', 'O seu código para {school}'),
    paragraphs: [
      say('Enter this code on the page where you requested it:', 'Introduza este código na página onde o pediu:'),
      code,
      codeValidity,
      notYou,
    ],
  },
  account_exists: {
    subject: say('You already have an account at {school}', 'Já tem uma conta em {school}'),
    paragraphs: [
      say(
        'Someone, probably you, tried to create an account at {school} with this address. The address already has an account, so no new account was created.',
        'Alguém, provavelmente você, tentou criar uma conta em {school} com este endereço. O endereço já tem uma conta, por isso não foi criada outra.',
      ),
      say(
        'To sign in, go back and choose “Sign in”. If you forgot your password, choose “Forgot your password?” on that page and set a new one.',
        'Para entrar, volte atrás e escolha «Iniciar sessão». Se se esqueceu da palavra-passe, escolha «Esqueceu-se da palavra-passe?» nessa página e defina uma nova.',
      ),
      notYou,
    ],
  },
  invitation: {
    subject: say('You are invited to {school}', 'Foi convidado para {school}'),
    paragraphs: [
      say('{school} has invited you. Open this page:', '{school} convidou-o. Abra esta página:'),
      link,
      say('Enter this code there:', 'Introduza lá este código:'),
      code,
      say(
        'The invitation is valid for 7 days. If you did not expect it, you can ignore this e-mail.',
        'O convite é válido durante 7 dias. Se não o esperava, pode ignorar esta mensagem.',
      ),
    ],
  },
  reset: {
    subject: say('Set a new password at {school}', 'Definir uma nova palavra-passe em {school}'),
    paragraphs: [
      say(
        'Enter this code on the page where you requested it, and choose a new password there:',
        'Introduza este código na página onde o pediu e escolha lá uma nova palavra-passe:',
      ),
      code,
      codeValidity,
      notYou,
    ],
  },
  password_changed: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else, and your connected apps were disconnected.',
        'A palavra-passe da sua conta foi alterada. As outras sessões terminaram e as aplicações ligadas foram desligadas.',
      ),
      seeApps,
      account,
      say(
        'If this was not you, set a new password immediately and contact the school by replying to this e-mail.',
        'Se não foi você, defina imediatamente uma nova palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
    ],
  },
  password_replaced: {
    subject: say('Your password at {school} was changed', 'A sua palavra-passe em {school} foi alterada'),
    paragraphs: [
      say(
        'The password of your account was changed. You were signed out everywhere else. Your connected apps stay connected.',
        'A palavra-passe da sua conta foi alterada. As outras sessões terminaram. As aplicações ligadas continuam ligadas.',
      ),
      seeApps,
      account,
      say(
        'If this was not you, set a new password immediately and contact the school by replying to this e-mail.',
        'Se não foi você, defina imediatamente uma nova palavra-passe e contacte a escola respondendo a esta mensagem.',
      ),
    ],
  },
  address_taken: {
    subject: say('Your address is already in use at {school}', 'O seu endereço já está em uso em {school}'),
    paragraphs: [
      say(
        'Someone, probably you, tried to use this address for another account at {school}. The address already belongs to your account, so nothing was changed.',
        'Alguém, provavelmente você, tentou usar este endereço noutra conta em {school}. O endereço já pertence à sua conta, por isso nada mudou.',
      ),
      notYou,
    ],
  },
  email_changed: {
    subject: say('Your e-mail address at {school} was changed', 'O seu endereço de e-mail em {school} foi alterado'),
    paragraphs: [
      say('The address of your account is now {email}.', 'O endereço da sua conta é agora {email}.'),
      say(
        'If this was not you, contact the school immediately by replying to this e-mail.',
        'Se não foi você, contacte imediatamente a escola respondendo a esta mensagem.',
      ),
      account,
    ],
  },
})
