import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of connected apps, in every language; `{…}` is filled in. */
export const appsText = {
  title: say('Connected apps', 'Aplicações ligadas'),
  intro: say(
    'You have allowed these apps to use your account at this school. The apps choose their names themselves.',
    'Permitiu a estas aplicações o uso da sua conta nesta escola. As próprias aplicações escolhem os seus nomes.',
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
    'You can disconnect all apps at once. Each of them can ask you for access again.',
    'Pode desligar todas as aplicações de uma vez. Cada uma pode voltar a pedir-lhe acesso.',
  ),
  all: say('Disconnect all apps', 'Desligar todas as aplicações'),
  done: {
    app: say(
      'The app is disconnected: it can no longer use your account.',
      'A aplicação foi desligada: já não pode usar a sua conta.',
    ),
    all: say(
      'All apps are disconnected: none of them can use your account.',
      'Todas as aplicações foram desligadas: nenhuma pode usar a sua conta.',
    ),
  },
} as const
