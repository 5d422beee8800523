import type { Phrase } from '#src/contract/language.ts'
import { teachingText } from '../teaching/text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages on which work is graded, in every language; `{…}` is filled in. */
export const gradingText = {
  title: say('Grading', 'Avaliação'),
  about: say('Work and quiz answers that wait for you', 'Trabalhos e respostas que esperam por si'),
  back: say('Back to grading', 'Voltar à avaliação'),
  tabs: {
    label: say('Which work', 'Que trabalhos'),
    waiting: say('Waiting', 'À espera'),
    graded: say('Graded', 'Avaliados'),
  },
  works: say('Assignments ({n})', 'Trabalhos ({n})'),
  attempts: say('Quizzes ({n})', 'Questionários ({n})'),
  start: say('Grade what has waited longest', 'Avaliar o que espera há mais tempo'),
  nothing: say('Nothing waits for a grade.', 'Nada espera por avaliação.'),
  noneGraded: say('Nothing was graded yet.', 'Ainda nada foi avaliado.'),
  number: say('submission {n}', 'entrega {n}'),
  attempt: say('attempt {n}', 'tentativa {n}'),
  waiting: say('waiting for a grade', 'à espera de nota'),
  inProgress: say('in progress', 'a decorrer'),
  late: say('late', 'com atraso'),
  returned: say('returned for another try', 'devolvido para nova entrega'),
  points: say('{points} of {max} points', '{points} de {max} pontos'),
  passed: say('passed', 'passou'),
  notPassed: say('not passed', 'não passou'),
  accepted: say('accepted', 'aceite'),
  notAccepted: say('not accepted', 'não aceite'),
  student: say('Student', 'Aluno'),
  lesson: say('Lesson', 'Aula'),
  submitted: say('Submitted', 'Entregue'),
  timedOut: say('Ended by the time limit', 'Terminado pelo tempo limite'),
  due: say('Due', 'Prazo'),
  grade: say('Grade', 'Nota'),
  gradedBy: say('{grade}, by {name}', '{grade}, por {name}'),
  pass: say('Passes with {percent} %', 'Passa com {percent} %'),
  feedback: say('Feedback', 'Comentário'),
  feedbackHint: say(
    'The student reads it, as plain text. To return the work, say what to improve.',
    'O aluno lê-o, como texto simples. Para devolver o trabalho, diga o que melhorar.',
  ),
  answerFeedback: say('Feedback for the student (optional)', 'Comentário para o aluno (opcional)'),
  pointsField: say('Points, up to {max}', 'Pontos, até {max}'),
  pointsHint: say('{passing} or more accept the work.', 'Com {passing} ou mais o trabalho é aceite.'),
  save: say('Save the grade', 'Guardar a nota'),
  saveNext: say('Save the grade and open the next', 'Guardar a nota e abrir o seguinte'),
  returnIt: say('Return for another try', 'Devolver para nova entrega'),
  skip: say('Skip to the next', 'Passar ao seguinte'),
  mail: say(
    'The student is told by e-mail. A grade can be corrected later.',
    'O aluno é avisado por correio eletrónico. Uma nota pode ser corrigida mais tarde.',
  ),
  done: {
    graded: say('The grade is saved, and the student is told.', 'A nota está guardada e o aluno é avisado.'),
    returned: say('The work was returned, and the student is told.', 'O trabalho foi devolvido e o aluno é avisado.'),
  },
  allDone: say('Nothing else waits for a grade.', 'Mais nada espera por avaliação.'),
} as const

/** The sentences for refusals on these pages. */
export const gradingRefusals = {
  ...teachingText.refusals,
  precondition_failed: say(
    'The work has changed since you opened the page, or somebody else graded it. Nothing was saved; read it again. What you typed is still here.',
    'O trabalho mudou desde que abriu a página, ou outra pessoa avaliou-o. Nada foi guardado; leia-o de novo. O que escreveu continua aqui.',
  ),
  invalid_state: say(
    'This work can no longer be graded: it was returned, or submitted again since. Nothing was saved.',
    'Este trabalho já não pode ser avaliado: foi devolvido, ou entregue de novo. Nada foi guardado.',
  ),
  attempt_in_progress: say(
    'The attempt is still in progress, so it cannot be graded yet.',
    'A tentativa ainda está a decorrer, por isso ainda não pode ser avaliada.',
  ),
  'invalid_body points': say(
    'Enter the points as a whole number, and no more than the assignment gives.',
    'Escreva os pontos como número inteiro, e não mais do que o trabalho dá.',
  ),
  'invalid_body questions': say(
    'Enter points for each answer: from 0 to the points of the question, with at most two decimals.',
    'Escreva pontos para cada resposta: de 0 aos pontos da pergunta, com duas casas decimais no máximo.',
  ),
  'invalid_body feedback': say(
    'To return the work, write what to improve, in at most 20,000 characters.',
    'Para devolver o trabalho, escreva o que melhorar, no máximo com 20 000 caracteres.',
  ),
} as const
