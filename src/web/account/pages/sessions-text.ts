import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of sessions, in every language; `{…}` is filled in. */
export const sessionsText = {
  title: say('Where you are signed in', 'Onde tem sessão iniciada'),
  intro: say(
    'You are signed in to your account in these browsers. Sign out those that you do not recognise, and then change your password.',
    'Tem a sessão da sua conta iniciada nestes navegadores. Termine a sessão nos que não reconhece e mude depois a palavra-passe.',
  ),
  unknown: say('Unknown browser', 'Navegador desconhecido'),
  here: say('this browser', 'este navegador'),
  since: say('Signed in since {time}', 'Sessão iniciada desde {time}'),
  last: say('password last entered {time}', 'palavra-passe introduzida pela última vez em {time}'),
  end: say('Sign out', 'Terminar sessão'),
  others: say('Sign out everywhere else', 'Terminar todas as outras sessões'),
  done: {
    one: say('That browser is signed out.', 'A sessão nesse navegador terminou.'),
    others: say('You are signed out everywhere else.', 'Todas as outras sessões terminaram.'),
  },
} as const
