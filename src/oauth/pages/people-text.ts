import type { Phrase } from '#src/contract/language.ts'
import { formErrors } from '#src/identity/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the pages for sign-up, invitation, reset and verification say, in every language; `{…}` is filled in. */
export const peopleText = {
  signUpAt: say('Create an account at {school}', 'Criar uma conta em {school}'),
  signUpIntro: say(
    'We send a code to your address; you type it on the next page.',
    'Enviamos um código para o seu endereço; escreve-o na página seguinte.',
  ),
  inviteOnly: say(
    'Accounts at this school are by invitation. Use the address to which you were invited; others get no code.',
    'As contas nesta escola são por convite. Use o endereço para o qual foi convidado; outros não recebem código.',
  ),
  closed: say(
    'This school does not take new accounts. If you have one already, sign in.',
    'Esta escola não aceita novas contas. Se já tem uma, inicie sessão.',
  ),
  name: say('Your name', 'O seu nome'),
  email: say('E-mail address', 'Endereço de e-mail'),
  newPassword: say('New password', 'Nova palavra-passe'),
  passwordHint: say(
    'At least 10 characters; a sentence only you would write is best.',
    'Pelo menos 10 caracteres; o melhor é uma frase que só você escreveria.',
  ),
  sendCode: say('Send me a code', 'Enviar-me um código'),
  haveAccount: say('Sign in with an account you have', 'Iniciar sessão com uma conta que já tem'),
  noAccount: say('Create an account', 'Criar uma conta'),
  forgotten: say('Forgotten your password?', 'Esqueceu-se da palavra-passe?'),
  codeTitle: say('Type the code from the mail', 'Escreva o código da mensagem'),
  codeIntro: say(
    'We have sent a mail to {email}. It has a code of six digits that holds for 15 minutes. Look into the spam folder too.',
    'Enviámos uma mensagem para {email}. Traz um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
  ),
  resetCodeIntro: say(
    'If {email} has an account here, a mail with a code of six digits is on its way. It holds for 15 minutes. Look into the spam folder too.',
    'Se {email} tiver conta aqui, vai receber uma mensagem com um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
  ),
  code: say('Code of six digits', 'Código de seis algarismos'),
  goOn: say('Continue', 'Continuar'),
  again: say('Another address, or a new code', 'Outro endereço ou um novo código'),
  resetTitle: say('Set a new password', 'Definir uma nova palavra-passe'),
  resetIntro: say(
    'We send a code to your address. Setting a new password signs you out everywhere else and disconnects all apps.',
    'Enviamos um código para o seu endereço. Definir uma nova palavra-passe termina as outras sessões e desliga todas as aplicações.',
  ),
  setPassword: say('Set the password', 'Definir a palavra-passe'),
  verifyTitle: say('Confirm your address', 'Confirmar o seu endereço'),
  verifyIntro: say(
    'We send a code to {email}, to be sure that it is yours.',
    'Enviamos um código para {email}, para ter a certeza de que é seu.',
  ),
  verifyOffer: say('Confirm your e-mail address', 'Confirmar o seu endereço de e-mail'),
  verifyLater: say('Not now', 'Agora não'),
  invitationTitle: say('Welcome to {school}', 'Bem-vindo a {school}'),
  invitationIntro: say(
    'You were invited as {email}. Type the code from the mail, and choose your name and a password.',
    'Foi convidado como {email}. Escreva o código da mensagem e escolha o seu nome e uma palavra-passe.',
  ),
  accept: say('Make my account', 'Criar a minha conta'),
  invitationDone: say('Your account is ready', 'A sua conta está pronta'),
  invitationNext: say(
    'You can close this window and sign in wherever you are asked to.',
    'Pode fechar esta janela e iniciar sessão onde lhe for pedido.',
  ),
  faults: {
    ...formErrors,
    taken: say(
      'This address has an account already. Sign in with it.',
      'Este endereço já tem uma conta. Inicie sessão com ela.',
    ),
    stale: say(
      'Nothing was done: since that page was shown, somebody else signed in. You are now signed in as {email}.',
      'Nada foi feito: desde que a página foi mostrada, outra pessoa iniciou sessão. A sessão é agora de {email}.',
    ),
  },
} as const

/** What can be wrong with what a person typed. */
export type PeopleFault = keyof typeof peopleText.faults
