import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages for creating an account, in every language; `{…}` is filled in. */
export const signUpText = {
  title: say('Create an account at {school}', 'Criar uma conta em {school}'),
  intro: say(
    'We send a code to your address to confirm that it is yours; enter it on the next page.',
    'Enviamos um código para o seu endereço, para confirmar que é seu; introduza-o na página seguinte.',
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
  password: say('New password', 'Nova palavra-passe'),
  send: say('Send me a code', 'Enviar-me um código'),
  haveAccount: say('Sign in with an existing account', 'Iniciar sessão com uma conta que já tem'),
  codeIntro: say(
    'We have sent an e-mail to {email}. It contains a six-digit code that is valid for 15 minutes. Check your spam folder too.',
    'Enviámos uma mensagem para {email}. Contém um código de seis algarismos, válido durante 15 minutos. Veja também a pasta de spam.',
  ),
  button: say('Create my account', 'Criar a minha conta'),
} as const
