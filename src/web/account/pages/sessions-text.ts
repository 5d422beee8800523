import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the page of sessions says, in every language; `{…}` is filled in. */
export const sessionsText = {
  title: say('Where you are signed in', 'Onde tem sessão iniciada'),
  intro: say(
    'These browsers can open your account. Sign out those you do not know, and change your password then.',
    'Estes navegadores podem abrir a sua conta. Termine a sessão nos que não conhece e mude depois a palavra-passe.',
  ),
  unknown: say('A browser that did not say what it is', 'Um navegador que não disse qual é'),
  here: say('this browser', 'este navegador'),
  since: say('Signed in since {time}', 'Sessão iniciada desde {time}'),
  last: say('password last typed {time}', 'palavra-passe escrita pela última vez em {time}'),
  end: say('Sign out', 'Terminar sessão'),
  others: say('Sign out everywhere else', 'Terminar todas as outras sessões'),
  done: {
    one: say('That browser is signed out.', 'A sessão nesse navegador terminou.'),
    others: say('You are signed out everywhere else.', 'Todas as outras sessões terminaram.'),
  },
} as const
