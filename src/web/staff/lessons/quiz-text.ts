import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the editor of quizzes. */
export const quizText = {
  title: say('Quiz: {name}', 'Questionário: {name}'),
  questions: say('Questions ({n}), points: {points}', 'Perguntas ({n}), pontos: {points}'),
  none: say('There are no questions yet. Choose a kind below.', 'Ainda não há perguntas. Escolha um tipo em baixo.'),
  add: say('Add a question', 'Acrescentar uma pergunta'),
  kinds: {
    single: say('One correct choice', 'Uma escolha certa'),
    multiple: say('Several correct choices', 'Várias escolhas certas'),
    text: say('Answer in words', 'Resposta por palavras'),
    number: say('A number', 'Um número'),
  },
  points: say('points: {n}', 'pontos: {n}'),
  manual: say('graded by a lecturer', 'avaliada por um docente'),
  settings: say('Settings', 'Definições'),
  passing: say(
    'Percentage to pass (empty: handing it in is enough)',
    'Percentagem para passar (vazio: basta entregar)',
  ),
  attempts: say('Attempts (empty: any number)', 'Tentativas (vazio: sem limite)'),
  limit: say('Time limit in minutes (empty: none)', 'Limite em minutos (vazio: nenhum)'),
  show: say('Learners see the correct answers', 'Os alunos veem as respostas certas'),
  shows: {
    never: say('never', 'nunca'),
    after_attempt: say('after each attempt', 'depois de cada tentativa'),
    after_passing: say('after passing', 'depois de passar'),
  },
  shuffleQuestions: say('Questions in another order each time', 'Perguntas noutra ordem de cada vez'),
  shuffleChoices: say('Choices in another order each time', 'Escolhas noutra ordem de cada vez'),
  newQuestion: say('New question', 'Nova pergunta'),
  question: say('Question {n}', 'Pergunta {n}'),
  prompt: say('Question (Markdown)', 'Pergunta (Markdown)'),
  pointsLabel: say('Points', 'Pontos'),
  choices: say('Choices', 'Escolhas'),
  choicesSingle: say(
    'Mark the one that is correct. Empty lines are left out.',
    'Marque a que está certa. As linhas vazias não contam.',
  ),
  choicesMultiple: say(
    'Mark all that are correct. Empty lines are left out.',
    'Marque todas as que estão certas. As linhas vazias não contam.',
  ),
  choice: say('Choice {n}', 'Escolha {n}'),
  correct: say('Choice {n} is correct', 'A escolha {n} está certa'),
  more: say('More choices', 'Mais escolhas'),
  grading: say('Graded', 'Avaliada'),
  gradings: {
    automatic: say('by the answers below', 'pelas respostas em baixo'),
    manual: say('by a lecturer, who reads each answer', 'por um docente, que lê cada resposta'),
  },
  accepted: say('Correct answers, one on each line', 'Respostas certas, uma em cada linha'),
  acceptedHint: say(
    'Case, accents and spaces do not matter. Leave it empty where a lecturer grades.',
    'Maiúsculas, acentos e espaços não contam. Deixe vazio se for um docente a avaliar.',
  ),
  value: say('Correct number', 'Número certo'),
  tolerance: say('May differ by', 'Pode diferir de'),
  explanation: say(
    'Explanation that learners see afterwards (Markdown)',
    'Explicação que os alunos veem depois (Markdown)',
  ),
  saveAndAdd: say('Save and add another', 'Guardar e acrescentar outra'),
  remove: say('Remove the question', 'Remover a pergunta'),
  removeAbout: say('Attempts that contain it keep it.', 'As tentativas que a contêm mantêm-na.'),
  errors: {
    passing_percentage: say('Enter a percentage from 0 to 100.', 'Escreva uma percentagem de 0 a 100.'),
    max_attempts: say('Enter a number from 1 to 1000.', 'Escreva um número de 1 a 1000.'),
    time_limit_seconds: say('Enter at most 10,080 minutes (a week).', 'Escreva no máximo 10 080 minutos (uma semana).'),
    points: say('Enter a whole number from 0 to 1000.', 'Escreva um número inteiro de 0 a 1000.'),
    value: say('Enter a number such as 20 or 2.5.', 'Escreva um número como 20 ou 2,5.'),
    tolerance: say('Enter 0 or a number such as 0.5.', 'Escreva 0 ou um número como 0,5.'),
    accepted_answers: say(
      'Write at least one correct answer, or let a lecturer grade it and leave this empty.',
      'Escreva pelo menos uma resposta certa, ou deixe um docente avaliar e isto vazio.',
    ),
    choices: say('Check the choices.', 'Verifique as escolhas.'),
    'choices too_few': say('Write at least two choices.', 'Escreva pelo menos duas escolhas.'),
    'choices not_one_correct': say('Mark exactly one choice as correct.', 'Marque exatamente uma escolha como certa.'),
    'choices none_correct': say('Mark at least one choice as correct.', 'Marque pelo menos uma escolha como certa.'),
  },
} as const
