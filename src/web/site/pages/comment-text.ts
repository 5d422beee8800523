import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of comments below a page, in every language; `{…}` is filled in. */
export const commentText = {
  title: say('Comments', 'Comentários'),
  write: say('Write a comment', 'Escrever um comentário'),
  reply: say('Reply', 'Responder'),
  replyTo: say('Reply to {name}', 'Responder a {name}'),
  report: say('Report', 'Denunciar'),
  reportOf: say('Report the comment of {name}', 'Denunciar o comentário de {name}'),
  gone: say('This comment is no longer here.', 'Este comentário já não está aqui.'),
  newest: say('The newest 100 comments are shown.', 'São mostrados os 100 comentários mais recentes.'),
  edited: say('edited', 'editado'),
  roles: { lecturer: say('lecturer', 'docente'), staff: say('school', 'escola') },
} as const
