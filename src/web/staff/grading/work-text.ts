import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one submitted work, in every language; `{…}` is filled in. */
export const workText = {
  title: say('Work of {name}', 'Trabalho de {name}'),
  titleAgain: say('Work of {name}, submission {n}', 'Trabalho de {name}, entrega {n}'),
  instructions: say('What the students were asked', 'O que foi pedido aos alunos'),
  work: say('What was submitted', 'O que foi entregue'),
  erased: say('The content was removed with the account.', 'O conteúdo foi retirado com a conta.'),
  addFiles: say('Files with your feedback (optional)', 'Ficheiros com o seu comentário (opcional)'),
  feedbackFiles: say('Files of your feedback', 'Ficheiros do seu comentário'),
  noFeedback: say('Without a comment.', 'Sem comentário.'),
  again: say(
    'The student has submitted the work again since. Only the newest submission can be graded.',
    'O aluno entregou o trabalho de novo. Só a entrega mais recente pode ser avaliada.',
  ),
  others: say('Other submissions for this lesson', 'Outras entregas para esta aula'),
  submission: say('Submission {n}', 'Entrega {n}'),
} as const
