import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of one's own comments, in every language; `{…}` is filled in. */
export const commentsText = {
  title: say('Your comments', 'Os seus comentários'),
  none: say('You have not written any comments.', 'Ainda não escreveu comentários.'),
  on: say('On {subject}', 'Em {subject}'),
  gone: say('Something that you can no longer read', 'Algo que já não pode ler'),
  statuses: {
    published: say('published', 'publicado'),
    pending: say('waits for approval', 'espera aprovação'),
    hidden: say('hidden', 'oculto'),
    deleted: say('deleted', 'apagado'),
  },
  hiddenFor: say('Hidden because: {reason}', 'Oculto porque: {reason}'),
  edit: say('Edit', 'Editar'),
  save: say('Save', 'Guardar'),
  delete: say('Delete', 'Apagar'),
  deleteAbout: say(
    'Its words are deleted for good. With replies, its place stays, without your name.',
    'O texto é apagado de vez. Se tiver respostas, o lugar fica, sem o seu nome.',
  ),
  next: say('Next page', 'Página seguinte'),
  write: {
    title: say('Write a comment', 'Escrever um comentário'),
    reply: say('Write a reply', 'Escrever uma resposta'),
    replyTo: say('In reply to {name}:', 'Em resposta a {name}:'),
    body: say('Your comment', 'O seu comentário'),
    hint: say(
      'Emphasis, lists, quotes, code and links in Markdown. Your name is shown with it.',
      'Ênfase, listas, citações, código e ligações em Markdown. O seu nome aparece com o texto.',
    ),
    approval: say(
      'The school reads first comments before they are published.',
      'A escola lê os primeiros comentários antes de os publicar.',
    ),
    button: say('Send', 'Enviar'),
    closed: say('Comments are closed here.', 'Os comentários estão fechados aqui.'),
    back: say('Back to {subject}', 'Voltar a {subject}'),
  },
  report: {
    title: say('Report a comment', 'Denunciar um comentário'),
    about: say(
      'The staff of the school decide what happens. The author does not learn who reported it.',
      'A equipa da escola decide o que acontece. Quem o escreveu não fica a saber quem denunciou.',
    ),
    reason: say('Reason', 'Motivo'),
    reasons: {
      spam: say('Advertising', 'Publicidade'),
      abuse: say('Insults or threats', 'Insultos ou ameaças'),
      personal_data: say('Personal data of somebody', 'Dados pessoais de alguém'),
      off_topic: say('Does not belong here', 'Não pertence aqui'),
      other: say('Something else', 'Outra coisa'),
    },
    note: say('What the staff should know (optional)', 'O que a equipa deve saber (opcional)'),
    button: say('Report', 'Denunciar'),
    invalid: say(
      'Please choose a reason, and write at most 1,000 characters.',
      'Escolha um motivo e escreva no máximo 1000 caracteres.',
    ),
  },
  done: {
    pending: say(
      'Your comment was sent. It is published once the school has approved it.',
      'O seu comentário foi enviado. É publicado quando a escola o aprovar.',
    ),
    edited: say('Your comment was changed.', 'O seu comentário foi alterado.'),
    deleted: say('Your comment was deleted.', 'O seu comentário foi apagado.'),
    reported: say('Thank you. The staff will read the comment.', 'Obrigado. A equipa vai ler o comentário.'),
  },
  refusals: {
    comments_closed: say('Comments are closed here.', 'Os comentários estão fechados aqui.'),
    commenting_muted: say(
      'The staff of the school have stopped you from commenting.',
      'A equipa da escola impediu-o de comentar.',
    ),
    comment_repeated: say('You have already written the same here.', 'Já escreveu o mesmo aqui.'),
    comment_not_editable: say(
      'It can no longer be edited: after 15 minutes, or once somebody has replied.',
      'Já não pode ser editado: passados 15 minutos, ou depois de haver uma resposta.',
    ),
    thread_full: say(
      'This thread is full. Write a new comment.',
      'Esta conversa está cheia. Escreva um novo comentário.',
    ),
    rate_limited: say(
      'You have done this too often. Please wait a moment.',
      'Fez isto demasiadas vezes. Espere um momento.',
    ),
    own_comment: say('This is your own comment.', 'Este comentário é seu.'),
    report_settled: say('The staff have already decided about it.', 'A equipa já decidiu sobre ele.'),
    precondition_failed: say('It has changed since you opened the page.', 'Mudou desde que abriu a página.'),
    invalid_body: say(
      'Please write something, in at most 5,000 characters.',
      'Escreva alguma coisa, no máximo com 5000 caracteres.',
    ),
    other: say('That is not possible now.', 'Isso não é possível agora.'),
  },
} as const
