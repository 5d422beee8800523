import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages for signing in and out, in every language; `{…}` is filled in. */
export const signInText = {
  title: say('Sign in to {school}', 'Iniciar sessão em {school}'),
  intro: say('To see and change your account.', 'Para ver e alterar a sua conta.'),
  againTitle: say('Confirm your password', 'A sua palavra-passe mais uma vez'),
  againIntro: say(
    'You are signed in as {name} ({email}). The next step requires a recent sign-in, so please enter your password again.',
    'A sessão está iniciada como {name} ({email}). O passo seguinte exige uma nova verificação; introduza de novo a sua palavra-passe.',
  ),
  email: say('E-mail address', 'Endereço de e-mail'),
  password: say('Password', 'Palavra-passe'),
  signIn: say('Sign in', 'Iniciar sessão'),
  goOn: say('Continue', 'Continuar'),
  wrong: say(
    'The address or the password is not correct. Please try again.',
    'O endereço ou a palavra-passe não estão certos. Tente novamente.',
  ),
  wrongPassword: say(
    'The password is not correct. Please try again.',
    'A palavra-passe não está certa. Tente novamente.',
  ),
  tooMany: say(
    'Too many attempts. Please try again in {minutes} minutes.',
    'Demasiadas tentativas. Tente novamente dentro de {minutes} minutos.',
  ),
  forgotten: say('Forgot your password?', 'Esqueceu-se da palavra-passe?'),
  signUp: say('Create an account', 'Criar uma conta'),
  notYou: say('Not you?', 'Não é você?'),
  signOut: say('Sign out', 'Terminar sessão'),
  signedOutTitle: say('You are signed out', 'A sessão terminou'),
  signedOutText: say(
    'No data of your account stays in this browser. Your connected apps stay connected.',
    'Nada da sua conta fica neste navegador. As aplicações que ligou continuam ligadas.',
  ),
  signInAgain: say('Sign in again', 'Iniciar sessão de novo'),
} as const
