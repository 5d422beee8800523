import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of reviews, in every language; `{…}` is filled in. */
export const reviewsText = {
  title: say('Reviews', 'Opiniões'),
  about: say(
    'Read, publish, hide and answer what learners write',
    'Ler, publicar, ocultar e responder ao que os alunos escrevem',
  ),
  status: say('Status', 'Estado'),
  any: say('Any', 'Todas'),
  statuses: {
    pending: say('waits for approval', 'espera aprovação'),
    published: say('published', 'publicada'),
    hidden: say('hidden', 'oculta'),
  },
  none: say('No reviews found.', 'Nenhuma opinião encontrada.'),
  stars: say('{n} of 5', '{n} em 5'),
  hiddenFor: say('Hidden because: {reason}', 'Oculta porque: {reason}'),
  replyOf: say('Reply of {name}', 'Resposta de {name}'),
  publish: say('Publish', 'Publicar'),
  hide: say('Hide', 'Ocultar'),
  hideAbout: say(
    'A hidden review is not public and does not count. Its author can read the reason.',
    'Uma opinião oculta não é pública e não conta. Quem a escreveu pode ler o motivo.',
  ),
  reason: say('Reason', 'Motivo'),
  reply: say('Reply', 'Responder'),
  changeReply: say('Change the reply', 'Mudar a resposta'),
  replyText: say('Your reply, which everybody can read', 'A sua resposta, que todos podem ler'),
  saveReply: say('Save the reply', 'Guardar a resposta'),
  deleteReply: say('Delete the reply', 'Apagar a resposta'),
  done: {
    publish: say('The review is published.', 'A opinião está publicada.'),
    hide: say('The review is hidden.', 'A opinião está oculta.'),
    reply: say('The reply is saved.', 'A resposta está guardada.'),
    delete_reply: say('The reply was deleted.', 'A resposta foi apagada.'),
  },
} as const

/** The sentences for refusals on this page. */
export const reviewRefusals = {
  ...teachingText.refusals,
  precondition_failed: say(
    'The review has changed since you opened the page, so nothing was done. Read it again.',
    'A opinião mudou desde que abriu a página, por isso nada foi feito. Leia-a de novo.',
  ),
  invalid_parameter: say(
    'Please enter a reason, in at most 300 characters.',
    'Escreva um motivo, no máximo com 300 caracteres.',
  ),
  'invalid_body body': say(
    'Please enter a reply, in at most 5,000 characters.',
    'Escreva uma resposta, no máximo com 5000 caracteres.',
  ),
} as const
