import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the sign-in and consent pages say, in every language; `{…}` is filled in. */
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
    'Nothing was allowed: since that page was shown, somebody else signed in or something on it changed. Read it again and decide.',
    'Nada foi permitido: desde que a página foi mostrada, outra pessoa iniciou sessão ou algo nela mudou. Leia-a de novo e decida.',
  ),
  unnamed: say('an app without a name', 'uma aplicação sem nome'),
  school: say('School', 'Escola'),
  signedInAs: say('Signed in as', 'Sessão iniciada como'),
  app: say('App', 'Aplicação'),
  notVerified: say(
    'not verified: anybody can give an app this name',
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
    minutes: say('after {n} minutes, or earlier when you withdraw it', 'após {n} minutos, ou antes, se o retirar'),
    hours: say('after {n} hours, or earlier when you withdraw it', 'após {n} horas, ou antes, se o retirar'),
    days: say('after {n} days, or earlier when you withdraw it', 'após {n} dias, ou antes, se o retirar'),
  },
  afterHour: say('after about one hour', 'após cerca de uma hora'),
  reads: say('The app may see', 'A aplicação pode ver'),
  writes: say('The app may change', 'A aplicação pode alterar'),
  onlyIdentity: say(
    'The app only asks who you are at this school.',
    'A aplicação apenas pergunta quem é nesta escola.',
  ),
  notForRole: say('Not possible with your role at this school', 'Não é possível com a sua função nesta escola'),
  notAvailable: say('Not available yet', 'Ainda não disponível'),
  warning: say(
    'Allow this only if you have just started it yourself in an app on this computer. Nobody should ask you to copy the address you land on.',
    'Permita apenas se acabou de o iniciar numa aplicação neste computador. Ninguém lhe deve pedir para copiar o endereço a que chegar.',
  ),
  siteWarning: say(
    'Allow this only if you have just started it yourself. Nobody should ask you to copy the address you land on.',
    'Permita apenas se acabou de o iniciar. Ninguém lhe deve pedir para copiar o endereço a que chegar.',
  ),
  approve: say('Allow selected', 'Permitir o selecionado'),
  approveRead: say('Allow read access only', 'Permitir apenas leitura'),
  deny: say('Do not allow', 'Não permitir'),
  otherPerson: say('Not you? Sign in as somebody else', 'Não é você? Entrar com outra conta'),
} as const
