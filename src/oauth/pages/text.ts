import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the sign-in and consent pages, in every language; `{…}` is filled in. */
export const text = {
  signIn: say('Sign in', 'Iniciar sessão'),
  signInAt: say('Sign in to {school}', 'Iniciar sessão em {school}'),
  signInFor: say(
    'The app {client} asks for access to your account at this school. Sign in first; you decide on the next page.',
    'A aplicação {client} pede acesso à sua conta nesta escola. Inicie primeiro a sessão; decide na página seguinte.',
  ),
  email: say('E-mail address', 'Endereço de e-mail'),
  password: say('Password', 'Palavra-passe'),
  wrong: say(
    'The address or the password is not correct. Please try again.',
    'O endereço ou a palavra-passe não estão certos. Tente novamente.',
  ),
  tooMany: say(
    'Too many attempts. Please try again in {minutes} minutes.',
    'Demasiadas tentativas. Tente novamente dentro de {minutes} minutos.',
  ),
  consentTitle: say('Allow {client} to access your account?', 'Permitir a {client} o acesso à sua conta?'),
  stale: say(
    'Nothing was allowed: after that page was shown, another person signed in or something on it changed. Read it again and decide.',
    'Nada foi permitido: depois de a página ser mostrada, outra pessoa iniciou sessão ou algo nela mudou. Leia-a de novo e decida.',
  ),
  unnamed: say('an app without a name', 'uma aplicação sem nome'),
  school: say('School', 'Escola'),
  signedInAs: say('Signed in as', 'Sessão iniciada como'),
  app: say('App', 'Aplicação'),
  notVerified: say(
    'not verified: anyone can give an app this name',
    'não verificada: qualquer pessoa pode dar este nome a uma aplicação',
  ),
  vouchedFor: say(
    'vouched for by {host}, the address of its document; not verified by the school',
    'garantida por {host}, o endereço do seu documento; não verificada pela escola',
  ),
  verified: say('verified by the school', 'verificada pela escola'),
  goesTo: say('Goes to', 'Segue para'),
  thisComputer: say('an app on this computer ({host})', 'uma aplicação neste computador ({host})'),
  site: say('the web site {host}', 'o sítio Web {host}'),
  until: say('Access ends', 'O acesso termina'),
  after: {
    minutes: say(
      'after {n} minutes, or earlier if you disconnect the app',
      'após {n} minutos, ou antes, se desligar a aplicação',
    ),
    hours: say(
      'after {n} hours, or earlier if you disconnect the app',
      'após {n} horas, ou antes, se desligar a aplicação',
    ),
    days: say(
      'after {n} days, or earlier if you disconnect the app',
      'após {n} dias, ou antes, se desligar a aplicação',
    ),
  },
  afterHour: say('after about one hour', 'após cerca de uma hora'),
  reads: say('The app may see', 'A aplicação pode ver'),
  writes: say('The app may change', 'A aplicação pode alterar'),
  onlyIdentity: say(
    'The app only requests to know who you are at this school.',
    'A aplicação pede apenas para saber quem é nesta escola.',
  ),
  notForRole: say('Not possible with your role at this school', 'Não é possível com a sua função nesta escola'),
  notAvailable: say('Not available yet', 'Ainda não disponível'),
  warning: say(
    'Allow this only if you have just started it yourself in an app on this computer. Never copy the address of the next page for someone else.',
    'Permita apenas se acabou de o iniciar numa aplicação neste computador. Nunca copie o endereço da página seguinte para outra pessoa.',
  ),
  siteWarning: say(
    'Allow this only if you have just started it yourself. Never copy the address of the next page for someone else.',
    'Permita apenas se acabou de o iniciar. Nunca copie o endereço da página seguinte para outra pessoa.',
  ),
  approve: say('Allow selected', 'Permitir o selecionado'),
  approveRead: say('Allow read access only', 'Permitir apenas leitura'),
  deny: say('Do not allow', 'Não permitir'),
  otherPerson: say('Not you? Sign in with another account', 'Não é você? Entrar com outra conta'),
} as const
