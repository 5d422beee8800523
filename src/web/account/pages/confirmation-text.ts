import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page on which a person approves the request of an app, in every language; `{…}` is filled in. */
export const confirmationText = {
  title: say('Approve the request of {client}?', 'Aprovar o pedido de {client}?'),
  decided: {
    approved: say('Approved', 'Aprovado'),
    rejected: say('Rejected', 'Rejeitado'),
    expired: say('Not decided in time', 'Não decidido a tempo'),
    failed: say('Could not be done', 'Não pôde ser executado'),
  },
  unnamed: say('an app without a name', 'uma aplicação sem nome'),
  school: say('School', 'Escola'),
  signedInAs: say('Signed in as', 'Sessão iniciada como'),
  app: say('App', 'Aplicação'),
  verified: say('verified by the school', 'verificada pela escola'),
  notVerified: say(
    'not verified: anyone can give an app this name',
    'não verificada: qualquer pessoa pode dar este nome a uma aplicação',
  ),
  operation: say('Asks to', 'Pede para'),
  things: say('Concerns', 'Diz respeito a'),
  effects: say('What will happen', 'O que vai acontecer'),
  until: say('Decide until', 'Decida até'),
  warning: say(
    'Nothing has happened yet. Approve only what you expected: it takes effect immediately, in your name.',
    'Ainda nada aconteceu. Aprove apenas o que esperava: é feito de imediato, em seu nome.',
  ),
  approve: say('Approve', 'Aprovar'),
  reject: say('Reject', 'Rejeitar'),
  problem: say('Why', 'Motivo'),
  statuses: {
    approved: say('You approved this, and it was done.', 'Aprovou este pedido e ele foi executado.'),
    rejected: say('You rejected this. Nothing was done.', 'Rejeitou este pedido. Nada foi feito.'),
    expired: say(
      'This was not decided in time. Nothing was done; the app can ask again.',
      'Este pedido não foi decidido a tempo. Nada foi feito; a aplicação pode voltar a pedir.',
    ),
    failed: say(
      'You approved this, but it could no longer be done. Nothing was changed; the app can ask again.',
      'Aprovou este pedido, mas ele já não pôde ser executado. Nada foi alterado; a aplicação pode voltar a pedir.',
    ),
  },
  account: say('Your account', 'A sua conta'),
} as const
