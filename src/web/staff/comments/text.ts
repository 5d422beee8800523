import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of comments, in every language; `{…}` is filled in. */
export const commentsText = {
  title: say('Comments', 'Comentários'),
  about: say('Read, approve, hide and answer comments', 'Ler, aprovar, ocultar e responder a comentários'),
  status: say('Status', 'Estado'),
  any: say('Any', 'Todos'),
  statuses: {
    published: say('published', 'publicado'),
    pending: say('waits for approval', 'espera aprovação'),
    hidden: say('hidden', 'oculto'),
    deleted: say('deleted', 'apagado'),
  },
  reported: say('Only reported ones', 'Só os denunciados'),
  unanswered: say('Only those without an answer', 'Só os que não têm resposta'),
  isReported: say('reported', 'denunciado'),
  none: say('No comments found.', 'Nenhum comentário encontrado.'),
  noWords: say('The words are deleted.', 'O texto foi apagado.'),
  hiddenFor: say('Hidden because: {reason}', 'Oculto porque: {reason}'),
  reply: say('Answer', 'Responder'),
  publish: say('Publish', 'Publicar'),
  hide: say('Hide', 'Ocultar'),
  hideAbout: say(
    'Its author can read the reason. With replies, its place stays.',
    'Quem o escreveu pode ler o motivo. Se tiver respostas, o lugar fica.',
  ),
  reason: say('Reason', 'Motivo'),
  delete: say('Delete for good', 'Apagar de vez'),
  deleteAbout: say('The words cannot be restored.', 'O texto não pode ser recuperado.'),
  reports: say('Reports', 'Denúncias'),
  outcomes: {
    kept: say('the comment stayed', 'o comentário ficou'),
    hidden: say('the comment was hidden', 'o comentário foi ocultado'),
    deleted: say('the comment was deleted', 'o comentário foi apagado'),
  },
  reasons: {
    spam: say('Advertising', 'Publicidade'),
    abuse: say('Insults or threats', 'Insultos ou ameaças'),
    personal_data: say('Personal data of somebody', 'Dados pessoais de alguém'),
    off_topic: say('Does not belong here', 'Não pertence aqui'),
    other: say('Something else', 'Outra coisa'),
  },
  settle: say('The comment stays', 'O comentário fica'),
  mute: say('Stop {name} from commenting', 'Impedir {name} de comentar'),
  muteReason: say('Why, for the staff', 'Porquê, para a equipa'),
  muted: say('Members who may not comment', 'Membros que não podem comentar'),
  unmute: say('Let them comment again', 'Deixar comentar de novo'),
  done: {
    publish: say('The comment is published.', 'O comentário está publicado.'),
    hide: say('The comment is hidden.', 'O comentário está oculto.'),
    delete: say('The comment was deleted.', 'O comentário foi apagado.'),
    settle: say(
      'The comment stays, and its reports are settled.',
      'O comentário fica e as denúncias estão resolvidas.',
    ),
    mute: say('The member may not comment any more.', 'O membro já não pode comentar.'),
    unmute: say('The member may comment again.', 'O membro pode comentar de novo.'),
  },
} as const

/** The sentences for refusals on this page. */
export const commentRefusals = {
  ...teachingText.refusals,
  invalid_state: say(
    'The comment is deleted, or the member is of the staff, so nothing was done.',
    'O comentário foi apagado, ou o membro é da equipa, por isso nada foi feito.',
  ),
  comment_repeated: say(
    'Its author has written the same again in the same place, so nothing was done.',
    'Quem o escreveu voltou a escrever o mesmo no mesmo lugar, por isso nada foi feito.',
  ),
  'invalid_body reason': say(
    'Please enter a reason, in at most 300 characters.',
    'Escreva um motivo, no máximo com 300 caracteres.',
  ),
} as const
