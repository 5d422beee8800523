import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the page of one attempt at a quiz, in every language; `{…}` is filled in. */
export const attemptText = {
  title: say('Quiz answers of {name}', 'Respostas de {name}'),
  titleAgain: say('Quiz answers of {name}, attempt {n}', 'Respostas de {name}, tentativa {n}'),
  rule: say('Quiz', 'Questionário'),
  manual: say('Answers to grade', 'Respostas por avaliar'),
  answers: say('Answers', 'Respostas'),
  automatic: say('Graded automatically ({n})', 'Avaliadas automaticamente ({n})'),
  started: say(
    'The attempt is in progress. Answers may still change.',
    'A tentativa está a decorrer. As respostas ainda podem mudar.',
  ),
  question: say('Question {n}', 'Pergunta {n}'),
  worthOne: say('up to 1 point', 'até 1 ponto'),
  worth: say('up to {points} points', 'até {points} pontos'),
  answer: say('Answer', 'Resposta'),
  noAnswer: say('Not answered.', 'Sem resposta.'),
  correct: say('Correct answer', 'Resposta certa'),
  explanation: say('What a good answer says', 'O que uma boa resposta diz'),
} as const
