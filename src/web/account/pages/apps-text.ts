import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the page of connected apps says, in every language; `{…}` is filled in. */
export const appsText = {
  title: say('Connected apps', 'Aplicações ligadas'),
  intro: say(
    'These apps may use your account at this school, as you allowed. Names are what the apps call themselves.',
    'Estas aplicações podem usar a sua conta nesta escola, como permitiu. Os nomes são os que as aplicações se dão.',
  ),
  none: say('No app is connected to your account.', 'Nenhuma aplicação está ligada à sua conta.'),
  unnamed: say('An app without a name', 'Uma aplicação sem nome'),
  notVerified: say('not verified', 'não verificada'),
  verified: say('verified by the school', 'verificada pela escola'),
  vouchedFor: say('not verified by the school; it comes from {host}', 'não verificada pela escola; vem de {host}'),
  may: say('It may', 'Pode'),
  since: say('Connected on {day}', 'Ligada em {day}'),
  used: say('last used on {day}', 'usada pela última vez em {day}'),
  until: say('ends on {day} at the latest', 'termina o mais tardar em {day}'),
  disconnect: say('Disconnect', 'Desligar'),
  allTitle: say('Something looks wrong?', 'Algo não parece bem?'),
  allIntro: say(
    'You can disconnect every app at once. Each of them can ask you again.',
    'Pode desligar todas as aplicações de uma vez. Cada uma pode voltar a pedir-lhe acesso.',
  ),
  all: say('Disconnect all apps', 'Desligar todas as aplicações'),
  done: {
    app: say(
      'The app is disconnected: it can no longer use your account.',
      'A aplicação foi desligada: já não pode usar a sua conta.',
    ),
    all: say(
      'All apps are disconnected: none of them can use your account any more.',
      'Todas as aplicações foram desligadas: nenhuma pode usar a sua conta.',
    ),
  },
} as const
