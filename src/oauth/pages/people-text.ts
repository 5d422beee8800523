import type { Phrase } from '#src/contract/language.ts'
import { formErrors } from '#src/identity/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages for sign-up, invitation, reset and verification, in every language; `{…}` is filled in. */
export const peopleText = {
  signUpAt: say('Create an account at {school}', 'Criar uma conta em {school}'),
  signUpIntro: say(
    'We send a code to your address; enter it on the next page.',
    'Enviamos um código para o seu endereço; introduza-o na página seguinte.',
  ),
  inviteOnly: say(
    'Accounts at this school are by invitation only. Use the address to which you were invited; other addresses get no code.',
    'As contas nesta escola são apenas por convite. Use o endereço para o qual foi convidado; outros não recebem código.',
  ),
  closed: say(
    'This school does not accept new accounts. If you already have one, sign in.',
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
  haveAccount: say('Sign in with an existing account', 'Iniciar sessão com uma conta que já tem'),
  noAccount: say('Create an account', 'Criar uma conta'),
  forgotten: say('Forgot your password?', 'Esqueceu-se da palavra-passe?'),
  codeTitle: say('Enter the code from the e-mail', 'Introduza o código da mensagem'),
  codeIntro: say(
    'We have sent an e-mail to {email}. It contains a six-digit code that is valid for 15 minutes. Check your spam folder too.',
    'Enviámos uma mensagem para {email}. Contém um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
  ),
  resetCodeIntro: say(
    'If {email} has an account here, you will receive an e-mail with a six-digit code that is valid for 15 minutes. Check your spam folder too.',
    'Se {email} tiver conta aqui, vai receber uma mensagem com um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
  ),
  code: say('Six-digit code', 'Código de seis algarismos'),
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
    'We send a code to {email} to confirm that the address is yours.',
    'Enviamos um código para {email} para confirmar que o endereço é seu.',
  ),
  verifyOffer: say('Confirm your e-mail address', 'Confirmar o seu endereço de e-mail'),
  verifyLater: say('Not now', 'Agora não'),
  invitationTitle: say('Welcome to {school}', 'Bem-vindo a {school}'),
  invitationIntro: say(
    'You were invited as {email}. Enter the code from the e-mail, and choose your name and a password.',
    'Foi convidado como {email}. Introduza o código da mensagem e escolha o seu nome e uma palavra-passe.',
  ),
  accept: say('Create my account', 'Criar a minha conta'),
  errors: {
    ...formErrors,
    taken: say(
      'This address already has an account. Sign in with it.',
      'Este endereço já tem uma conta. Inicie sessão com ela.',
    ),
    stale: say(
      'Nothing was changed: another person signed in after that page was shown. You are now signed in as {email}.',
      'Nada foi alterado: depois de a página ser mostrada, outra pessoa iniciou sessão. A sessão é agora de {email}.',
    ),
  },
} as const

/** The errors of the forms on these pages. */
export type PeopleError = keyof typeof peopleText.errors
